import { describe, expect, test } from 'vitest';
import { type Answer, type OutgoingFile, composeReply } from '../../src/core/compose-reply.ts';
import type { Part } from '../../src/core/receipt.ts';
import { formatMarkdown } from '../../src/core/reply/format-markdown.ts';
import { wordsIn } from '../../src/core/words.ts';

const words = wordsIn('en');

function file(name: string, fields: Partial<OutgoingFile> = {}): OutgoingFile {
  const media = /\.(?:png|jpg)$/u.test(name) ? 'photo' : 'document';
  return { file: `out/${name}`, name, bytes: 1000, media, shownAs: `state/files/41/out/${name}`, ...fields };
}

function partsOf(markdown: string, fields: Partial<Answer> = {}): Part[] {
  const answer: Answer = {
    markdown,
    formatted: formatMarkdown(markdown),
    whole: null,
    replyFile: file('reply.md', { file: 'reply-1.md' }),
    pictures: new Map(),
    files: [],
    leftOut: null,
    recovered: false,
    note: null,
    ...fields,
  };
  const composed = composeReply(answer, words);
  return composed.kind === 'empty' ? [] : composed.reply.parts;
}

/** A part in short: `text: …`, `photo: name | caption`, `album photo: a, b`. */
function short(part: Part): string {
  if (part.kind === 'text') return `text: ${part.text.slice(0, 40)}`;
  if (part.kind === 'album') return `album ${part.media}: ${part.items.map(({ name }) => name).join(', ')}`;
  return `${part.kind}: ${part.name}${part.caption === '' ? '' : ` | ${part.caption}`}`;
}

const pictures = (...names: string[]): Map<string, OutgoingFile> => new Map(names.map((name) => [name, file(name)]));
const numbered = (count: number, extension: string): OutgoingFile[] =>
  Array.from({ length: count }, (_, index) => file(`${index + 1}.${extension}`));

describe('text and pictures keep their order', () => {
  test.each([
    { title: 'a text alone', markdown: 'hello', given: {}, parts: ['text: hello'] },
    {
      title: 'a picture in the middle',
      markdown: 'before\n\n![the sea](sea.png)\n\nafter',
      given: { pictures: pictures('sea.png') },
      parts: ['text: before', 'photo: sea.png | the sea', 'text: after'],
    },
    {
      title: 'pictures next to each other',
      markdown: '![a](1.png)\n\n![](2.png)\n\nend',
      given: { pictures: pictures('1.png', '2.png') },
      parts: ['album photo: 1.png, 2.png', 'text: end'],
    },
    {
      title: 'a picture that was not found stays in the text',
      markdown: 'see ![the sea](sea.png)',
      given: {},
      parts: ['text: see the sea (sea.png)'],
    },
    {
      title: 'files that the text does not name come last',
      markdown: 'hi',
      given: { files: [file('a.pdf')] },
      parts: ['text: hi', 'document: a.pdf'],
    },
    { title: 'files without any text', markdown: '', given: { files: [file('a.png')] }, parts: ['photo: a.png'] },
  ])('$title', ({ markdown, given, parts }) => {
    expect(partsOf(markdown, given).map(short)).toEqual(parts);
  });
});

describe('files of one kind go as albums', () => {
  test.each([
    { files: numbered(1, 'png'), parts: ['photo'] },
    { files: numbered(2, 'png'), parts: ['album photo 2'] },
    { files: numbered(10, 'png'), parts: ['album photo 10'] },
    { files: numbered(11, 'png'), parts: ['album photo 10', 'photo'] },
    { files: [...numbered(2, 'png'), file('a.pdf')], parts: ['album photo 2', 'document'] },
    { files: [...numbered(2, 'pdf'), ...numbered(2, 'png')], parts: ['album document 2', 'album photo 2'] },
    {
      files: [file('a.pdf'), file('b.pdf', { bytes: 60_000_000 }), file('c.pdf')],
      parts: ['document', 'text', 'document'],
    },
  ])('$parts', ({ files, parts }) => {
    const kinds = partsOf('', { files }).map((part) =>
      part.kind === 'album' ? `album ${part.media} ${part.items.length}` : part.kind,
    );
    expect(kinds).toEqual(parts);
  });
});

test('a caption takes 1,024 units of the picture’s words; the rest follows as text', () => {
  const alt = 'word '.repeat(300).trim();
  const parts = partsOf(`![${alt}](sea.png)`, { pictures: pictures('sea.png') });
  expect(parts.map(({ kind }) => kind)).toEqual(['photo', 'text']);
  const caption = parts[0]?.kind === 'photo' ? parts[0].caption : '';
  const rest = parts[1]?.kind === 'text' ? parts[1].text : '';
  expect(caption.length).toBeLessThanOrEqual(1024);
  expect(`${caption}${rest}`.replaceAll(/\s/gu, '')).toBe(alt.replaceAll(' ', ''));
});

describe('a reply of more than sixteen texts', () => {
  const long = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(4_000)}`).join('\n\n');

  test('goes as its first part, the whole as a file, and its files', () => {
    const parts = partsOf(long, { files: [file('a.png')] });
    expect(parts.map(({ kind }) => kind)).toEqual(['text', 'document', 'photo']);
    expect(parts[1]).toMatchObject({ file: 'reply-1.md', name: 'reply.md', caption: words.wholeAsFile });
  });

  test('that is larger than Telegram takes is told of instead', () => {
    const parts = partsOf(long, { replyFile: file('reply.md', { bytes: 60_000_000 }) });
    expect(parts.map(({ kind }) => kind)).toEqual(['text', 'text']);
  });
});

test('an output that was cut says so in the receipt, and goes along whole', () => {
  const whole = file('run-1.out', { file: 'run-1.out', name: 'reply.md', bytes: 3_000_000 });
  const parts = partsOf('the beginning', { whole });
  expect(parts.map(short)).toEqual(['text: the beginning', `document: reply.md | ${words.wholeAsFile}`]);
});

test.each(['', ' \n', '\u200B\u2060', '```\n```'])('%j alone is an empty answer', (markdown) => {
  expect(partsOf(markdown)).toEqual([]);
});

test('files past the most that are sent are told of', () => {
  const parts = partsOf('hi', { leftOut: { count: 3, folder: 'state/files/41/out' } });
  expect(parts.map(short)).toEqual(['text: hi', 'text: 3 more files lie in state/files/41/out.']);
});
