import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { preferredLanguage } from '../../src/web/accept-language.ts';
import { escaped, html } from '../../src/web/html.ts';
import { replyHtml } from '../../src/web/reply-html.ts';

test('no text that is put into a template can be markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inside = html`<p title="${text}">${[text, null, false]}</p>`.text.slice(
        '<p title="'.length,
        -'</p>'.length,
      );
      expect(inside.replaceAll('">', '')).not.toMatch(/[<>"']/u);
    }),
  );
});

test('what a template made is taken as it is, and lists are joined', () => {
  expect(html`<ul>${[1, 2].map((one) => html`<li>${one}</li>`)}</ul>`.text).toBe('<ul><li>1</li><li>2</li></ul>');
});

test('control characters are shown as such, lines and tabs kept', () => {
  expect(escaped('a\0b\u001Bc\n\td')).toBe('a\uFFFDb\uFFFDc\n\td');
});

test('of a reply no character is lost, whatever its entities say', () => {
  const types = ['bold', 'italic', 'strikethrough', 'code', 'text_link'] as const;
  const entity = fc.record({
    type: fc.constantFrom(...types),
    offset: fc.integer({ min: -3, max: 40 }),
    length: fc.integer({ min: -3, max: 40 }),
    url: fc.constantFrom('https://example.org/', 'javascript:alert(1)'),
  });
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z ]{0,40}$/u), fc.array(entity, { maxLength: 8 }), (text, entities) => {
      const made = replyHtml({ text, entities }).text;
      expect(made.replaceAll(/<[^>]*>/gu, '')).toBe(text);
      expect(made).not.toContain('javascript');
    }),
  );
});

test('entities nest, and blocks keep no empty lines around them', () => {
  const text = 'bold code\n\ntable\n\nend';
  const entities = [
    { type: 'bold' as const, offset: 0, length: 9 },
    { type: 'code' as const, offset: 5, length: 4 },
    { type: 'pre' as const, offset: 11, length: 5 },
  ];

  expect(replyHtml({ text, entities }).text).toBe('<b>bold <code>code</code></b><pre>table</pre>end');
});

test.for([
  [undefined, 'en'],
  ['', 'en'],
  ['ko', 'ko'],
  ['ko-KR,ko;q=0.9,en-US;q=0.8', 'ko'],
  ['en-GB,en;q=0.9,ko;q=0.8', 'en'],
  ['fr,ko;q=0.1', 'ko'],
  ['ko;q=0, fr', 'en'],
  ['ko;q=x', 'en'],
  [',ko;q=0.1'.repeat(100_000), 'ko'],
] as const)('of %.40s the page is in %s', ([header, language]) => {
  expect(preferredLanguage(header)).toBe(language);
});
