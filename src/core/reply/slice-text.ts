import type { FormattedText } from './formatted-text.ts';

/** The text from `from` up to `to` (UTF-16 units), without white space at its ends, its entities cut to fit. */
export function sliceText({ text, entities }: FormattedText, from: number, to: number): FormattedText {
  const raw = text.slice(from, to);
  const start = from + (raw.length - raw.trimStart().length);
  const end = Math.max(start, from + raw.trimEnd().length);
  return {
    text: text.slice(start, end),
    entities: entities.flatMap((entity) => {
      const offset = Math.max(entity.offset, start);
      const length = Math.min(entity.offset + entity.length, end) - offset;
      return length > 0 ? [{ ...entity, offset: offset - start, length }] : [];
    }),
  };
}
