import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Saying } from '../../src/stand-in/person.ts';
import { type World, openWorld } from '../harness/bridge.ts';

const allTaken = (world: World): Promise<boolean> =>
  world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
const stored = (world: World, id: number): Promise<true> =>
  world.eventually(
    () => (existsSync(world.path('spool', 'requests', `${id}.json`)) ? true : undefined),
    `request ${id}`,
  );
const answersTo = (world: World, id: number): (string | undefined)[] =>
  world.telegram.botMessages.filter(({ replyTo }) => replyTo === id).map(({ text }) => text);

test('in a private chat each kind of message becomes a request, or is answered, or is passed over', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const bot = await world.bot();
  const forwardOrigin = { type: 'hidden_user', sender_user_name: 'X', date: 1 };
  const rows: [string | Saying, 'request' | RegExp | null][] = [
    ['/blog write about the sea', 'request'],
    [{ caption: '/blog 바다', photo: true }, 'request'],
    [{ caption: '/BLOG@Blog_Bridge_Bot report', document: true }, 'request'],
    ['/blog@OtherBot x', null],
    ['/blogger x', null],
    ['/blog', /^Write what you want/u],
    ['/blog안녕', /^Write what you want/u],
    [{ text: '/blog hi', entities: [{ type: 'code', offset: 0, length: 8 }] }, /^To start/u],
    [{ text: '/blog delete all', forwardOrigin }, /no order/u],
    ['hello', /^To start/u],
    ['/help', /^Write \/blog/u],
    ['/status', /consumer does not run/u],
    [{ raw: { poll: { id: '1', question: 'q' } } }, /cannot be passed on/u],
    [{ raw: { location: { latitude: 1, longitude: 2 } } }, /cannot be passed on/u],
    [{ raw: { paid_media: { star_count: 1, paid_media: [] } } }, /cannot be passed on/u],
    [{ sticker: true }, /^To start/u],
    [{ voice: true }, /^To start/u],
    [{ raw: { pinned_message: { message_id: 1, date: 0, chat: { id: 7001, type: 'private' } } } }, null],
    [{ text: '/blog x', from: 7002, chat: { id: 7002 } }, null],
  ];
  const said = rows.map(([saying, expected]) => ({ expected, id: telegram.say(saying).message_id, saying }));
  telegram.push({ channel_post: { message_id: 900, date: 1, chat: { id: -9, type: 'channel' }, text: '/blog x' } });
  telegram.push({ message: { message_id: 901, date: 1, chat: { id: 7001, type: 'private' }, text: '/blog x' } });
  await allTaken(world);
  const answers = said.filter(({ expected }) => expected instanceof RegExp);
  await telegram.waitFor(() => answers.every(({ id }) => answersTo(world, id).length > 0));

  const requests = said.filter(({ expected }) => expected === 'request');
  expect(world.names('spool', 'requests')).toEqual(requests.map(({ id }) => `${id}.json`));
  for (const { id, expected, saying } of said) {
    const shape = expected instanceof RegExp ? [expect.stringMatching(expected)] : [];
    expect({ saying, answers: answersTo(world, id) }).toEqual({ saying, answers: shape });
  }
  expect(telegram.botMessages).toHaveLength(answers.length);
  const photo = world.request(requests[1]?.id ?? 0);
  expect(photo).toMatchObject({ text: '바다', attachments: [{ kind: 'photo', mime: 'image/jpeg' }] });
  expect(bot.events).toContainEqual(
    expect.objectContaining({ event: expect.stringContaining('not in telegram.userIds'), userId: 7002 }),
  );
  expect(world.telegram.accepted('getFile')).toEqual([]);
});

test('in a forum nobody is answered unasked, topics are kept, and their creation is no message that one replies to', async () => {
  const world = await openWorld({ standIn: { firstMessageId: 41, chat: { id: -1001, type: 'supergroup' } } });
  const { telegram } = world;
  const topic = telegram.openTopic('sea');
  const inTopic = telegram.say({ text: '/blog in the topic', threadId: topic }).message_id;
  const talk = telegram.say({ text: 'hello', threadId: topic }).message_id;
  const general = telegram.say('/blog in general').message_id;
  const thread = telegram.say({ text: '/blog in a thread of replies', raw: { message_thread_id: 900 } }).message_id;
  telegram.say({ text: '/blog x', from: 6 });
  telegram.say({
    text: '/blog x',
    from: { id: 1087968824, is_bot: true },
    raw: { sender_chat: { id: -1001, type: 'supergroup' } },
  });
  telegram.say({ text: '/blog x', raw: { sender_chat: { id: -7, type: 'channel' } } });
  telegram.say({
    text: '/blog x',
    from: { id: 777000 },
    raw: { is_automatic_forward: true, sender_chat: { id: -7, type: 'channel' } },
  });
  const usage = telegram.say({ text: '/blog', threadId: topic }).message_id;
  await world.bot();
  await allTaken(world);
  await telegram.waitFor(() => answersTo(world, usage).length > 0);

  expect(world.names('spool', 'requests')).toEqual([inTopic, general, thread].map((id) => `${id}.json`));
  expect([inTopic, general, thread].map((id) => world.request(id).threadId)).toEqual([topic, null, null]);
  expect(world.request(inTopic)).toMatchObject({ kind: 'blog', replyTo: null });
  expect(answersTo(world, talk)).toEqual([]);
  expect(telegram.botMessages).toHaveLength(1);
  expect(telegram.calls.find(({ method }) => method === 'sendMessage')?.params).toMatchObject({
    message_thread_id: topic,
  });
});

test('an edit never repeats or changes a request, nor makes one; the person is told to reply', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const request = telegram.say('/blog one').message_id;
  const talk = telegram.say({ text: 'hello', raw: { text: 'hello' } }).message_id;
  await world.bot();
  await stored(world, request);
  telegram.edit(request, '/blog two');
  telegram.edit(talk, '/blog hello');
  await allTaken(world);
  await telegram.waitFor(() => answersTo(world, request).length > 0 && answersTo(world, talk).length > 1);

  expect(world.names('spool', 'requests')).toEqual([`${request}.json`]);
  expect(world.request(request)).toMatchObject({ text: 'one' });
  expect(answersTo(world, request)).toEqual([expect.stringContaining('edit changes nothing')]);
  expect(answersTo(world, talk).at(-1)).toContain('edit changes nothing');
});
