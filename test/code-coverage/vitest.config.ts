/** The tests as ever, but with `src/*.ts` taken from `dist/*.js`, as the child processes do: one code, one set of counts. */
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default mergeConfig(
  base,
  defineConfig({
    root,
    plugins: [
      {
        name: 'src-from-dist',
        enforce: 'pre',
        async resolveId(source, importer, options) {
          const found = await this.resolve(source, importer, { ...options, skipSelf: true });
          if (found === null || !found.id.startsWith(`${root}src/`)) return null;
          return found.id.replace(`${root}src/`, `${root}dist/`).replace(/\.ts$/u, '.js');
        },
      },
    ],
    test: {
      // They put a stand-in in the place of node:fs, which is possible only for what vite itself has loaded.
      exclude: [
        ...configDefaults.exclude,
        // Nearly every process of the proof is killed, and so leaves no counts.
        'proof/**',
        'test/platform/file-system-probe.test.ts',
        'test/platform/durable-file.test.ts',
      ],
      setupFiles: [fileURLToPath(new URL('write-counts.ts', import.meta.url))],
      server: { deps: { external: [new RegExp(`^${root}dist/`, 'u')] } },
    },
  }),
);
