/** What a dead consumer left behind: processes, requests without a pending name, links that are gone. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import type { World } from '../harness/bridge.ts';
import { ask, isAlive, isOver, openDesk, runsOf } from '../harness/consumer-desk.ts';

/** The agent starts a child of its own, notes its pid, and stays; nothing ends it but a signal to the group. */
const PARENT =
  '#!/bin/sh\necho "$BLOG_REQUEST_ID" >> runs.log\nsleep 300 &\necho $! > child.new; mv child.new child\nwait\n';

async function killedWithRun(world: World): Promise<{ id: string; leader: number; child: number }> {
  const consumer = await world.consumer();
  const id = ask(world, 'stay');
  await world.eventually(() => (existsSync(world.path('child')) ? true : undefined), 'the agent at work');
  await consumer.kill();
  return {
    id,
    leader: Number(world.receipt(id)?.agent?.pid),
    child: Number(readFileSync(world.path('child'), 'utf8')),
  };
}

test.each(['lives', 'is gone'])(
  'what is left of a run is ended at the next start, where its leader %s',
  async (leaderState) => {
    const world = await openDesk();
    world.program('tracer', PARENT);
    const { id, leader, child } = await killedWithRun(world);
    if (leaderState === 'is gone') {
      process.kill(leader, 'SIGKILL');
      await world.eventually(() => (isAlive(leader) ? undefined : true), 'the end of the leader');
    }
    expect(isAlive(child)).toBe(true);
    world.program('tracer', '#!/bin/sh\necho "$BLOG_REQUEST_ID" >> runs.log\necho done\n');
    const next = [ask(world, 'one'), ask(world, 'two'), ask(world, 'three')];
    await world.consumer();

    expect(await world.receiptWhen(id, isOver)).toMatchObject({ state: 'submitted', attention: 'interrupted-run' });
    expect([isAlive(leader), isAlive(child)]).toEqual([false, false]);
    for (const one of next) await world.settled(one);
    expect([id, ...next].map((one) => runsOf(world, one))).toEqual([1, 1, 1, 1]);
  },
);

test('a process that only has the number of a former agent is left alone', async () => {
  const world = await openDesk();
  world.program('tracer', PARENT);
  const { id, leader } = await killedWithRun(world);
  process.kill(-leader, 'SIGKILL');
  const innocent = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void innocent.kill('SIGKILL'));
  const receipt = world.receipt(id) as Receipt;
  writeFileSync(
    world.path('state', `${id}.json`),
    JSON.stringify({ ...receipt, agent: { ...receipt.agent, pid: innocent.pid } }),
  );
  await world.consumer();

  expect(await world.receiptWhen(id, isOver)).toMatchObject({ attention: 'interrupted-run' });
  expect(innocent.exitCode ?? innocent.signalCode).toBeNull();
});

test('pending names and links that a restore took away are made good at start; what is settled is not run again', async () => {
  const world = await openDesk();
  const [done, doubtful] = [ask(world, 'parts', { messageId: 100 }), ask(world, 'short', { messageId: 200 })];
  world.telegram.fault(
    { method: 'sendMessage', when: ({ text }) => String(text) === `answer to ${doubtful}` },
    { reset: 'after' },
  );
  const first = await world.consumer();
  const links = (await world.settled(done)).reply?.parts.flatMap(({ messageIds }) => messageIds) ?? [];
  await world.receiptWhen(doubtful, isOver);
  await first.kill('SIGTERM');
  for (const name of world.names('state', 'links')) rmSync(world.path('state', 'links', name));
  for (const name of world.names('spool', 'pending')) rmSync(world.path('spool', 'pending', name));
  const byHand = ask(world, 'short', { messageId: 300 });
  renameSync(world.path('spool', 'pending', `${byHand}.json`), world.path('taken-away'));
  await world.consumer();
  await world.settled(byHand);

  for (const link of links)
    expect(world.json('state', 'links', `${link}.json`)).toMatchObject({ requestId: done, conversation: done });
  expect(links).toHaveLength(3);
  await world.eventually(
    () => (world.names('spool', 'pending').join() === `${doubtful}.json` ? true : undefined),
    'the doubtful one alone pending',
  );
  expect([done, doubtful, byHand].map((id) => runsOf(world, id))).toEqual([1, 1, 1]);
});
