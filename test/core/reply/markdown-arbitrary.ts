import * as fc from 'fast-check';

/** Markdown as agents write it, and as they get it wrong: nested, in Korean, with emoji, with marks left open. */
export function markdown(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 1, arbitrary: blocks(2) },
    { weight: 5, arbitrary: blocks(1) },
    { weight: 5, arbitrary: inline(2) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((found) => found.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  );
}

const WORDS = [
  'spool',
  '저장소',
  '"인용"',
  '(괄호)',
  '은',
  '👍',
  '👨‍👩‍👧‍👦',
  '🇰🇷',
  'e\u0301',
  'C++',
  '1~2',
  'a_b_c',
  '한국어는',
  '日本語。',
  'x<y',
  '&amp;',
  '&#27;',
  '\\*',
  'www.naver.com',
  'https://a.b/c_d',
  'me@x.kr',
  '<br>',
  '100%',
  '#tag',
  '\u200B',
];
const FRAGMENTS = [
  ...WORDS,
  '*',
  '**',
  '_',
  '`',
  '``',
  '```',
  '~~',
  '[',
  ']',
  '(',
  ')',
  '](',
  '![',
  '<',
  '>',
  '|',
  '|-|',
  '\n',
  '\n\n',
  ' ',
  '  \n',
  '- ',
  '1. ',
  '> ',
  '# ',
  '---',
  '\t',
  '[^1]',
  '[^1]: ',
  '[r]: ',
  '[r]',
  '\u0000',
  '\uD83D',
  '\u001B[31m',
  '    ',
  '\\',
  '&#x1F600;',
];
const TARGETS = [
  'https://a.b/c',
  'http://localhost:3000',
  './chart.png',
  'out/그림.png',
  'tg://resolve?domain=x',
  'mailto:me@x.kr',
  '#top',
  'javascript:alert(1)',
  'https://ko.wikipedia.org/wiki/한국_(나라)',
  '<a b.png>',
  'https://x',
];

const word = fc.constantFrom(...WORDS);
const target = fc.constantFrom(...TARGETS);
const mark = fc.constantFrom('*', '**', '_', '__', '~~', '***');

function words(): fc.Arbitrary<string> {
  return fc.array(word, { minLength: 1, maxLength: 2 }).map((found) => found.join(' '));
}

function inline(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return words();
  const inner = inline(depth - 1);
  return fc.oneof(
    { weight: 4, arbitrary: words() },
    { weight: 3, arbitrary: fc.tuple(mark, inner).map(([sign, text]) => `${sign}${text}${sign}`) },
    { weight: 1, arbitrary: fc.tuple(mark, inner).map(([sign, text]) => `${sign}${text}`) },
    { weight: 2, arbitrary: words().map((text) => `\`${text}\``) },
    { weight: 2, arbitrary: fc.tuple(inner, target).map(([text, url]) => `[${text}](${url})`) },
    { weight: 1, arbitrary: fc.tuple(words(), target).map(([text, url]) => `[${text}](${url} "제목")`) },
    { weight: 2, arbitrary: fc.tuple(words(), target).map(([text, url]) => `![${text}](${url})`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('[^1]', '[r]', '[글][r]', '![그림][r]', '<https://a.b/c>에서', '![](a.png)'),
    },
    { weight: 2, arbitrary: fc.tuple(inner, inner).map(([one, other]) => `${one} ${other}`) },
    { weight: 1, arbitrary: fc.tuple(inner, inner).map(([one, other]) => `${one}\n${other}`) },
    { weight: 1, arbitrary: fc.tuple(inner, inner).map(([one, other]) => `${one}${other}`) },
  );
}

function blocks(depth: number): fc.Arbitrary<string> {
  return fc.array(block(depth), { minLength: 1, maxLength: 2 }).map((found) => found.join('\n\n'));
}

function block(depth: number): fc.Arbitrary<string> {
  const leaves = [
    inline(2),
    inline(1).map((text) => `## ${text.replaceAll('\n', ' ')}`),
    fc
      .tuple(fc.constantFrom('', 'ts', 'js title=x'), words())
      .map(([info, code]) => `\`\`\`${info}\n  ${code}\n\n${code}\n\`\`\``),
    fc.array(fc.array(inline(1), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }).map(table),
    fc.constantFrom(
      '---',
      '<div>\n\n글\n\n</div>',
      '[^1]: 각주',
      '[r]: https://r.s/t "t"',
      '[n]: ./none.md',
      '```',
      '- [ ] 할 일\n- [x] done',
    ),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = blocks(depth - 1);
  const items = fc.tuple(
    fc.constantFrom('- ', '3. ', '- [ ] ', '- [x] '),
    fc.array(inner, { minLength: 1, maxLength: 3 }),
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...leaves) },
    { weight: 1, arbitrary: inner.map((text) => text.replaceAll(/^/gmu, '> ')) },
    {
      weight: 1,
      arbitrary: items.map(([sign, found]) => found.map((text) => sign + text.replaceAll('\n', '\n   ')).join('\n')),
    },
  );
}

function table(rows: string[][]): string {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => cell.replaceAll('\n', ' ')));
  const alignments = head.map((_, index) => [':-', '-:', ':-:', '-'][index % 4] ?? '-');
  return [head, alignments, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
