/** The proof with its full budget: one part after the other, since each takes what the machine has. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['proof/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 4 * 3_600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
