/** kill -9 of the consumer at each named instant of the straight line; then a new consumer, and counting. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { World } from '../harness/bridge.ts';
import { ask, consumerEndingAt, isOver, type KillAt, noticesOf, openDesk, runsOf } from '../harness/consumer-desk.ts';

interface Row {
  instant: string;
  says: 'parts' | 'fail' | 'hold' | 'short';
  /** `#` stands for the request's id; null: killed from outside, while the agent works. */
  at: KillAt | null;
  leaves: {
    state: string;
    attention: string | null;
    runs: number;
    parts: number;
    notice: string | null;
    notices: number;
  };
}

const receipt = (when: KillAt['when'], holding: string): KillAt => ({
  when,
  call: 'renameSync',
  to: '/state/#\\.json$',
  holding,
});
const INTERRUPTED = { state: 'submitted', attention: 'interrupted-run', parts: 0, notice: 'sent', notices: 1 };
const DOUBTFUL = { state: 'sending', attention: 'unknown-delivery', runs: 1, notice: 'sent', notices: 1 };
const SENT = { state: 'sent', attention: null, runs: 1, notice: null, notices: 0 };
const FAILED = { state: 'failed', attention: 'failed', runs: 1, parts: 0 };

const ROWS: Row[] = [
  {
    instant: 'before the claim',
    says: 'parts',
    at: { when: 'before', call: 'linkSync', to: '/state/#\\.json$' },
    leaves: { ...SENT, parts: 3 },
  },
  {
    instant: 'after the claim, before the agent is let go',
    says: 'parts',
    at: { when: 'after', call: 'linkSync', to: '/state/#\\.json$' },
    leaves: { ...INTERRUPTED, runs: 0 },
  },
  { instant: 'during the run', says: 'hold', at: null, leaves: { ...INTERRUPTED, runs: 1 } },
  {
    instant: 'after the exit, before `sending`',
    says: 'parts',
    at: receipt('before', '"state": "sending"'),
    leaves: { ...INTERRUPTED, runs: 1 },
  },
  {
    instant: 'between `sending` and the call',
    says: 'parts',
    at: receipt('after', '"state": "sending"'),
    leaves: { ...DOUBTFUL, parts: 0 },
  },
  {
    instant: 'after Telegram accepted, before the link',
    says: 'parts',
    at: { when: 'before', call: 'linkSync', to: '/state/links/', holding: '"requestId": "#"' },
    leaves: { ...DOUBTFUL, parts: 1 },
  },
  {
    instant: 'between the link and the receipt',
    says: 'parts',
    at: { when: 'after', call: 'linkSync', to: '/state/links/', holding: '"requestId": "#"' },
    leaves: { ...DOUBTFUL, parts: 1 },
  },
  {
    instant: 'between two parts',
    says: 'parts',
    at: receipt('after', '"kind": "text",\\s+"state": "sent"'),
    leaves: { ...DOUBTFUL, parts: 1 },
  },
  {
    instant: 'after the last part, before `sent`',
    says: 'parts',
    at: receipt('before', '"state": "sent",\\s+"at": "[^"]+"\\s+\\}\\s+\\]'),
    leaves: { ...DOUBTFUL, parts: 3 },
  },
  {
    instant: 'after `sent`, before the pending name goes',
    says: 'short',
    at: { when: 'before', call: 'rmSync', to: '/pending/#\\.json$' },
    leaves: { ...SENT, parts: 1 },
  },
  {
    instant: 'between a notice’s record and its call',
    says: 'fail',
    at: receipt('after', '"for": "failed",\\s+"state": "sending"'),
    leaves: { ...FAILED, notice: 'unknown', notices: 0 },
  },
  {
    instant: 'between a notice’s call and its answer’s record',
    says: 'fail',
    at: receipt('before', '"for": "failed",\\s+"state": "sent"'),
    leaves: { ...FAILED, notice: 'unknown', notices: 1 },
  },
];

test('after a kill at any instant nothing runs or is sent twice, nothing is lost, nothing is silent, and the queue goes on', async () => {
  const world = await openDesk();
  const ids = ROWS.map((_, index) => String(100 * (index + 1)));
  for (const [index, row] of ROWS.entries()) {
    const id = ids[index] as string;
    const consumer =
      row.at === null
        ? world.run('consumer')
        : consumerEndingAt(world, JSON.parse(JSON.stringify(row.at).replaceAll('#', id)) as KillAt);
    await consumer.logged('consumer ready');
    if (index > 0) await world.receiptWhen(ids[index - 1] as string, isOver);
    ask(world, row.says, { messageId: Number(id) });
    if (row.at === null) await killedDuringTheRun(world, id, consumer.pid);
    expect(await consumer.exited, row.instant).toEqual({ code: null, signal: 'SIGKILL' });
  }
  await world.consumer();
  await world.receiptWhen(ids.at(-1) as string, isOver);
  await world.settled(ask(world, 'short'));

  expect(ids.map((id, index) => ({ instant: ROWS[index]?.instant, ...found(world, id) }))).toEqual(
    ROWS.map(({ instant, leaves }) => ({ instant, ...leaves })),
  );
}, 180_000);

async function killedDuringTheRun(world: World, id: string, pid: number): Promise<void> {
  await world.eventually(() => (existsSync(world.path(`held-${id}`)) ? true : undefined), 'the agent at work');
  process.kill(pid, 'SIGKILL');
}

function found(world: World, id: string): Row['leaves'] {
  const { state, attention, notice } = world.receipt(id) ?? { state: 'none', attention: null, notice: null };
  const parts = world.telegram.botMessages.filter(
    ({ text, replyTo }) => replyTo === Number(id) && !text.includes('Request') && !text.includes('Of the answer'),
  );
  const notices = noticesOf(world, id);
  return {
    state,
    attention,
    runs: runsOf(world, id),
    parts: parts.length,
    notice: notice?.state ?? null,
    notices: notices.length,
  };
}
