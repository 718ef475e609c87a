/** Imports point down: core < platform < telegram, spool, state, agent, service, stand-in < bridge, web < cli; siblings know nothing of each other. */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, sourceFiles } from './source-files.ts';

const LEVEL: Record<string, number> = {
  core: 0,
  platform: 1,
  telegram: 2,
  spool: 2,
  state: 2,
  agent: 2,
  service: 2,
  'stand-in': 2,
  bridge: 3,
  web: 3,
  cli: 4,
};

const files = sourceFiles();

test('every file lies in a folder whose level is known', () => {
  expect(files.filter(({ path }) => !(folderOf(path) in LEVEL))).toEqual([]);
  expect(files.length).toBeGreaterThan(90);
});

test('a folder imports only from folders of lower levels, and from itself', () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(file.path), name))
      .filter((target) => folderOf(target) !== folderOf(file.path))
      .filter((target) => (LEVEL[folderOf(target)] ?? Infinity) >= (LEVEL[folderOf(file.path)] ?? -1))
      .map((target) => `${file.path} imports ${target}`),
  );

  expect(upward).toEqual([]);
});

test('what is imported is a file, never a folder, and is named with its ending', () => {
  const paths = new Set(files.map(({ path }) => path));
  const missing = files.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(file.path), name))
      .filter((target) => !paths.has(target))
      .map((target) => `${file.path} imports ${target}`),
  );

  expect(missing).toEqual([]);
});

test('imports are seen in each of their forms', () => {
  const code =
    "import a, { b } from './a.ts';\nimport {\n  c,\n} from '../b.ts';\nexport * from './c.ts';\nimport './d.ts';\nawait import('./e.ts');";

  expect(importsOf({ path: 'core/x.ts', code })).toEqual(['./a.ts', '../b.ts', './c.ts', './d.ts', './e.ts']);
});

function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}
