import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorld } from '../harness/bridge.ts';

const chat = { id: 7001, type: 'private' };
const from = { id: 7001, is_bot: false, first_name: 'Owner' };
const message = { message_id: 900, date: 1_800_000_000, chat, from, text: '/blog x' };

test('an update that cannot be digested is kept as it came, told of, and then confirmed, and stops nothing', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const bot = await world.bot();
  const odd: Record<string, unknown>[] = [
    { message: null },
    { message: 'text' },
    { message: { ...message, message_id: '900' } },
    { message: { ...message, message_id: -4 } },
    { message: { ...message, date: 1e15 } },
    { message: { ...message, date: 1e15, text: `/blog ${'x'.repeat(4_090)}` } },
    { message: { ...message, entities: 'none' } },
    { message: { ...message, from: { ...from, first_name: 7 } } },
    { message: { ...message, from: { ...from, language_code: 7 } } },
    { message: { ...message, photo: [{ file_id: 7 }] } },
    { message: { ...message, document: { file_id: 'a', file_unique_id: 'b', file_size: -1 } } },
    { edited_message: { ...message, text: {} } },
    { callback_query: { id: '../../../evil', from, message, data: 'order:cancel:41:1:1' } },
    { callback_query: { id: '7', from, message: null, data: 'x' } },
  ];
  const ids = odd.map((update) => telegram.push(update).update_id);
  const { message_id: later } = telegram.say('/blog later');
  await telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

  expect(world.names('spool', 'unread')).toEqual(ids.map((id) => `${id}.json`));
  expect(world.json('spool', 'unread', `${ids[3]}.json`)).toMatchObject({
    update: { update_id: ids[3], message: { message_id: -4, text: '/blog x' } },
  });
  expect(world.names('spool', 'requests')).toEqual([`${later}.json`]);
  expect(world.names('spool', 'decisions')).toEqual([]);
  expect(existsSync(world.path('..', 'evil.json'))).toBe(false);
  await telegram.waitFor(({ botMessages }) =>
    ids.every((id) => botMessages.some(({ text }) => text?.includes(`unread/${id}.json`))),
  );
  expect(bot.events.filter(({ event }) => event === 'update could not be read; kept in spool/unread')).toHaveLength(
    odd.length,
  );
});

test('updates with fields that nobody knows, also __proto__, are taken for what they are', async () => {
  const world = await openWorld();
  const { telegram } = world;
  await world.bot();
  const pollution: object = JSON.parse(
    '{"__proto__": {"isAdmin": true, "text": "/blog polluted"}, "constructor": {"prototype": {"x": 1}}, "toString": 1}',
  );
  telegram.push({ message: { ...pollution, ...message, message_id: 901, rich: { deep: [[[]]] } } });
  for (const kind of ['poll', 'my_chat_member', 'something_new']) telegram.push({ [kind]: { chat, from, date: 1 } });
  await telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

  expect(world.names('spool', 'unread')).toEqual([]);
  expect(world.names('spool', 'requests')).toEqual(['901.json']);
  expect(world.request(901)).toMatchObject({ text: 'x' });
  expect(Object.keys(world.request(901))).not.toContain('__proto__');
});

test('a group that became a supergroup ends the bot with 78 before anything later is confirmed, and is told there', async () => {
  const world = await openWorld({ standIn: { firstMessageId: 41, chat: { id: -500, type: 'group' } } });
  const { telegram } = world;
  const { message_id: before } = telegram.say('/blog before');
  telegram.upgradeToSupergroup(-100_500);
  const after = telegram.say({ text: '/blog after', chat: -100_500 });

  const { code, stderr } = await world.command('bot');

  expect(code).toBe(78);
  for (const words of ['-500', '-100500', 'telegram.chatId', 'blog-bridge rebind']) expect(stderr).toContain(words);
  expect(world.names('spool', 'requests')).toEqual([`${before}.json`]);
  expect(telegram.updatesWaiting.map((update) => update.message?.message_id)).toContain(after.message_id);
  expect(telegram.updatesWaiting.length).toBeGreaterThanOrEqual(3);
  expect(
    telegram
      .messagesOf(-100_500)
      .filter(({ fromBot }) => fromBot)
      .map(({ text }) => text),
  ).toEqual([expect.stringContaining('-100500')]);

  // Started again, by hand or by a service manager, it ends in the same way and does not say it again.
  expect((await world.command('bot')).code).toBe(78);
  expect(telegram.messagesOf(-100_500).filter(({ fromBot }) => fromBot)).toHaveLength(1);
});

test('another group that became a supergroup is no concern of this home', async () => {
  const world = await openWorld();
  world.telegram.push({
    message: { ...message, chat: { id: -9, type: 'group' }, text: undefined, migrate_to_chat_id: -1009 },
  });
  const { message_id: id } = world.telegram.say('/blog one');
  await world.bot();

  await world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

  expect(world.names('spool', 'requests')).toEqual([`${id}.json`]);
});
