/** `src/README.md` is the map: it lists exactly the files that exist, one line a file, in path order. */
import { expect, test } from 'vitest';
import { sourceFiles, sourceMap } from './source-files.ts';

const ENTRY = /^- `(?<path>[^`]+)` (?<words>.*)$/u;

const entries = sourceMap()
  .split('\n')
  .filter((line) => line.startsWith('- `'))
  .map((line) => ENTRY.exec(line)?.groups ?? { path: line, words: '' });

test('the map lists exactly the files that exist, in path order', () => {
  expect(entries.map(({ path }) => path)).toEqual(sourceFiles().map(({ path }) => path));
});

test('each line says what the file owns, in its own words', () => {
  const words = entries.map((entry) => entry['words'] ?? '');

  expect(words.filter((text) => !/^\S.{15,140}$/u.test(text))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});
