/** SIGTERM to the consumer (contract §8): stop taking, finish writing, exit 0; and what the next start then finds. */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { World } from '../harness/bridge.ts';
import { ask, isAlive, isOver, noticesOf, openDesk, runsOf } from '../harness/consumer-desk.ts';

const CLEAN = { code: 0, signal: null };
const heldAgent = (world: World, id: string): Promise<true> =>
  world.eventually(() => (existsSync(world.path(`held-${id}`)) ? true : undefined), 'the agent at work');

// All at once: each spends its time waiting for grace periods.
test('SIGTERM leaves nothing half done that could be finished, and nothing silent', async () => {
  await Promise.all([idle(), runInTime(), deliveryUnderWay(), waitForTelegram(), deafAgent()]);
}, 120_000);

/** An idle consumer stops at once and leaves no lock. */
async function idle(): Promise<void> {
  const world = await openDesk();
  const consumer = await world.consumer();
  expect(await consumer.kill('SIGTERM')).toEqual(CLEAN);
  expect(world.names('state')).not.toContain('consumer.lock');
}

/** A run that ends in time is answered, and nothing else is begun. */
async function runInTime(): Promise<void> {
  const world = await openDesk();
  const consumer = await world.consumer();
  const [id, next] = [ask(world, 'hold'), ask(world, 'short')];
  await heldAgent(world, id);
  consumer.child.kill('SIGTERM');
  writeFileSync(world.path(`go-${id}`), '');
  expect(await consumer.exited).toEqual(CLEAN);
  expect(world.receipt(id)?.state).toBe('sent');
  expect(world.receipt(next)).toBeNull();
  await world.consumer();
  await world.settled(next);
  expect([runsOf(world, id), runsOf(world, next)]).toEqual([1, 1]);
}

/** A delivery under way is finished. */
async function deliveryUnderWay(): Promise<void> {
  const world = await openDesk();
  world.telegram.fault({ method: 'sendMessage' }, { stall: 'after', ms: 1_500 });
  const consumer = await world.consumer();
  const id = ask(world, 'parts');
  await world.telegram.waitFor(({ botMessages }) => botMessages.length === 1);
  expect(await consumer.kill('SIGTERM')).toEqual(CLEAN);
  expect(world.receipt(id)?.state).toBe('sent');
  expect(world.telegram.botMessages).toHaveLength(3);
}

/** A wait for Telegram is given up, and the part stays for a person to send. */
async function waitForTelegram(): Promise<void> {
  const world = await openDesk();
  const fault = world.telegram.fault(
    { method: 'sendMessage' },
    { refuse: { code: 429, description: 'Too Many Requests', parameters: { retry_after: 600 } } },
  );
  const consumer = await world.consumer();
  const id = ask(world, 'short');
  await world.telegram.waitFor(() => fault.hits === 1);
  expect(await consumer.kill('SIGTERM')).toEqual(CLEAN);
  expect(world.receipt(id)).toMatchObject({ state: 'sending', attention: null });
  await world.consumer();
  expect(await world.receiptWhen(id, isOver)).toMatchObject({ state: 'sending', attention: 'unknown-delivery' });
  expect(noticesOf(world, id)).toHaveLength(1);
}

/** An agent that ignores everything is ended with its group, and its request waits for a person. */
async function deafAgent(): Promise<void> {
  const world = await openDesk();
  world.program('tracer', '#!/bin/sh\ntrap "" TERM\n(trap "" TERM; sleep 300) &\necho $! > held-41\nwait; sleep 300\n');
  const consumer = await world.consumer();
  const id = ask(world, 'stay');
  await heldAgent(world, id);
  const pid = Number(world.receipt(id)?.agent?.pid);
  expect(await consumer.kill('SIGTERM')).toEqual(CLEAN);
  expect(world.receipt(id)).toMatchObject({ state: 'submitted', attention: null });
  expect(isAlive(-pid)).toBe(false);
  await world.consumer();
  expect(await world.receiptWhen(id, isOver)).toMatchObject({ state: 'submitted', attention: 'interrupted-run' });
}
