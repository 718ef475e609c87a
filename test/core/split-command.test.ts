import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommand } from '../../src/core/split-command.ts';

test.each<[string, string[] | null]>([
  ['claude -p', ['claude', '-p']],
  ['  my-agent\t--flag \n', ['my-agent', '--flag']],
  [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
  [`a ''`, ['a', '']],
  [`a"b"'c'd`, ['abcd']],
  [String.raw`a "say \"hi\" \n"`, ['a', String.raw`say "hi" \n`]],
  [`a '$HOME; rm -rf x' | b`, ['a', '$HOME; rm -rf x', '|', 'b']],
  [`a 'b`, null],
  ['a "b', null],
  ['', null],
  ['   ', null],
  [`''`, null],
])('%j', (text, words) => {
  expect(splitCommand(text)).toEqual(words);
});

test('what a shell would be given in single quotes comes out as it was', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes("'"));
  fc.assert(
    fc.property(
      word.filter((text) => text !== ''),
      fc.array(word),
      (program, rest) => {
        const text = [program, ...rest].map((one) => `'${one}'`).join(' ');
        expect(splitCommand(text)).toEqual([program, ...rest]);
      },
    ),
  );
});
