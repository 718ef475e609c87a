/** A state folder that takes nothing more: a small file system of its own, since root may write past any mode. */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { World } from '../harness/bridge.ts';
import { ask, openDesk, runsOf } from '../harness/consumer-desk.ts';

const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0;

/** Replaces `state/` by a file system of 512 kB. */
async function openSmallDesk(): Promise<World> {
  const world = await openDesk();
  onTestFinished(() => {
    for (const { child } of world.started) child.kill('SIGKILL');
    execFileSync('umount', ['-l', world.path('state')]);
  });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=0700', 'state', world.path('state')]);
  return world;
}

/** Refused while a file is being written there: tried until it is not. */
async function remount(world: World, how: 'ro' | 'rw'): Promise<void> {
  const mount = (): true => {
    execFileSync('mount', ['-o', `remount,${how}`, world.path('state')], { stdio: 'pipe' });
    return true;
  };
  await world.eventually(mount, `a file system that is ${how}`);
}

function fill(world: World): void {
  const file = openSync(world.path('state', 'filler'), 'w');
  try {
    for (;;) if (writeSync(file, Buffer.alloc(4096)) === 0) return;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

test.runIf(CAN_MOUNT)('without a durable receipt no agent begins; with room again the request runs once', async () => {
  const world = await openSmallDesk();
  const consumer = await world.consumer();
  fill(world);
  const id = ask(world, 'short');
  await consumer.logged('trouble; trying again', { request: id });
  expect(runsOf(world, id)).toBe(0);
  rmSync(world.path('state', 'filler'));
  await world.settled(id);
  expect([runsOf(world, id), world.telegram.botMessages.length]).toEqual([1, 1]);

  await remount(world, 'ro');
  const next = ask(world, 'short');
  await consumer.logged('trouble; trying again', { request: next });
  expect(runsOf(world, next)).toBe(0);
  await remount(world, 'rw');
  await world.settled(next);
  expect([runsOf(world, next), world.telegram.botMessages.length]).toEqual([1, 2]);
});

test.runIf(CAN_MOUNT)('an answer that cannot be recorded is not sent, and is kept until it can', async () => {
  const world = await openSmallDesk();
  world.program(
    'tracer',
    '#!/bin/sh\necho "$BLOG_REQUEST_ID" >> runs.log\necho the answer\n: > held\nwhile [ ! -e go ]; do sleep 0.1; done\n',
  );
  await world.consumer();
  const id = ask(world, 'any');
  await world.eventually(() => (existsSync(world.path('held')) ? true : undefined), 'the agent at work');
  fill(world);
  writeFileSync(world.path('go'), '');
  const status = (): Promise<string> => world.command('status').then(({ stdout }) => stdout);
  await world.eventually(() => (isOver(world, id) ? true : undefined), 'the end of the agent');
  expect(await status()).toContain(id);
  expect(world.telegram.botMessages).toEqual([]);
  expect(world.receipt(id)?.state).toBe('submitted');
  rmSync(world.path('state', 'filler'));
  await world.settled(id);
  expect(world.telegram.botMessages.map(({ text }) => text)).toEqual([
    'the answer',
    expect.stringMatching(/may be cut/u),
  ]);
  expect(runsOf(world, id)).toBe(1);
});

function isOver(world: World, id: string): boolean {
  return !existsSync(`/proc/${world.receipt(id)?.agent?.pid}`);
}
