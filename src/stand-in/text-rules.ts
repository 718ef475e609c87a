/** Telegram's rules for texts and captions (https://core.telegram.org/bots/api#messageentity); lengths in UTF-16 units. */
import type { MessageEntity } from './bot-api.ts';
import { decodeEntities, MAX_ENTITIES, refuseBadEntities } from './entity-rules.ts';
import { badRequest } from './refusal.ts';

export interface FormattedText {
  text: string;
  entities: MessageEntity[];
}

/** The text as Telegram stores it: checked, cleaned, trimmed, its entities moved along. `warn` hears of what was dropped. */
export function readText(text: string, entities: unknown[] | undefined, warn: (words: string) => void): FormattedText {
  const stored = readFormatted(text, entities, warn);
  if (isBlank(stored.text)) throw badRequest('message text is empty');
  if (stored.text.length > 4096) throw badRequest('message is too long');
  return stored;
}

export function readCaption(
  text: string,
  entities: unknown[] | undefined,
  warn: (words: string) => void,
): FormattedText {
  const stored = readFormatted(text, entities, warn);
  if (stored.text.length > 1024) throw badRequest('message caption is too long');
  return stored;
}

function readFormatted(text: string, raw: unknown[] | undefined, warn: (words: string) => void): FormattedText {
  if (/\p{Surrogate}/u.test(text)) throw badRequest('strings must be encoded in UTF-8');
  const given = decodeEntities(raw ?? []);
  refuseBadEntities(text, given);
  if (given.length > MAX_ENTITIES) warn(`${given.length} entities, only the first ${MAX_ENTITIES} are kept`);
  return trim(clean({ text, entities: given.slice(0, MAX_ENTITIES) }));
}

/** Carriage returns go, other control characters become spaces. */
function clean({ text, entities }: FormattedText): FormattedText {
  const before = (at: number): number => at - (text.slice(0, at).split('\r').length - 1);
  const moved = entities.map((entity) => {
    const offset = before(entity.offset);
    return { ...entity, offset, length: before(entity.offset + entity.length) - offset };
  });
  // oxlint-disable-next-line no-control-regex -- these are the characters that Telegram replaces
  return { text: text.replaceAll('\r', '').replaceAll(/[\u0000-\u0009\u000B-\u001F]/gu, ' '), entities: moved };
}

function trim({ text, entities }: FormattedText): FormattedText {
  const kept = text.replace(/[ \n]+$/u, '');
  const cut = kept.length - kept.replace(/^[ \n]+/u, '').length;
  const end = kept.length;
  const inside = entities.flatMap((entity) => {
    const from = Math.max(entity.offset, cut);
    const to = Math.min(entity.offset + entity.length, end);
    return to > from ? [{ ...entity, offset: from - cut, length: to - from }] : [];
  });
  return { text: kept.slice(cut), entities: inside };
}

/** Nothing that a person could see, such as zero-width spaces only. */
function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
