import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';

const allTaken = (world: World): Promise<boolean> =>
  world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
const stored = (world: World, id: number): Promise<true> =>
  world.eventually(
    () => (existsSync(world.path('spool', 'requests', `${id}.json`)) ? true : undefined),
    `request ${id}`,
  );
const writeLink = (world: World, botMessageId: number, link: object): void => {
  mkdirSync(world.path('state', 'links'), { recursive: true });
  writeFileSync(world.path('state', 'links', `${botMessageId}.json`), JSON.stringify({ version: 1, ...link }));
};

test('a reply goes on with the conversation of the message that it answers, of the bot or of a person', async () => {
  const world = await openWorld();
  const { telegram } = world;
  await world.bot();
  const opening = telegram.say('/blog one').message_id;
  await stored(world, opening);
  const answer = telegram.say({ text: 'an answer', from: { id: telegram.botId, is_bot: true } }).message_id;
  writeLink(world, answer, { requestId: String(opening), conversation: String(opening) });
  const toAnswer = telegram.say({ text: 'shorter', replyTo: answer }).message_id;
  const toRequest = telegram.say({ text: 'and warmer', replyTo: toAnswer }).message_id;
  const picture = telegram.say({ photo: true, replyTo: opening }).message_id;
  const anew = telegram.say({ text: '/blog another one', replyTo: answer }).message_id;
  await stored(world, anew);

  const parts = { kind: 'reply', conversation: String(opening) };
  expect(world.request(toAnswer)).toMatchObject({
    ...parts,
    text: 'shorter',
    replyTo: { messageId: answer, requestId: String(opening), text: 'an answer' },
  });
  expect(world.request(toRequest)).toMatchObject({
    ...parts,
    replyTo: { messageId: toAnswer, requestId: String(toAnswer), text: 'shorter' },
  });
  expect(world.request(picture)).toMatchObject({ ...parts, text: '', attachments: [{ kind: 'photo' }] });
  expect(world.request(anew)).toMatchObject({ kind: 'blog', conversation: String(anew), text: 'another one' });
});

test('a reply to a message whose link is not there yet waits for it, and holds up nothing', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const opening = telegram.say('/blog one').message_id;
  const answer = telegram.say({ text: 'an answer', from: { id: telegram.botId, is_bot: true } }).message_id;
  const reply = telegram.say({ text: 'shorter', replyTo: answer }).message_id;
  const lost = telegram.say({
    text: 'and this?',
    replyTo: telegram.say({ text: 'x', from: { id: telegram.botId, is_bot: true } }).message_id,
  }).message_id;
  const later = telegram.say('/blog later').message_id;
  await world.bot();
  await stored(world, later);
  expect(world.names('spool', 'requests')).toEqual([`${opening}.json`, `${later}.json`]);
  expect(telegram.updatesWaiting.length).toBeGreaterThan(0);

  writeLink(world, answer, { requestId: String(opening), conversation: String(opening) });

  await stored(world, reply);
  expect(world.request(reply)).toMatchObject({ kind: 'reply', conversation: String(opening) });
  const hint = await telegram.waitFor(({ botMessages }) => botMessages.find(({ replyTo }) => replyTo === lost));
  expect(hint?.text).toContain('To start');
  expect(world.names('spool', 'requests')).toHaveLength(3);
});

test('/blog in reply to any message takes its words and pictures along, marked as quoted', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const forwarded = telegram.say({
    caption: 'a found text',
    photo: true,
    forwardOrigin: { type: 'hidden_user', sender_user_name: 'X', date: 1 },
  }).message_id;
  const stranger = telegram.say({ text: 'words of another', from: 6 }).message_id;
  const quoting = telegram.say({ text: '/blog', replyTo: forwarded }).message_id;
  const asking = telegram.say({
    text: '/blog answer this',
    replyTo: stranger,
    photo: true,
    raw: { text: undefined, caption: '/blog answer this' },
  }).message_id;
  await world.bot();
  await allTaken(world);

  expect(world.names('spool', 'requests')).toEqual([`${quoting}.json`, `${asking}.json`]);
  expect(world.request(quoting)).toMatchObject({
    kind: 'blog',
    text: '',
    replyTo: { messageId: forwarded, requestId: null, text: 'a found text' },
    attachments: [{ kind: 'photo', quoted: true }],
  });
  expect(world.request(asking)).toMatchObject({
    text: 'answer this',
    replyTo: { text: 'words of another' },
    attachments: [{ kind: 'photo' }],
  });
  expect(world.request(asking).attachments[0]).not.toHaveProperty('quoted');
});

test('a reply goes on with its conversation where a hand has damaged the request file, since the receipt knows it', async () => {
  const world = await openWorld();
  const { telegram } = world;
  await world.bot();
  await world.consumer();
  const opening = telegram.say('/blog one').message_id;
  await world.settled(opening);
  writeFileSync(world.path('spool', 'requests', `${opening}.json`), '');

  const reply = telegram.say({ text: 'shorter', replyTo: opening }).message_id;
  await stored(world, reply);

  expect(world.request(reply)).toMatchObject({ kind: 'reply', conversation: String(opening), text: 'shorter' });
});

test('a dozen replies that wait for their links at once leave nothing in the log but its lines', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const answers = Array.from(
    { length: 12 },
    () => telegram.say({ text: 'an answer', from: { id: telegram.botId, is_bot: true } }).message_id,
  );
  for (const answer of answers) telegram.say({ text: 'shorter', replyTo: answer });

  const bot = await world.bot();
  await allTaken(world);

  const lines = bot.stderr.trimEnd().split('\n');
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
});
