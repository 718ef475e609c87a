import { describe, expect, test } from 'vitest';
import { cleanText, isBlank } from '../../../src/core/reply/clean-text.ts';
import { formatMarkdown } from '../../../src/core/reply/format-markdown.ts';
import { expectLawful } from './entity-laws.ts';
import { processorMs } from './processor-time.ts';

/** The text, and each entity as `type:words`, `type:words>url` or `type:words#language`. */
function shown(markdown: string): [string, ...string[]] {
  const formatted = formatMarkdown(markdown);
  expectLawful(formatted);
  const entities = formatted.entities.map(({ type, offset, length, url, language }) => {
    const words = formatted.text.slice(offset, offset + length);
    return `${type}:${words}${url === undefined ? '' : `>${url}`}${language === undefined ? '' : `#${language}`}`;
  });
  return [formatted.text, ...entities];
}

describe('words', () => {
  test.each([
    [
      '**굵게** *기울여* ~~지움~~ `코드`',
      ['굵게 기울여 지움 코드', 'bold:굵게', 'italic:기울여', 'strikethrough:지움', 'code:코드'],
    ],
    ['**"인용"**은 **(괄호)**가', ['"인용"은 (괄호)가', 'bold:"인용"', 'bold:(괄호)']],
    ['1~2시, 3~4시', ['1~2시, 3~4시']],
    ['***both***', ['both', 'italic:both', 'bold:both']],
    ['**a **b** c**', ['a b c', 'bold:a b c']],
    ['**a `b` c**', ['a b c', 'bold:a', 'code:b', 'bold:c']],
    ['**`b`**', ['b', 'code:b']],
    ['**open', ['**open']],
    ['# Head **bold** `c`', ['Head bold c', 'bold:Head bold', 'code:c']],
    ['a\nb  \nc\\\nd', ['a\nb\nc\nd']],
    ['<b>raw</b> <br>', ['<b>raw</b> <br>']],
    ['<div>\n\ntext\n\n</div>', ['<div>\n\ntext\n\n</div>']],
    ['a\n\n---\n\nb', ['a\n\n———\n\nb']],
    ['&#27;[31mx&#0;&#xFEFF;y', ['\uFFFD[31mx\uFFFDy']],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toEqual(expected);
  });
});

describe('case 59: signs of other dialects come through', () => {
  test.each([
    ['C++ (2부) - 1.5! _a_', ['C++ (2부) - 1.5! a', 'italic:a']],
    ['snake_case_name and 2 * 3 * 4', ['snake_case_name and 2 * 3 * 4']],
    ['[글](https://a.b/c_(d)_e)', ['글', 'text_link:글>https://a.b/c_(d)_e']],
    ['error: ``missing ` tick``', ['error: missing ` tick', 'code:missing ` tick']],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toEqual(expected);
  });
});

describe('links', () => {
  test.each([
    ['[a](https://b.c)', ['a', 'text_link:a>https://b.c']],
    ['[a](tg://resolve?domain=b)', ['a', 'text_link:a>tg://resolve?domain=b']],
    ['[**a** `b`](https://b.c)', ['a b', 'text_link:a b>https://b.c', 'bold:a']],
    ['[a](./b.md)', ['a (./b.md)']],
    ['[a](http://localhost:3000)', ['a (http://localhost:3000)']],
    ['[a](https://host)', ['a (https://host)']],
    ['[a](http:b.c)', ['a (http:b.c)']],
    ['[a](javascript:x)', ['a (javascript:x)']],
    ['[a](<https://b.c/d e>)', ['a (https://b.c/d e)']],
    [`[a](https://b.c/${'d'.repeat(3000)})`, [`a (https://b.c/${'d'.repeat(3000)})`]],
    ['[a](mailto:b@c.d)', ['a (mailto:b@c.d)']],
    ['[b@c.d](mailto:b@c.d) e@f.g', ['b@c.d e@f.g']],
    ['[https://b.c](https://b.c)', ['https://b.c']],
    ['[localhost](http://localhost)', ['localhost (http://localhost)']],
    ['<https://b.c> www.b.c', ['https://b.c www.b.c']],
    ['<https://b.c>에서', ['https://b.c에서', 'text_link:https://b.c>https://b.c']],
    ['[](https://b.c)[]()', ['https://b.c']],
    ['[a]()', ['a']],
    ['[\u200B](https://b.c)', ['\u200Bhttps://b.c']],
    [
      '[a](https://b.c "제목") [b](https://b.c "b")',
      ['a (제목) b', 'text_link:a>https://b.c', 'text_link:b>https://b.c'],
    ],
    [
      '[a][r] [r] [r][]\n\n[r]: https://b.c',
      ['a r r', 'text_link:a>https://b.c', 'text_link:r>https://b.c', 'text_link:r>https://b.c'],
    ],
    ['a\n\n[r]: https://b.c "t"', ['a\n\n[r]: https://b.c (t)']],
    ['[r]\n\n[r]: https://b.c\n[r]: https://d.e', ['r\n\n[r]: https://d.e', 'text_link:r>https://b.c']],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toEqual(expected);
  });
});

