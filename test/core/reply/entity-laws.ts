import { expect } from 'vitest';
import type { FormattedText, MessageEntity } from '../../../src/core/reply/formatted-text.ts';

/** Expects what Telegram asks of text and entities (Bot API, MessageEntity; tdlib, are_entities_valid). */
export function expectLawful(formatted: FormattedText): void {
  expect(breachesOf(formatted)).toEqual([]);
}

function breachesOf({ text, entities }: FormattedText): string[] {
  const breaches: string[] = [];
  const law = (holds: boolean, breach: string): void => void (holds || breaches.push(breach));
  law(!/\p{Surrogate}/u.test(text), 'a lone surrogate');
  law(!/[^\P{Control}\n\t]/u.test(text), 'a control character');
  const around: MessageEntity[] = [];
  for (const [index, entity] of entities.entries()) {
    const { type, offset, length, url } = entity;
    const name = `${type} at ${offset}+${length}`;
    const words = text.slice(offset, offset + length);
    law(offset >= 0 && length > 0 && words.length === length, `${name} out of range`);
    law(words === words.trim(), `${name} borders on white space`);
    law(!/\p{Surrogate}/u.test(words), `${name} cuts a surrogate pair`);
    law((url !== undefined) === (type === 'text_link'), `${name} with url ${url}`);
    const before = entities[index - 1];
    const inOrder =
      before === undefined || before.offset < offset || (before.offset === offset && before.length >= length);
    law(inOrder, `${name} out of order`);
    while (around.length > 0 && endOf(around.at(-1)) <= offset) around.pop();
    for (const outer of around) law(mayHold(outer, entity), `${outer.type} holds ${name}`);
    around.push(entity);
  }
  return breaches;
}

function mayHold(outer: MessageEntity, inner: MessageEntity): boolean {
  if (endOf(inner) > endOf(outer) || outer.type === inner.type) return false;
  if (outer.type === 'code' || outer.type === 'pre') return false;
  if (inner.type === 'code' || inner.type === 'pre') return outer.type === 'blockquote';
  return inner.type !== 'blockquote' || outer.type !== 'text_link';
}

function endOf(entity: MessageEntity | undefined): number {
  return entity === undefined ? 0 : entity.offset + entity.length;
}
