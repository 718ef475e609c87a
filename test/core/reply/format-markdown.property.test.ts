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
      const { words, targets } = visibleIn(cleanText(source));
      expectLawful(formatted);
      expect(missingWords(words, formatted)).toEqual([]);
      expect(missingTargets(targets, formatted)).toEqual([]);
      for (const { target, alt, offset, length } of formatted.images) {
        const shown = formatted.text.slice(offset, offset + length);
        expect(shown).toContain(target);
        expect(shown.startsWith(alt.split(/\s/u)[0] ?? '')).toBe(true);
      }
    }),
    { numRuns: 2_500 },
  );
}, 240_000);

function missingWords(words: readonly string[], { text }: FormattedText): string[] {
  let from = 0;
  return words.filter((word) => {
    const at = text.indexOf(word, from);
    if (at >= 0) from = at + word.length;
    return at < 0;
  });
}

function missingTargets(targets: readonly string[], { text, entities }: FormattedText): string[] {
  return targets.filter((target) => {
    // GFM finds addresses in plain words, and adds the scheme that they lack.
    const forms = [target, target.replace(/^(?:mailto:|http:\/\/(?=www\.))/u, '')];
    return !forms.some((form) => text.includes(form)) && !entities.some(({ url }) => url === target);
  });
}