describe('pictures', () => {
  test.each([
    ['![a](https://b.c/d.png)', ['a', 'text_link:a>https://b.c/d.png']],
    ['![](https://b.c/d.png)', ['https://b.c/d.png']],
    ['![a](x.png)', ['a (x.png)']],
    ['![](x.png)', ['x.png']],
    ['![x.png](x.png)', ['x.png']],
    ['![a]()', ['a']],
    ['![a][r]\n\n[r]: x.png "t"', ['a (x.png) (t)']],
    [
      '[![a](https://b.c/d.svg)](https://e.f)',
      ['a (https://b.c/d.svg)', 'text_link:a (https://b.c/d.svg)>https://e.f'],
    ],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toEqual(expected);
  });

  test('those with a local path are told with their place in the text', () => {
    const { text, images } = formatMarkdown(
      '# 글\n\n![그림](out/%EA.png) ![](file:///a.png) ![web](https://b.c/d.png) ![data](data:image/png;base64,AA)\n\n| a |\n|--:|\n| long cell |\n| ![칸](c.png) |\n\n- ![마지막](../d.png)',
    );
    expect(images.map(({ target, alt, offset, length }) => [target, alt, text.slice(offset, offset + length)])).toEqual(
      [
        ['out/%EA.png', '그림', '그림 (out/%EA.png)'],
        ['file:///a.png', '', 'file:///a.png'],
        ['c.png', '칸', '칸 (c.png)'],
        ['../d.png', '마지막', '마지막 (../d.png)'],
      ],
    );
  });
});

describe('blocks', () => {
  test.each([
    ['- a\n- b\n  - c\n    1. d\n\n- [ ] e\n- [x] f', '• a\n\n• b\n  • c\n    1. d\n\n☐ e\n\n☑ f'],
    ['3. a\n4. b\n   more', '3. a\n4. b\n   more'],
    ['9) a\n10) b\n\n    c', '9. a\n\n10. b\n\n    c'],
    ['1. [x] a', '1. ☑ a'],
    ['-\n- a', '• \n• a'],
  ])('the list %j keeps its shape', (markdown, text) => {
    expect(shown(markdown)).toEqual([text]);
  });

  test.each([
    ['```ts\nconst a = **1**;\n```', ['const a = **1**;', 'pre:const a = **1**;#ts']],
    ['```js title=x\na\n```', ['title=x\na', 'pre:a#js']],
    ['    a\n    b', ['a\nb', 'pre:a\nb']],
    ['- a\n\n  ```\n  b\n    c\n  ```', ['• a\n\nb\n  c', 'pre:b\n  c']],
    ['- ```\n  b\n  ```', ['• \nb', 'pre:b']],
    ['```\nnever closed **x**', ['never closed **x**', 'pre:never closed **x**']],
    ['> a\n> b', ['a\nb', 'blockquote:a\nb']],
    ['> a\n>\n> > b\n> > c', ['a\n\n> b\n> c', 'blockquote:a\n\n> b\n> c']],
    ['> **a** `b`\n>\n> ```\n> c\n> ```', ['a b\n\nc', 'blockquote:a b\n\nc', 'bold:a', 'code:b', 'pre:c']],
    ['- > a', ['• \na', 'blockquote:a']],
    [
      'a[^n] b[^1]\n\n[^1]: one\n\n[^n]: **two**\n\n    more\n\nlast',
      ['a[n] b[1]\n\nlast\n\n[1] one\n\n[n] two\n\nmore', 'bold:two'],
    ],
  ])('%j', (markdown, expected) => {
    expect(shown(markdown)).toEqual(expected);
  });

  test('a table is aligned by the width of what it shows', () => {
    const table = [
      '| 이름 | n | **c** |',
      '|:-----|--:|:-----:|',
      '| 가나다라 | 10 | [x](https://b.c) |',
      '| 👍 | 2 |',
      '| b | 3 | `d` | extra |',
    ];
    const [text, ...entities] = shown(table.join('\n'));
    expect(text.split('\n')).toEqual([
      '| 이름     |  n |        c        |',
      '|----------|----|-----------------|-------|',
      '| 가나다라 | 10 | x (https://b.c) |',
      '| 👍       |  2 |',
      '| b        |  3 |        d        | extra |',
    ]);
    expect(entities).toEqual([`pre:${text}`]);
  });

  test('one long cell does not pad the others beyond 40 columns', () => {
    const [text] = shown(`| a |\n|---|\n| ${'x'.repeat(500)} |\n| b |`);
    expect(text.split('\n').map((line) => line.length)).toEqual([44, 44, 504, 44]);
  });
});

