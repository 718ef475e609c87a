import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Most of a test's time is waiting for processes of its own: three keep two cores busy.
    maxWorkers: 3,
    // What is only waited for may take long: it costs a passing test nothing, and a machine may stand still for seconds.
    expect: { poll: { timeout: 45_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
