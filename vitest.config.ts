import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Of the proof only its bounded share; `npm run proof` runs it whole.
    include: ['test/**/*.test.ts', 'proof/**/*.test.ts'],
    pool: 'forks',
    // Most of a test's time is waiting for processes of its own: three keep two cores busy.
    maxWorkers: 3,
    // What is only waited for may take long: it costs a passing test nothing, and a machine may stand still for seconds.
    expect: { poll: { timeout: 45_000 } },
    // A machine of a CI that stands still for longer than that must not refuse a change; who passes only then is printed.
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
