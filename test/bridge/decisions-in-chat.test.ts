/** What the chat shows of a decision: its buttons vanish, and the message says who decided what, and when. */
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import type { ChatMessage } from '../../src/stand-in/chat-message.ts';
import type { World } from '../harness/bridge.ts';
import { ask, isOver, noticesOf, openDesk } from '../harness/consumer-desk.ts';

const PATIENCE_MS = 30_000;
const WHEN = /, \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d GMT\+9$/u;

const noticeOf = (world: World, id: string): ChatMessage => {
  const [notice] = noticesOf(world, id);
  if (notice === undefined) throw new Error(`no notice about ${id}`);
  return notice;
};
const lastLine = ({ text }: ChatMessage): string => text.split('\n').at(-1) ?? '';
const decided = (world: World, id: string): Promise<boolean> =>
  world.telegram.waitFor(() => noticeOf(world, id).text.includes('\n\n— '), PATIENCE_MS);
const answersTo = (world: World, id: number): string[] =>
  world.telegram.botMessages.filter(({ replyTo }) => replyTo === id).map(({ text }) => text);

function press(world: World, id: string, verb: string): void {
  const { id: messageId } = noticeOf(world, id);
  world.telegram.press(messageId, `order:${verb}:${id}:1:${failedAt(world, id)}`);
}

/** As the button under the first notice names it. */
const failedAt = (world: World, id: string): number =>
  (world.receipt(id)?.history.findIndex(({ state }) => state === 'failed') ?? 0) + 1;

test('whoever decides, by whatever way, and whoever is down meanwhile, the notice tells it once and has no buttons', async () => {
  const world = await openDesk({ env: { TZ: 'Asia/Seoul' } });
  const { telegram } = world;
  for (const id of ['100', '200', '300']) ask(world, 'fail', { messageId: Number(id) });
  await world.bot();
  const first = await world.consumer();
  for (const id of ['100', '200', '300']) await world.receiptWhen(id, isOver, PATIENCE_MS);

  // On the command line; the first edit is lost on its way.
  telegram.fault({ method: 'editMessageText' }, { reset: 'before' });
  expect((await world.command('resolve', '100', '--failed')).code).toBe(0);
  await decided(world, '100');
  expect(noticeOf(world, '100').buttons).toEqual([]);
  expect(lastLine(noticeOf(world, '100'))).toMatch(WHEN);
  expect(lastLine(noticeOf(world, '100'))).toContain(`— Close: ${userInfo().username} on the command line, `);

  // By a button whose edit never came about: pressed again, it decides nothing, and the message tells what was decided.
  const lost = telegram.fault({ method: 'editMessageText' }, { refuse: { code: 400, description: 'Bad Request: no' } });
  press(world, '300', 'dismiss');
  await telegram.waitFor(() => lost.hits === 1, PATIENCE_MS);
  expect(noticeOf(world, '300').buttons).not.toEqual([]);
  press(world, '300', 'rerun');
  await decided(world, '300');
  expect(noticeOf(world, '300').buttons).toEqual([]);
  expect(lastLine(noticeOf(world, '300'))).toMatch(/^— Close: Owner, /u);
  expect(world.receipt('300')).toMatchObject({ state: 'failed', run: 1, attention: null });

  // While no consumer runs: the order waits, and what became of it is told when there is one.
  await telegram.waitFor(() => telegram.accepted('answerCallbackQuery').length === 2, PATIENCE_MS);
  await first.kill('SIGTERM');
  const before = telegram.accepted('answerCallbackQuery').length;
  press(world, '200', 'dismiss');
  await telegram.waitFor(() => telegram.accepted('answerCallbackQuery').length === before + 1, PATIENCE_MS);
  press(world, '200', 'rerun');
  const { message_id: cancel } = telegram.say('/cancel');
  await telegram.waitFor(() => telegram.accepted('answerCallbackQuery').length === before + 2, PATIENCE_MS);
  await telegram.waitFor(() => answersTo(world, cancel).length === 1, PATIENCE_MS);
  for (const { params } of telegram.accepted('answerCallbackQuery').slice(before))
    expect(params['text']).toContain('Noted.');
  expect(answersTo(world, cancel)[0]).toContain('The consumer does not run');
  expect(noticeOf(world, '200').edits).toEqual([]);
  await world.consumer();
  await decided(world, '200');
  await telegram.waitFor(() => answersTo(world, cancel).length === 2, PATIENCE_MS);
  const notice = noticeOf(world, '200');
  await telegram.waitFor(() => answersTo(world, notice.id).length === 1, PATIENCE_MS);
  expect(answersTo(world, cancel)[1]).toBe('Nothing is running.');
  expect(answersTo(world, notice.id)).toEqual(['This request has moved on since; nothing was done.']);
  expect(notice.buttons).toEqual([]);
  expect(lastLine(notice)).toMatch(/^— Close: Owner, /u);
  expect(notice.text.match(/— /gu)).toHaveLength(1);
  expect(world.receipt('200')).toMatchObject({ state: 'failed', run: 1, attention: null });
}, 180_000);