describe('case 60: an answer that shows nothing is blank', () => {
  test.each([
    '',
    ' \n',
    '\u200B\u2060',
    '\u001B[31m\u001B[0m',
    '```\n```',
    '```\n\n```',
    '> ```\n> ```',
    '[]()',
    '&#8203;',
  ])('%j', (output) => {
    expect(isBlank(formatMarkdown(output).text)).toBe(true);
  });

  test('a rule is no blank', () => {
    expect(isBlank(formatMarkdown('---').text)).toBe(false);
  });
});

test('case 61: NUL and half an emoji are cleaned on the way', () => {
  expect(shown('**a\u0000b** \uD83D')).toEqual(['ab \uFFFD', 'bold:ab']);
  expect(cleanText('a\u0000b\uD83D')).toBe('ab\uFFFD');
});

describe('long texts', () => {
  const filler = 'A paragraph with **bold** words and `code`, 한국어 문장도 있다.\n\n';

  test('references find their definitions across the whole text', () => {
    const text = `    code\n\n[a][r] [^1]\n\n${filler.repeat(400)}[r]: https://b.c "t"\n\n[^1]: note\n\n[r] again`;
    const { text: shownText, entities } = formatMarkdown(text);
    expect(entities.filter(({ url }) => url === 'https://b.c')).toHaveLength(2);
    expect(entities[0]).toEqual({ type: 'pre', offset: 0, length: 4 });
    expect(shownText.startsWith('code\n\na (t) [1]\n\n')).toBe(true);
    expect(shownText.endsWith('r (t) again\n\n[1] note')).toBe(true);
  });

  test('a reference whose definition was not parsed keeps its label', () => {
    const { text, images } = formatMarkdown(
      `[a][r] ![b][r] [r]\n\n${filler.repeat(400)}words before\n[r]: https://b.c`,
    );
    expect(text.startsWith('a [r] b [r] [r]\n\n')).toBe(true);
    expect(text.endsWith('words before\n[r]: https://b.c')).toBe(true);
    expect(images).toEqual([]);
  });

  test('code fences and lists are not cut where the text is read in pieces', () => {
    const fence = `\`\`\`\n${'line\n\n'.repeat(4000)}\`\`\``;
    const list = '1. item\n\n'.repeat(1500);
    const { text, entities } = formatMarkdown(`${filler}${fence}\n\n${list}`);
    expect(entities.filter(({ type }) => type === 'pre')).toEqual([expect.objectContaining({ length: 23_998 })]);
    expect(text.endsWith('1500. item')).toBe(true);
  });

  test('what is past the limit stays as written', () => {
    const { text, entities } = formatMarkdown(filler.repeat(3000));
    expect(entities.length).toBeGreaterThan(1000);
    expect(text.endsWith('A paragraph with **bold** words and `code`, 한국어 문장도 있다.')).toBe(true);
  });

  test('a megabyte of ordinary Markdown takes seconds at most', () => {
    const source = filler.repeat(Math.ceil(1_048_576 / filler.length));
    expect(processorMs(() => formatMarkdown(source))).toBeLessThan(15_000);
  });
});

describe('tangled texts stay as written, at once', () => {
  test.each(['>', '[', '*', '_a', '*a_ ', '~~a', '![', '`` ', 'a@b', '> ', '- ', '1. ', '- > ', '<!--', '# <!--'])(
    '200,000 of %j',
    (sign) => {
      const source = `${sign.repeat(200_000)}x`;
      let formatted;
      expect(processorMs(() => (formatted = formatMarkdown(source)))).toBeLessThan(3_000);
      expect(formatted).toEqual({ text: source, entities: [], images: [] });
    },
  );

  test.each([
    ['nested quotations', `${'>'.repeat(4000)}x`],
    ['brackets', `${'['.repeat(5000)}x${']'.repeat(5000)}`],
    [
      'lists nested by indentation',
      Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
    ],
  ])('%s, and the paragraphs around them are formatted', (_, tangle) => {
    const { text, entities } = formatMarkdown(`**a**\n\n${tangle}\n\n**b**`);
    expect(text).toBe(`a\n\n${tangle}\n\nb`);
    expect(entities.map(({ type }) => type)).toEqual(['bold', 'bold']);
  });

  test('a long table, a rule of any length and a code block full of signs are not tangled', () => {
    const table = `| a | b |\n|---|---|\n${'| **x** | `y` |\n'.repeat(200)}`;
    const { text, entities } = formatMarkdown(`${table}\n${'-'.repeat(900)}\n\n~~~\n${'_*['.repeat(900)}\n~~~`);
    expect(entities.map(({ type }) => type)).toEqual(['pre', 'pre']);
    expect(text).toContain('\n\n———\n\n');
  });

  test('nesting under the bound is formatted', () => {
    expect(shown(`${'> '.repeat(40)}x`)).toEqual([`${'> '.repeat(39)}x`, `blockquote:${'> '.repeat(39)}x`]);
  });
});
