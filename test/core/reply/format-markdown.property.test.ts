import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from '../../../src/core/reply/clean-text.ts';
import { formatMarkdown } from '../../../src/core/reply/format-markdown.ts';
import type { FormattedText } from '../../../src/core/reply/formatted-text.ts';
import { expectLawful } from './entity-laws.ts';
import { markdown } from './markdown-arbitrary.ts';
import { visibleIn } from './visible-words.ts';

test('of any Markdown, the entities keep Telegram’s laws and every visible word and target is there, in order', () => {
  fc.assert(
    fc.property(markdown(), (source) => {
      const formatted = formatMarkdown(source);
      expectLawful(formatted);
      expect(missingWords(source, formatted)).toEqual([]);
      expect(missingTargets(source, formatted)).toEqual([]);
      for (const { target, alt, offset, length } of formatted.images) {
        const words = formatted.text.slice(offset, offset + length);
        expect(words).toContain(target);
        expect(words.startsWith(alt.split(/\s/u)[0] ?? '')).toBe(true);
      }
    }),
    { numRuns: 10_000 },
  );
}, 240_000);

function missingWords(source: string, { text }: FormattedText): string[] {
  let from = 0;
  return visibleIn(cleanText(source)).words.filter((word) => {
    const at = text.indexOf(word, from);
    if (at >= 0) from = at + word.length;
    return at < 0;
  });
}

function missingTargets(source: string, { text, entities }: FormattedText): string[] {
  return visibleIn(cleanText(source)).targets.filter((target) => {
    // GFM finds addresses in plain words, and adds the scheme that they lack.
    const forms = [target, target.replace(/^(?:mailto:|http:\/\/(?=www\.))/u, '')];
    return !forms.some((form) => text.includes(form)) && !entities.some(({ url }) => url === target);
  });
}
