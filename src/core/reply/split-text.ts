import { isBlank } from './clean-text.ts';
import { cutPoint } from './cut-point.ts';
import { clipEntity } from './entity-rules.ts';
import type { FormattedText, MessageEntity } from './formatted-text.ts';

/** Bot API, sendMessage: 4096 UTF-16 units after the entities are parsed. */
const TEXT_UNITS = 4096;
/** Telegram silently drops the entities beyond. */
const ENTITIES = 100;

/**
 * Cuts a text into messages of at most `limitUnits` UTF-16 units and 100 entities. The parts joined are the text, but
 * for parts that would show nothing, which Telegram refuses. An entity that is cut goes on in the next part. Grapheme
 * clusters stay whole unless one is longer than the limit; code points stay whole always.
 */
export function splitText({ text, entities }: FormattedText, limitUnits: number = TEXT_UNITS): FormattedText[] {
  const parts: FormattedText[] = [];
  let open = entities;
  for (let start = 0; start < text.length; ) {
    const from = start;
    open = open.filter((entity) => entity.offset + entity.length > from);
    const end = Math.min(start + limitUnits, entityLimit(open, start), text.length);
    const cut = end === text.length ? end : cutPoint(text, start, end, blocksBefore(end, open));
    if (!isBlank(text.slice(start, cut))) parts.push(partOf(text, open, start, cut));
    start = cut;
  }
  return parts;
}

/** Where the entity begins that would be one too many. */
function entityLimit(open: readonly MessageEntity[], start: number): number {
  return open.find((entity, index) => index >= ENTITIES && entity.offset > start)?.offset ?? Infinity;
}

function blocksBefore(end: number, open: readonly MessageEntity[]): MessageEntity[] {
  return open.filter(({ type, offset }) => offset < end && (type === 'pre' || type === 'blockquote'));
}

function partOf(text: string, open: readonly MessageEntity[], start: number, end: number): FormattedText {
  const entities: MessageEntity[] = [];
  for (const entity of open) {
    if (entity.offset >= end) break;
    const clipped = clipEntity(text, entity, start, end);
    if (clipped !== undefined) entities.push({ ...clipped, offset: clipped.offset - start });
  }
  return { text: text.slice(start, end), entities: entities.slice(0, ENTITIES) };
}
