import { Api } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type StandIn, openStandIn } from '../../src/stand-in/stand-in.ts';
import { chatKnownAs, lookAtWaiting, removeWebhook } from '../../src/telegram/waiting-messages.ts';

let telegram: StandIn;
const never = new AbortController().signal;
beforeEach(async () => {
  telegram = await openStandIn();
});
afterEach(() => telegram.close());

test('a look shows who wrote where, and confirms nothing, however often it is made', async () => {
  telegram.say({
    text: 'hello',
    from: { id: 7002, first_name: 'Mina', last_name: 'Kim' },
    chat: { id: -5, title: 'Desk' },
  });
  telegram.edit(telegram.say('/blog hello').message_id, '/blog hello there');
  for (let looks = 0; looks < 3; looks += 1) {
    expect(await lookAtWaiting(telegram, 0, never)).toMatchObject({
      kind: 'seen',
      isFull: false,
      sightings: [
        { chat: { id: -5, title: 'Desk' }, from: { id: 7002, name: 'Mina Kim', isBot: false }, movedTo: null },
        { chat: { id: 7001, type: 'private', title: 'Owner' }, from: { id: 7001 } },
      ],
    });
  }
  expect(telegram.updatesWaiting).toHaveLength(3);
  expect(telegram.confirmedOffset).toBeUndefined();
});

test('it asks for the kinds that the bot asks for, since Telegram remembers them', async () => {
  const { token, apiRoot } = telegram;
  await new Api(token, { apiRoot }).getUpdates({ allowed_updates: ['callback_query'] });
  await lookAtWaiting(telegram, 0, never);
  telegram.say('hello');
  expect(await lookAtWaiting(telegram, 0, never)).toMatchObject({ sightings: [{ from: { id: 7001 } }] });
});

test('a hundred waiting messages hide later ones, which is told', async () => {
  for (let count = 0; count < 101; count += 1) telegram.say(`line ${count}`);
  const look = await lookAtWaiting(telegram, 0, never);
  expect(look).toMatchObject({ kind: 'seen', isFull: true });
  expect(look.kind === 'seen' && look.sightings).toHaveLength(100);
});

test('another reader ends a look, and a webhook forbids it; a webhook is removed without what waits', async () => {
  const { token, apiRoot } = telegram;
  const other = new Api(token, { apiRoot });
  const look = lookAtWaiting(telegram, 20, never);
  await telegram.waitFor(({ isPolled }) => isPolled);
  await other.getUpdates({ timeout: 0 });
  expect(await look).toEqual({ kind: 'conflict' });

  telegram.say('/blog hello');
  await other.setWebhook('https://old.example.org:8443/secret');
  expect(await lookAtWaiting(telegram, 0, never)).toEqual({ kind: 'webhook' });
  expect(await removeWebhook(telegram)).toEqual({ host: 'old.example.org:8443', waiting: 1 });
  expect(await removeWebhook(telegram)).toBeNull();
  expect(telegram.updatesWaiting).toHaveLength(1);
});

test('a chat is known by its type and title, or not at all', async () => {
  telegram.say({ text: 'hello', chat: { id: -5, type: 'group', title: 'Desk' } });
  expect(await chatKnownAs(telegram, -5)).toEqual({ type: 'group', title: 'Desk' });
  expect(await chatKnownAs(telegram, -6)).toBeNull();
});
