/** A receipt that cannot be read means "exists, fate unknown" (contract §5): never run, never sent, told, decided by a person. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask, buttonsOf, give, isOver, noticesOf, openDesk, outcomeOf, runsOf } from '../harness/consumer-desk.ts';

const RECEIPT = {
  version: 1,
  state: 'sent',
  session: null,
  run: 1,
  history: [{ state: 'sent', at: '2026-11-30T09:00:00.000Z' }],
  reply: null,
  agent: null,
  previous: [],
  error: null,
  attention: null,
  notice: null,
};

const ROWS: [what: string, bytes: (id: string) => string][] = [
  ['nothing', () => ''],
  ['a cut one', () => '{"status":"se'],
  ['4096 NULs', () => '\0'.repeat(4096)],
  ['null', () => 'null'],
  ['a string', () => '"x"'],
  ['a list nested too deep', () => '['.repeat(300_000)],
  ['an unknown state', (id) => JSON.stringify({ ...RECEIPT, id, conversation: id, state: 'sentt' })],
  ['the id of another', (id) => JSON.stringify({ ...RECEIPT, id: '7', conversation: id })],
  ['`sending` without a reply', (id) => JSON.stringify({ ...RECEIPT, id, conversation: id, state: 'sending' })],
  ['`submitted` without an agent', (id) => JSON.stringify({ ...RECEIPT, id, conversation: id, state: 'submitted' })],
  ['version 0', (id) => JSON.stringify({ ...RECEIPT, id, conversation: id, version: 0 })],
];

test('a copy is kept, a failed receipt takes its place, the request is not run until a person says so', async () => {
  const world = await openDesk();
  const ids = ROWS.map(([, bytes], index) => {
    const id = ask(world, 'short', { messageId: 100 + 20 * index });
    writeFileSync(world.path('state', `${id}.json`), bytes(id));
    return id;
  });
  const [future, unreadable, good] = [
    ask(world, 'short', { messageId: 2_000 }),
    ask(world, 'short', { messageId: 2_100 }),
    ask(world, 'short', { messageId: 2_200 }),
  ];
  const later = JSON.stringify({ ...RECEIPT, id: future, version: 2, state: 'dreaming' });
  writeFileSync(world.path('state', `${future}.json`), later);
  mkdirSync(world.path('state', `${unreadable}.json`));
  // A run that may have begun: what it printed must not be written over by the next.
  mkdirSync(world.path('state', 'files', '100'), { recursive: true });
  writeFileSync(world.path('state', 'files', '100', 'run-2.out'), 'what it had printed');
  const consumer = await world.consumer();
  await world.settled(good);
  for (const id of ids) await world.receiptWhen(id, isOver);

  expect(ids.map((id) => facts(id))).toEqual(
    ROWS.map(() => ['failed', 'damaged-receipt', 'failed', 'sent', [['rerun', 'dismiss']], 0]),
  );
  const copies = new Map(
    world
      .names('state', 'damaged')
      .map((name) => [name.split('-')[0], readFileSync(world.path('state', 'damaged', name), 'utf8')]),
  );
  expect(ids.map((id) => copies.get(id))).toEqual(ROWS.map(([, bytes], index) => bytes(ids[index] as string)));

  // Of a later version: left as it is, named. Unreadable: tried again, and never taken for none.
  expect(readFileSync(world.path('state', `${future}.json`), 'utf8')).toBe(later);
  await consumer.logged('request left alone', { request: future });
  await consumer.logged('trouble; trying again', { request: unreadable });
  expect([runsOf(world, future), runsOf(world, unreadable)]).toEqual([0, 0]);
  // An order about it is answered all the same.
  expect(await outcomeOf(world, give(world, 'rerun', future, null))).toBe('not-now');
  await world.eventually(
    () => (world.json('state', 'consumer.json')['lastError'] === null ? undefined : true),
    'the trouble in the heartbeat',
  );
  rmdirSync(world.path('state', `${unreadable}.json`));
  await world.settled(unreadable);

  expect(await outcomeOf(world, give(world, 'rerun', '100'))).toBe('applied');
  expect(await world.settled('100')).toMatchObject({
    run: 3,
    previous: [{ run: 2, error: { code: 'damaged-receipt' } }],
  });
  expect(readFileSync(world.path('state', 'files', '100', 'run-2.out'), 'utf8')).toBe('what it had printed');

  function facts(id: string): unknown[] {
    const receipt = world.receipt(id);
    return [
      receipt?.state,
      receipt?.error?.code,
      receipt?.attention,
      receipt?.notice?.state,
      noticesOf(world, id).map(buttonsOf),
      runsOf(world, id),
    ];
  }
});
