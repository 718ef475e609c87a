import { describe, expect, test } from 'vitest';
import { formatMarkdown } from '../../../src/core/reply/format-markdown.ts';
import type { FormattedText, MessageEntity } from '../../../src/core/reply/formatted-text.ts';
import { splitText } from '../../../src/core/reply/split-text.ts';
import { expectLawful } from './entity-laws.ts';
import { processorMs } from './processor-time.ts';

function plain(text: string): FormattedText {
  return { text, entities: [] };
}

function split(text: string, limit?: number): string[] {
  return splitText(plain(text), limit).map((part) => part.text);
}

describe('case 55: the limit is 4096 UTF-16 units of text', () => {
  test.each([
    ['2100 emoji', '😀'.repeat(2100), [4096, 104]],
    ['4096 Hangul syllables', '가'.repeat(4096), [4096]],
    ['4097 Hangul syllables', '가'.repeat(4097), [4096, 1]],
    ['nothing', '', []],
  ])('%s', (_, text, lengths) => {
    expect(split(text).map((part) => part.length)).toEqual(lengths);
  });

  test('4096 bold characters go as one message', () => {
    expect(splitText(formatMarkdown(`**${'x'.repeat(4096)}**`))).toEqual([
      { text: 'x'.repeat(4096), entities: [{ type: 'bold', offset: 0, length: 4096 }] },
    ]);
  });
});

describe('case 56: nothing that one sees as one is cut', () => {
  test.each([
    ['a surrogate pair', '🙂'],
    ['a family', '👨‍👩‍👧‍👦'],
    ['a flag', '🇰🇷'],
    ['a letter with its accent', 'e\u0301'],
    ['Hangul letter by letter', '\u1112\u1161\u11AB'],
    ['a skin tone', '👍🏽'],
  ])('%s', (_, sign) => {
    for (let before = 4096 - sign.length; before <= 4096; before += 1) {
      const text = `${'x'.repeat(before)}${sign}${'y'.repeat(10)}`;
      const parts = split(text);
      expect(parts.join('')).toBe(text);
      expect(parts.some((part) => part.includes(sign))).toBe(true);
    }
  });

  test('flags in a row stay flags', () => {
    expect(split('🇰🇷'.repeat(5), 10)).toEqual(['🇰🇷🇰🇷', '🇰🇷🇰🇷', '🇰🇷']);
  });

  test('a cluster longer than a message is cut between code points', () => {
    const text = `${'x\u0301'.repeat(1)}${'\u0301'.repeat(30)}${'\u{1F3FB}'.repeat(9)}`;
    const parts = split(text, 7);
    expect(parts.join('')).toBe(text);
    for (const part of parts) expectLawful(plain(part));
  });

  test('a limit below one code point still moves on', () => {
    expect(split('😀a', 1)).toEqual(['😀', 'a']);
  });
});

describe('a part ends', () => {
  test.each([
    ['behind a paragraph', 'one two.\n\nthree. four\nfive six', 24, ['one two.\n\nthree. four\n', 'five six']],
    ['behind the last paragraph that fits', 'aaaa\n\nbbbb\n\ncccc dddd', 16, ['aaaa\n\nbbbb\n\n', 'cccc dddd']],
    ['behind a line', 'aaaa bbbb\ncccc dddd', 14, ['aaaa bbbb\n', 'cccc dddd']],
    ['behind a sentence', 'aaaa bb. cccc dddd', 14, ['aaaa bb.', ' cccc dddd']],
    ['behind a sentence in quotes', 'aaa "bb!" cccc dddd', 14, ['aaa "bb!"', ' cccc dddd']],
    ['behind a Japanese sentence', '日本語です。「はい。」つづきます', 14, ['日本語です。「はい。」', 'つづきます']],
    ['not inside a number', 'aaaaaa 3.14159 bb', 13, ['aaaaaa ', '3.14159 bb']],
    ['behind a word', 'aaaa bbbb cccc', 12, ['aaaa bbbb ', 'cccc']],
    ['anywhere when there is but one word', 'a'.repeat(25), 10, ['a'.repeat(10), 'a'.repeat(10), 'a'.repeat(5)]],
    ['not early for the sake of a paragraph', 'a\n\nbbbb cccc dddd', 12, ['a\n\nbbbb ', 'cccc dddd']],
    ['never before an accent on a space', 'aaaaaaaa \u0301bb', 9, ['aaaaaaaa', ' \u0301bb']],
    ['never between CR and LF', 'aaaaaaaa\r\nbb', 9, ['aaaaaaaa', '\r\nbb']],
  ])('%s', (_, text, limit, parts) => {
    expect(split(text, limit)).toEqual(parts);
  });

  test('before a code block rather than inside it', () => {
    const formatted = formatMarkdown('words words words words\n\n```\nfirst\n\nsecond\n\nthird\n```');
    expect(splitText(formatted, 40).map((part) => part.text)).toEqual([
      'words words words words\n\n',
      'first\n\nsecond\n\nthird',
    ]);
  });
});

test('parts that would show nothing are not sent', () => {
  expect(split(`a${' '.repeat(30)}b`, 10)).toEqual(
    [`a${' '.repeat(9)}`, 'b'].map((part) => part.padStart(part === 'b' ? 2 : 0)),
  );
  expect(split('\n'.repeat(30), 10)).toEqual([]);
});

describe('case 58: what is cut goes on', () => {
  test('a code block of 6000 characters keeps its language in both parts', () => {
    const parts = splitText(formatMarkdown(`\`\`\`ts\n${'const a = 1;\n'.repeat(462)}\`\`\``));
    expect(parts).toHaveLength(2);
    for (const part of parts) {
      expectLawful(part);
      expect(part.entities).toEqual([{ type: 'pre', language: 'ts', offset: 0, length: part.text.trimEnd().length }]);
    }
  });

  test('bold words and a link go on in the next part', () => {
    const parts = splitText(formatMarkdown(`**bold [${'link '.repeat(6)}](https://b.c) bold**`), 20);
    expect(parts.map(({ entities }) => entities.map(({ type, url }) => url ?? type))).toEqual(
      [
        ['bold', 'https://b.c'],
        ['bold', 'https://b.c'],
        ['bold', 'https://b.c'],
      ].slice(0, parts.length),
    );
    for (const part of parts) expectLawful(part);
  });

  test('no part has more than 100 entities, and no link is lost', () => {
    const formatted = formatMarkdown(Array.from({ length: 250 }, (_, at) => `[w${at}](https://b.c/${at})`).join(' '));
    const parts = splitText(formatted);
    expect(parts.map(({ entities }) => entities.length).every((count) => count <= 100)).toBe(true);
    expect(parts.flatMap(({ entities }) => entities.map(({ url }) => url))).toEqual(
      formatted.entities.map(({ url }) => url),
    );
    expect(parts.length).toBeLessThanOrEqual(5);
  });

  test('more than 100 entities on one spot are cut down', () => {
    const entities = Array.from(
      { length: 150 },
      (): MessageEntity => ({ type: 'text_link', offset: 0, length: 5, url: 'https://b.c' }),
    );
    expect(splitText({ text: 'words', entities }).map((part) => part.entities.length)).toEqual([100]);
  });
});

test('a megabyte is split at once', () => {
  const text = '한국어 문장이 이어진다. And English, too. 👍\n\n'.repeat(30_000);
  let parts: string[] = [];
  expect(processorMs(() => (parts = split(text)))).toBeLessThan(5_000);
  expect(parts.join('')).toBe(text);
  expect(parts.length).toBeLessThan((text.length / 4096) * 1.1 + 1);
});
