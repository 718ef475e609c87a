import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Of the proof only its bounded share; `npm run proof` runs it whole.
    include: ['test/**/*.test.ts', 'proof/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A shared machine may stand still for seconds: a test that then passes is shown as retried, and does not block a landing.
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
