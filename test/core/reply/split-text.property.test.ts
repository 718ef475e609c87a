import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBlank } from '../../../src/core/reply/clean-text.ts';
import { formatMarkdown } from '../../../src/core/reply/format-markdown.ts';
import type { FormattedText } from '../../../src/core/reply/formatted-text.ts';
import { splitText } from '../../../src/core/reply/split-text.ts';
import { expectLawful } from './entity-laws.ts';
import { markdown } from './markdown-arbitrary.ts';

const SEGMENTER = new Intl.Segmenter();

test('of any Markdown, the parts joined are the text, each within the limits, each character as it was marked', () => {
  fc.assert(
    fc.property(markdown(), fc.integer({ min: 32, max: 120 }), (source, limit) => {
      const formatted = formatMarkdown(source);
      const parts = splitText(formatted, limit);
      for (const part of parts) {
        expectLawful(part);
        expect(isBlank(part.text)).toBe(false);
      }
      expect(Math.max(0, ...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(limit);
      expect(parts.length).toBeLessThanOrEqual(1 + Math.floor(formatted.text.length / (limit / 2)));
      expect(parts.flatMap(markedCharacters)).toEqual(markedCharacters(formatted));
      expect(cutClusters(formatted.text, parts)).toEqual([]);
    }),
    { numRuns: 2_500 },
  );
}, 240_000);

test('any string at all is formatted and split without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 2, max: 20 }), (source, limit) => {
      for (const part of splitText(formatMarkdown(source), limit)) {
        expectLawful(part);
        expect(part.text.length).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 2000 },
  );
});

/** Each visible character with all that is marked on it. */
function markedCharacters({ text, entities }: FormattedText): string[] {
  const marked = Array.from({ length: text.length }, (_, at) => `${text.charAt(at)} `);
  for (const { type, offset, length, url, language } of entities) {
    for (let at = offset; at < offset + length; at += 1) marked[at] += `${type} ${url ?? ''} ${language ?? ''};`;
  }
  return marked.filter((character) => !isBlank(character.charAt(0)));
}

function cutClusters(text: string, parts: readonly FormattedText[]): string[] {
  const starts = new Set([text.length, ...Array.from(SEGMENTER.segment(text), ({ index }) => index)]);
  let end = 0;
  return parts.flatMap((part) => {
    const start = text.indexOf(part.text, end);
    end = start + part.text.length;
    return starts.has(start) && starts.has(end) ? [] : [part.text];
  });
}
