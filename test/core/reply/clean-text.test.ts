import { expect, test } from 'vitest';
import { cleanText, isBlank } from '../../../src/core/reply/clean-text.ts';
import { processorMs } from './processor-time.ts';

test.each([
  ['colours', '\u001B[1;31mred\u001B[0m', 'red'],
  ['cursor movement', 'a\u001B[2K\u001B[1Gb', 'ab'],
  ['one-byte control sequences', '\u009B31mred\u009B0m', 'red'],
  ['a window title', '\u001B]0;title\u0007text', 'text'],
  ['a hyperlink, not its label', '\u001B]8;;https://a.b\u001B\\label\u001B]8;;\u001B\\', 'label'],
  ['a device control string', '\u001BPq#0\u001B\\x', 'x'],
  ['character set escapes', '\u001B(Bx\u001B=', 'x'],
  ['a lone escape at the end', 'x\u001B', 'x'],
  ['NUL, backspace, delete and C1', 'a\u0000b\u0008c\u007Fd\u0080e', 'abcde'],
  ['a byte order mark', '\uFEFFa', 'a'],
])('%s go', (_, raw, clean) => {
  expect(cleanText(raw)).toBe(clean);
});

test.each([
  ['tab and newline', 'a\tb\nc', 'a\tb\nc'],
  ['emoji, flags and families', '👍🇰🇷👨‍👩‍👧‍👦', '👍🇰🇷👨‍👩‍👧‍👦'],
  ['words after a string that never ends', '\u001B]0;title without end', '0;title without end'],
  ['words after a control sequence that never ends', '\u001B[ 가', ' 가'],
])('%s stay', (_, raw, clean) => {
  expect(cleanText(raw)).toBe(clean);
});

test.each([
  ['CRLF', 'a\r\nb', 'a\nb'],
  ['a lone carriage return', '10%\r20%', '10%\n20%'],
  ['form feed and next line', 'a\fb\u0085c', 'a\nb\nc'],
])('%s becomes a newline', (_, raw, clean) => {
  expect(cleanText(raw)).toBe(clean);
});

// Case 61.
test.each([
  ['a first half', 'a\uD83Db', 'a\uFFFDb'],
  ['a second half', 'a\uDE00', 'a\uFFFD'],
  ['halves in the wrong order', '\uDE00\uD83D', '\uFFFD\uFFFD'],
])('of a cut emoji, %s becomes U+FFFD', (_, raw, clean) => {
  expect(cleanText(raw)).toBe(clean);
});

test.each(['', ' \n\t', '\u200B\u2060', '\uFE0F', '\u00A0\u3000', '\u3164', '\u2800', '\u00AD'])(
  'nothing is to be seen of %j',
  (text) => {
    expect(isBlank(text)).toBe(true);
  },
);

test.each(['a', '\u200B.', '👍', '\uFFFD', '———'])('something is to be seen of %j', (text) => {
  expect(isBlank(text)).toBe(false);
});

test('a megabyte of broken escapes is cleaned at once', () => {
  for (const piece of ['\u001B[', '\u001B]', '\u001B[1;', '\u009B ', '\u001B]\n']) {
    expect(processorMs(() => cleanText(piece.repeat(400_000)))).toBeLessThan(3_000);
  }
});
