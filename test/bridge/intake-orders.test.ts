import { expect, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';

const allTaken = (world: World): Promise<boolean> =>
  world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
const answeredPresses = (world: World): string[] =>
  world.telegram.calls
    .filter(({ method }) => method === 'answerCallbackQuery')
    .map(({ params }) => String(params['callback_query_id']));

test('each press is one order, durable and answered; those of strangers and of unknown buttons are none', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const note = telegram.say({ text: 'a notice', from: { id: telegram.botId, is_bot: true } }).message_id;
  const first = telegram.press(note, 'order:rerun:41:1:3');
  const again = telegram.press(note, 'order:rerun:41:1:3');
  const old = telegram.press(note, 'order:dismiss:41:1:3', undefined, { isInaccessible: true });
  const unknown = telegram.press(note, 'something:else');
  const foreign = telegram.press(note, 'order:dismiss:41:1:3', 6);
  const elsewhere = telegram.say({ text: 'x', from: 6, chat: { id: -9, type: 'group' } }).message_id;
  const otherChat = telegram.press(elsewhere, 'order:dismiss:41:1:3', undefined, { chatId: -9 });
  const updateId = telegram.updatesWaiting[0]?.update_id ?? 0;
  const bot = await world.bot();
  await allTaken(world);
  const answered = [first, again, old, unknown].sort();
  await telegram.waitFor(() => answeredPresses(world).length >= answered.length);

  const orders = [first, again, old].map((id) => `c${id}.json`).sort();
  expect(world.names('spool', 'decisions')).toEqual(orders);
  expect(world.json('spool', 'decisions', `c${first}.json`)).toMatchObject({
    id: `c${first}`,
    verb: 'rerun',
    requestId: '41',
    run: 1,
    historyLength: 3,
    by: { name: 'Owner' },
  });
  expect(answeredPresses(world).sort()).toEqual(answered);
  expect(
    bot.events.filter(({ event }) => event === 'press of a stranger').map(({ callback, userId }) => [callback, userId]),
  ).toEqual([
    [foreign, 6],
    [otherChat, 7001],
  ]);
  telegram.rewind(updateId);
  await allTaken(world);
  expect(world.names('spool', 'decisions')).toEqual(orders);
});

test('/cancel is an order about the running request, or about the one that it answers, and about nothing else', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const request = telegram.say('/blog one').message_id;
  const plain = telegram.say('/cancel').message_id;
  const toRequest = telegram.say({ text: '/cancel@blog_bridge_bot', replyTo: request }).message_id;
  const talk = telegram.say('hello').message_id;
  const toTalk = telegram.say({ text: '/cancel', replyTo: talk }).message_id;
  telegram.say({ text: '/cancel', from: 6 });
  telegram.say({ text: '/cancel', forwardOrigin: { type: 'hidden_user', sender_user_name: 'X', date: 1 } });
  await world.bot();
  await allTaken(world);
  const spoken = await telegram.waitFor(({ botMessages }) => botMessages.find(({ replyTo }) => replyTo === toTalk));

  expect(world.names('spool', 'decisions')).toEqual([plain, toRequest].map((id) => `m${id}.json`).sort());
  expect(world.json('spool', 'decisions', `m${plain}.json`)).toMatchObject({
    verb: 'cancel',
    requestId: null,
    run: null,
    historyLength: null,
  });
  expect(world.json('spool', 'decisions', `m${toRequest}.json`)).toMatchObject({
    verb: 'cancel',
    requestId: String(request),
    run: 0,
    historyLength: 0,
  });
  expect(spoken?.text).toBe('There is no such request.');

  await world.consumer();
  await world.receiptWhen(request, ({ state, error }) => state === 'failed' && error?.code === 'cancelled');
  await world.eventually(() => (world.names('spool', 'decisions').length === 0 ? true : undefined), 'no order left');
  expect(world.json('state', 'decisions', `m${plain}.json`)).toMatchObject({
    outcome: { result: 'refused', reason: 'nothing-running' },
  });
  expect(world.json('state', 'decisions', `m${toRequest}.json`)).toMatchObject({ outcome: { result: 'applied' } });
});

test('a press that comes twice, late, or from others changes a request once', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['/bin/sh', '-c', 'exit 3'] } });
  const { telegram } = world;
  await world.bot();
  await world.consumer();
  const { message_id: id } = telegram.say('/blog one');
  const { notice } = await world.receiptWhen(id, (receipt) => receipt.notice?.state === 'sent');
  const data = `order:rerun:${id}:1:${world.receipt(id)?.history.length}`;
  telegram.press(notice?.messageId ?? 0, data, 6);
  const presses = [data, data, `order:rerun:${id}:1:1`].map((wish) => telegram.press(notice?.messageId ?? 0, wish));

  await telegram.waitFor(() => answeredPresses(world).length === presses.length);

  const receipt = await world.receiptWhen(id, ({ run, state }) => run === 2 && state === 'failed');
  expect(receipt.history.filter(({ state }) => state === 'submitted')).toHaveLength(2);
  const words = telegram.calls
    .filter(({ method }) => method === 'answerCallbackQuery')
    .map(({ params }) => params['text']);
  // On a slow machine the outcome is not known at once.
  expect(words.filter((text) => text === 'Running it again.').length).toBeLessThanOrEqual(1);
});
