/** One conversation is one session of the agent, over restarts and reruns; its turns are counted (contract §7). */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import { openWorld } from '../harness/bridge.ts';

/** Tells how it was started; fails where the file `fail` lies in its folder. */
const TELL =
  '[ -e fail ] && exit 1; cat; echo; echo "$0 argument=$1 $BLOG_REQUEST_ID of $BLOG_CONVERSATION: $BLOG_SESSION_ID $BLOG_TURN"';
const command = ['/bin/sh', '-c', TELL, 'new', '{sessionId}'];
const resumeCommand = ['/bin/sh', '-c', TELL, 'resumed', '{sessionId}'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

test('replies go on with the session in order, also given at once and over a restart; another /blog has its own', async () => {
  const world = await openWorld({ agent: { kind: 'command', command, resumeCommand } });
  await world.bot();
  const consumer = await world.consumer();
  const first = await world.settled(world.telegram.say('/blog one').message_id);
  const answer = answerId(first);
  const [second, third] = ['two', 'three'].map((text) => world.telegram.say({ text, replyTo: answer }).message_id);
  const other = await world.settled(world.telegram.say('/blog another').message_id);
  await consumer.kill();
  await world.consumer();
  const fourth = await world.settled(world.telegram.say({ text: 'four', replyTo: answer }).message_id);

  const turns = [first, await world.settled(second ?? 0), await world.settled(third ?? 0), fourth];
  expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
  expect(new Set(turns.map(({ session }) => session)).size).toBe(1);
  expect(first.session).toMatch(UUID);
  expect(other).toMatchObject({ turn: 1, conversation: other.id });
  expect(other.session).not.toBe(first.session);
  expect(toldBy(first)).toBe(`new argument=${first.session} ${first.id} of ${first.id}: ${first.session} 1`);
  expect(toldBy(fourth)).toBe(`resumed argument=${first.session} ${fourth.id} of ${first.id}: ${first.session} 4`);
  expect(other.reply?.markdown).toMatch(/^another\n/u);
  expect(fourth.reply?.markdown, 'a reply comes with what it answers, each line marked').toMatch(
    /^The message below answers.*\n\n> one\n.*\n\nfour\n/su,
  );
});

test.for([
  {
    name: 'without a resume command a rerun opens a session of its own, and later replies go on with that one',
    resume: false,
  },
  { name: 'with a resume command a rerun is one more turn of the session', resume: true },
])('$name', async ({ resume }) => {
  const world = await openWorld({ agent: { kind: 'command', command, ...(resume ? { resumeCommand } : {}) } });
  await world.bot();
  await world.consumer();
  const opened = await world.settled(world.telegram.say('/blog one').message_id);
  writeFileSync(world.path('work', 'fail'), '');
  const failed = await world.receiptWhen(
    world.telegram.say({ text: 'two', replyTo: answerId(opened) }).message_id,
    ({ attention }) => attention === 'failed',
  );
  rmSync(world.path('work', 'fail'));

  expect(await world.command('rerun', failed.id)).toMatchObject({ code: 0 });
  const again = await world.settled(failed.id);
  const later = await world.settled(world.telegram.say({ text: 'three', replyTo: answerId(opened) }).message_id);

  expect(failed).toMatchObject({ session: opened.session, turn: 2, run: 1 });
  expect(again).toMatchObject({
    run: 2,
    turn: resume ? 3 : 1,
    previous: [{ run: 1, session: opened.session, error: { code: 'agent-exit' } }],
  });
  expect(again.session === opened.session).toBe(resume);
  expect(later).toMatchObject({ session: again.session, turn: resume ? 4 : 2 });
  expect(toldBy(again)).toMatch(resume ? /^resumed .* 3$/u : /^new .* 1$/u);
  expect(existsSync(world.path('state', 'files', failed.id, 'run-2.out')), 'each run has its own output').toBe(true);
});

function answerId(receipt: Receipt): number {
  return receipt.reply?.parts[0]?.messageIds[0] ?? 0;
}

function toldBy(receipt: Receipt): string | undefined {
  return receipt.reply?.markdown.trim().split('\n').at(-1);
}
