/**
 * From the modules of `src/` to the program in `dist/`: a start reads some forty files instead of some three hundred to
 * six hundred (docs/decisions/0018). Every file lies two folders deep, as in `src/` (`platform/own-files.ts`).
 */
import { defineConfig } from 'rolldown';
import license from 'rollup-plugin-license';

export default defineConfig({
  // The program, and those that it starts as processes and threads of their own.
  input: {
    'cli/main': 'src/cli/main.ts',
    'agent/sample-program': 'src/agent/sample-program.ts',
    'platform/read-program': 'src/platform/read-program.ts',
    'platform/read-relay': 'src/platform/read-relay.ts',
  },
  platform: 'node',
  // It names its temporary files after its own path, which a module that was built in does not know.
  external: ['write-file-atomic'],
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
  output: {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
    sourcemap: true,
  },
});
