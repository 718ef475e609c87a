import type { EntityType, MessageEntity } from './formatted-text.ts';

/**
 * Makes marks from a tree fit for Telegram. Given: any two marks are disjoint or one holds the other. Kept so, and then:
 * none inside one of its own type; `code` and `pre` hold none and stand in none but a `blockquote`; no mark is empty or
 * begins or ends on white space (Bot API, MessageEntity; tdlib, are_entities_valid).
 */
export function lawfulEntities(text: string, marks: readonly MessageEntity[]): MessageEntity[] {
  // An outer mark is closed later than what it holds; from here on it comes first.
  const kept = withoutIllegalNesting(inOrder(marks.filter(({ length }) => length > 0).toReversed()));
  const fixed = kept.filter(isMonospace);
  const lawful = kept.flatMap((mark) => (isStyle(mark) ? piecesBetween(mark, fixed) : [mark]));
  return inOrder(lawful.flatMap((mark) => clipEntity(text, mark, 0, text.length) ?? []));
}

/** The part of an entity inside `start..end`, without the white space at its ends; undefined when nothing is left. */
export function clipEntity(text: string, entity: MessageEntity, start: number, end: number): MessageEntity | undefined {
  let first = Math.max(entity.offset, start);
  let last = Math.min(entity.offset + entity.length, end);
  while (first < last && isSpace(text, first)) first += 1;
  while (first < last && isSpace(text, last - 1)) last -= 1;
  return first < last ? { ...entity, offset: first, length: last - first } : undefined;
}

function isSpace(text: string, index: number): boolean {
  return /\s/u.test(text.charAt(index));
}

/** By offset, the longer first; two that cover the same stay as they are. */
function inOrder(entities: readonly MessageEntity[]): MessageEntity[] {
  return entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
}

function withoutIllegalNesting(sorted: readonly MessageEntity[]): MessageEntity[] {
  const around: MessageEntity[] = [];
  return sorted.filter((mark) => {
    while (around.length > 0 && !reaches(around.at(-1), mark)) around.pop();
    const types: EntityType[] = around.map((outer) => outer.type);
    // A target is worth more than a font.
    if (types.includes(mark.type) || (isMonospace(mark) && types.includes('text_link'))) return false;
    around.push(mark);
    return true;
  });
}

function reaches(outer: MessageEntity | undefined, inner: MessageEntity): boolean {
  return outer !== undefined && outer.offset + outer.length > inner.offset;
}

function isMonospace({ type }: MessageEntity): boolean {
  return type === 'code' || type === 'pre';
}

function isStyle({ type }: MessageEntity): boolean {
  return type === 'bold' || type === 'italic' || type === 'strikethrough';
}

/** `fixed` is sorted and its members are disjoint. */
function piecesBetween(mark: MessageEntity, fixed: readonly MessageEntity[]): MessageEntity[] {
  const end = mark.offset + mark.length;
  const pieces: MessageEntity[] = [];
  let from = mark.offset;
  for (let index = firstFrom(fixed, mark.offset); index < fixed.length; index += 1) {
    const hole = fixed[index];
    if (hole === undefined || hole.offset >= end) break;
    pieces.push({ ...mark, offset: from, length: hole.offset - from });
    from = hole.offset + hole.length;
  }
  pieces.push({ ...mark, offset: from, length: end - from });
  return pieces;
}

function firstFrom(sorted: readonly MessageEntity[], offset: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.offset ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
