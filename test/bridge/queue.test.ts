/** The queue: in the order of message ids, one at a time, the others wait on disk. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask, isOver, openDesk } from '../harness/consumer-desk.ts';

test('requests run one at a time in the order of their message ids, and the others wait on disk, untouched', async () => {
  const world = await openDesk();
  const first = ask(world, 'hold', { messageId: 900 });
  await world.consumer();
  await world.eventually(() => (existsSync(world.path(`held-${first}`)) ? true : undefined), 'the agent at work');
  // Out of order, with numbers whose order as text is another one.
  for (const id of [10_000, 9_999, 1_000, 2_000]) ask(world, id === 2_000 ? 'fail' : 'short', { messageId: id });
  await world.telegram.waitFor(({ messages }) => messages.filter(({ reaction }) => reaction === '👀').length === 4);
  expect(world.names('state').filter((name) => /^\d+\.json$/u.test(name))).toEqual(['900.json']);
  expect(world.names('spool', 'pending')).toHaveLength(5);
  const status = await world.command('status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({
    running: { id: '900' },
    waiting: [{ id: '1000' }, { id: '2000' }, { id: '9999' }, { id: '10000' }],
  });

  writeFileSync(world.path(`go-${first}`), '');
  await world.settled('10000');
  expect(readFileSync(world.path('runs.log'), 'utf8').trim().split('\n')).toEqual([
    '900',
    '1000',
    '2000',
    '9999',
    '10000',
  ]);
  const starts = ['1000', '9999', '10000'].map((id) => world.receipt(id)?.history.map(({ at }) => at) ?? []);
  expect(starts.flat().toSorted()).toEqual(starts.flat());
  await world.receiptWhen('2000', isOver);
  await world.eventually(
    () => (world.names('spool', 'pending').join() === '2000.json' ? true : undefined),
    'the failed one alone pending',
  );
});
