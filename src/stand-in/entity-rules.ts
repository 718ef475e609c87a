/**
 * Rules for message entities. Telegram drops or repairs some of what is refused here; the stand-in refuses it, since
 * a sender that relies on such repairs has lost its formatting without knowing.
 */
import type { MessageEntity } from './bot-api.ts';
import { isObject } from './params.ts';
import { badRequest } from './refusal.ts';

export const MAX_ENTITIES = 100;

const KNOWN_TYPES = new Set(
  (
    'mention hashtag cashtag bot_command url email phone_number bold italic underline strikethrough spoiler ' +
    'blockquote expandable_blockquote code pre text_link text_mention custom_emoji date_time'
  ).split(' '),
);

export function decodeEntities(raw: unknown[]): MessageEntity[] {
  return raw.map((entity) => {
    if (!isObject(entity)) throw cannotParse('expected an Object');
    const { type, offset, length } = entity;
    if (typeof type !== 'string' || !KNOWN_TYPES.has(type)) throw cannotParse('unsupported type specified');
    if (!isCount(offset) || !isCount(length)) throw cannotParse('offset and length must be whole numbers');
    return { ...entity, type, offset, length };
  });
}

export function refuseBadEntities(text: string, entities: MessageEntity[]): void {
  for (const entity of entities) {
    refuseBadRange(text, entity);
    if (entity.type === 'text_link' && !isLink(entity.url)) throw cannotParse(`wrong URL ${entity.url ?? '(none)'}`);
    if (entity.type === 'custom_emoji' && entity.custom_emoji_id === undefined) throw cannotParse('no custom_emoji_id');
  }
  refuseBadNesting(entities);
}

function refuseBadRange(text: string, { type, offset, length }: MessageEntity): void {
  if (length === 0) throw cannotParse(`${type} at ${offset} is empty`);
  if (offset + length > text.length) throw cannotParse(`${type} at ${offset}+${length} ends after the text`);
  if (isInsidePair(text, offset)) throw badRequest('entity begins in a middle of a UTF-16 symbol');
  if (isInsidePair(text, offset + length)) throw badRequest('entity ends in a middle of a UTF-16 symbol');
}

/** `code` and `pre` hold nothing and stand in quotations only; links and quotations do not overlap their own kind. */
function refuseBadNesting(entities: MessageEntity[]): void {
  const sorted = entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  let open: MessageEntity[] = [];
  for (const entity of sorted) {
    open = open.filter(({ offset, length }) => offset + length > entity.offset);
    for (const other of open) {
      if (clash(entity, other)) throw cannotParse(`${entity.type} at ${entity.offset} overlaps ${other.type}`);
    }
    open.push(entity);
  }
}

const isCode = ({ type }: MessageEntity): boolean => type === 'code' || type === 'pre';
const isQuote = ({ type }: MessageEntity): boolean => type.endsWith('blockquote');
const MERGED = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler']);
const end = ({ offset, length }: MessageEntity): number => offset + length;

function clash(inner: MessageEntity, outer: MessageEntity): boolean {
  if (inner.type === outer.type) return !MERGED.has(inner.type);
  if (isQuote(inner) && isQuote(outer)) return true;
  if (!isCode(inner) && !isCode(outer)) return false;
  // Of two with the same range either may be called the outer one.
  const quote = isQuote(outer) ? outer : isQuote(inner) && end(inner) === end(outer) ? inner : undefined;
  return quote === undefined || inner.offset < quote.offset || end(inner) > end(quote);
}

/** Telegram wants a host with a dot in web links; `tg:` links name their own things. */
export function isLink(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol === 'tg:') return true;
  return (protocol === 'http:' || protocol === 'https:') && /^[^.]+(\.[^.]+)+\.?$/u.test(hostname);
}

function isInsidePair(text: string, at: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function cannotParse(why: string): Error {
  return badRequest(`can't parse entities: ${why}`);
}
