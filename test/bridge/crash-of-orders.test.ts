/** kill -9 between taking up an order and its effect, and between its effect and its outcome. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OrderVerb } from '../../src/core/receipt.ts';
import type { World } from '../harness/bridge.ts';
import {
  ask,
  consumerEndingAt,
  give,
  isOver,
  type KillAt,
  noticesOf,
  openDesk,
  outcomeOf,
  runsOf,
} from '../harness/consumer-desk.ts';

type Instant = 'taken up, no effect yet' | 'effect, no outcome yet';

interface Row {
  verb: OrderVerb;
  instant: Instant;
  /** What the order is about. */
  about: 'a failed run' | 'a refused part' | 'a doubtful part' | 'a held run';
  leaves: { outcome: string; state: string; attention: string | null; runs: number; parts: number; notices: number };
}

const ROWS: Row[] = [
  {
    verb: 'rerun',
    instant: 'taken up, no effect yet',
    about: 'a failed run',
    leaves: { outcome: 'applied', state: 'failed', attention: 'failed', runs: 2, parts: 0, notices: 2 },
  },
  {
    verb: 'rerun',
    instant: 'effect, no outcome yet',
    about: 'a failed run',
    leaves: { outcome: 'applied', state: 'submitted', attention: 'interrupted-run', runs: 1, parts: 0, notices: 2 },
  },
  {
    verb: 'resend',
    instant: 'taken up, no effect yet',
    about: 'a refused part',
    leaves: { outcome: 'applied', state: 'sent', attention: null, runs: 1, parts: 3, notices: 1 },
  },
  {
    verb: 'resend',
    instant: 'effect, no outcome yet',
    about: 'a refused part',
    leaves: { outcome: 'applied', state: 'sending', attention: 'unknown-delivery', runs: 1, parts: 1, notices: 2 },
  },
  {
    verb: 'arrived',
    instant: 'taken up, no effect yet',
    about: 'a doubtful part',
    leaves: { outcome: 'applied', state: 'sent', attention: null, runs: 1, parts: 2, notices: 1 },
  },
  {
    verb: 'arrived',
    instant: 'effect, no outcome yet',
    about: 'a doubtful part',
    leaves: { outcome: 'applied', state: 'sending', attention: 'unknown-delivery', runs: 1, parts: 1, notices: 2 },
  },
  {
    verb: 'dismiss',
    instant: 'effect, no outcome yet',
    about: 'a doubtful part',
    leaves: { outcome: 'applied', state: 'failed', attention: null, runs: 1, parts: 1, notices: 1 },
  },
  {
    verb: 'cancel',
    instant: 'taken up, no effect yet',
    about: 'a held run',
    leaves: { outcome: 'applied', state: 'failed', attention: null, runs: 1, parts: 0, notices: 0 },
  },
];

test('an order that a kill left without outcome is carried out once, or was, and is concluded', async () => {
  const world = await openDesk();
  const ids = ROWS.map((_, index) => String(100 * (index + 1)));
  for (const [index, row] of ROWS.entries()) {
    const id = ids[index] as string;
    const consumer = consumerEndingAt(world, killAt(row, id));
    await consumer.logged('consumer ready');
    if (index > 0) await concluded(world, ids[index - 1] as string);
    await prepare(world, row.about, id);
    give(world, row.verb, id, undefined, `xorder-${id}`);
    expect(await consumer.exited, `${row.verb}: ${row.instant}`).toEqual({ code: null, signal: 'SIGKILL' });
    expect(world.json('state', 'decisions', `xorder-${id}.json`)['outcome']).toBeNull();
  }
  await world.consumer();
  await concluded(world, ids.at(-1) as string);

  const found = await Promise.all(ids.map((id, index) => facts(world, id, ROWS[index] as Row)));
  expect(found).toEqual(ROWS);
  expect(world.names('spool', 'decisions')).toEqual([]);
}, 180_000);

function killAt({ verb, instant }: Row, id: string): KillAt {
  if (instant === 'taken up, no effect yet')
    return { when: 'after', call: 'linkSync', to: `/state/decisions/xorder-${id}\\.json$` };
  return { when: 'after', call: 'renameSync', to: `/state/${id}\\.json$`, holding: `"verb": "${verb}"` };
}

async function prepare(world: World, about: Row['about'], id: string): Promise<void> {
  const second = {
    method: 'sendMessage',
    when: ({ text }: Record<string, unknown>) => String(text).startsWith(`${id} line 59`),
  };
  if (about === 'a refused part')
    world.telegram.fault(second, { refuse: { code: 400, description: 'Bad Request: not enough rights' } });
  if (about === 'a doubtful part') world.telegram.fault(second, { reset: 'before' });
  ask(world, about === 'a failed run' ? 'fail' : about === 'a held run' ? 'hold' : 'parts', { messageId: Number(id) });
  if (about === 'a held run')
    await world.eventually(() => (existsSync(world.path(`held-${id}`)) ? true : undefined), 'the agent at work');
  else await world.receiptWhen(id, isOver);
}

async function concluded(world: World, id: string): Promise<void> {
  await outcomeOf(world, `xorder-${id}`);
  await world.receiptWhen(id, isOver);
}

async function facts(world: World, id: string, { verb, instant, about }: Row): Promise<Row> {
  const receipt = world.receipt(id);
  const parts = world.telegram
    .accepted('sendMessage')
    .filter(({ params }) => String(params['text']).startsWith(`${id} line`));
  const leaves = {
    outcome: await outcomeOf(world, `xorder-${id}`),
    state: String(receipt?.state),
    attention: receipt?.attention ?? null,
    runs: runsOf(world, id),
    parts: parts.length,
    notices: noticesOf(world, id).length,
  };
  return { verb, instant, about, leaves };
}
