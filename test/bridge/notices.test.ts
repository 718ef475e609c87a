/** A person hears of each bad end once, with the buttons that decide it, and what a press does. */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask, buttonsOf, isOver, noticesOf, openDesk, runsOf } from '../harness/consumer-desk.ts';

const isNotice = ({ text }: Record<string, unknown>): boolean => String(text).startsWith('Request');

test('a notice that certainly did not arrive is sent again, also after a restart; one that may have arrived never', async () => {
  const world = await openDesk();
  const refused = world.telegram.fault(
    { method: 'sendMessage', when: isNotice, times: 2 },
    { refuse: { code: 403, description: 'Forbidden: no' } },
  );
  const first = await world.consumer();
  const id = ask(world, 'fail', { messageId: 100 });
  // The first pause between two tries is 5 s: looks come and go meanwhile, and none of them says anything more.
  await world.telegram.waitFor(() => refused.hits === 2);
  const reactions = world.telegram.calls.filter(
    ({ method, params }) => method === 'setMessageReaction' && params['message_id'] === 100,
  );
  expect(reactions.length).toBeLessThanOrEqual(3);
  await world.receiptWhen(id, ({ notice }) => notice?.state === 'waiting');
  expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  const second = await world.consumer();
  expect(await world.receiptWhen(id, isOver)).toMatchObject({ notice: { for: 'failed', state: 'sent' } });
  world.telegram.fault({ method: 'sendMessage', when: isNotice }, { reset: 'after' });
  const doubtful = ask(world, 'fail', { messageId: 200 });
  expect(await world.receiptWhen(doubtful, isOver)).toMatchObject({ notice: { state: 'unknown', messageId: null } });
  await second.kill('SIGTERM');
  await world.consumer();
  await world.settled(ask(world, 'short', { messageId: 300 }));

  expect([noticesOf(world, id), noticesOf(world, doubtful)].map((notices) => notices.map(buttonsOf))).toEqual([
    [['rerun', 'dismiss']],
    [['rerun', 'dismiss']],
  ]);
});

test('the buttons of an interrupted run decide it; a press is answered in words, shown under the notice, and counts once', async () => {
  const world = await openDesk();
  const consumer = await world.consumer();
  const id = ask(world, 'hold');
  await world.eventually(() => (existsSync(world.path(`held-${id}`)) ? true : undefined), 'the agent at work');
  await consumer.kill();
  await world.bot();
  await world.consumer();
  await world.receiptWhen(id, isOver);
  const [notice] = noticesOf(world, id);
  expect(buttonsOf(notice)).toEqual(['rerun', 'arrived', 'dismiss']);
  expect(notice?.replyTo).toBe(Number(id));
  const data = (verb: string): string =>
    notice?.buttons.flat().find((button) => button.callback_data?.includes(verb))?.callback_data ?? '';

  writeFileSync(world.path(`go-${id}`), '');
  world.telegram.press(notice?.id as number, data('rerun'));
  world.telegram.press(notice?.id as number, data('rerun'));
  await world.telegram.waitFor((telegram) => telegram.accepted('answerCallbackQuery').length === 2);
  const answers = world.telegram.accepted('answerCallbackQuery').map(({ params }) => String(params['text']));
  const again = await world.settled(id);
  // On a slow machine the outcome is not known at once.
  const late = 'Noted. It waits for its turn.';
  for (const words of answers)
    expect(['Running it again.', 'This request has moved on since; nothing was done.', late]).toContain(words);
  expect(answers.filter((words) => words === 'Running it again.').length).toBeLessThanOrEqual(1);
  expect(again).toMatchObject({ run: 2, previous: [{ run: 1, reply: null, error: null }] });
  expect(again.history.map(({ state, order }) => [state, order?.verb, order?.by])).toEqual([
    ['submitted', undefined, undefined],
    ['submitted', 'rerun', 'Owner'],
    ['sending', undefined, undefined],
    ['sent', undefined, undefined],
  ]);
  await world.telegram.waitFor(() => noticesOf(world, id)[0]?.edits.length === 1);
  expect(noticesOf(world, id)[0]).toMatchObject({ buttons: [], text: expect.stringContaining('Run again: Owner') });

  // A reply to the notice goes on with the conversation.
  const { message_id: reply } = world.telegram.say({ text: 'short', replyTo: notice?.id as number });
  await world.settled(reply);
  expect(world.request(reply)).toMatchObject({ kind: 'reply', conversation: id });
  expect([runsOf(world, id), noticesOf(world, id).length]).toEqual([2, 1]);
});
