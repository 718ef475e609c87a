/** `resend`, `rerun`, `resolve`: 0 applied, or waiting for a consumer (said so), 1 refused (contract §6 and §8). */
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import { type World, openWorld } from '../harness/bridge.ts';

/** Fails where the file `fail` lies in its folder, and waits where `wait` does. */
const AGENT = '[ -e fail ] && exit 1; while [ -e wait ]; do sleep 0.1; done; cat';

test('with a consumer an order is applied and said so, and what does not apply is refused', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['/bin/sh', '-c', AGENT] } });
  await world.bot();
  await world.consumer();
  const [first, second, third] = await failedRequests(world, 3);
  rmSync(world.path('work', 'fail'));

  const rerun = await world.command('rerun', first);
  const again = await world.settled(first);
  const refusals = await Promise.all([
    world.command('rerun', first),
    world.command('resend', second),
    world.command('resolve', second, '--sent'),
    world.command('resolve', second, '--sent', '--json'),
  ]);
  const dismissed = await world.command('resolve', second, '--failed', '--json');

  expect(rerun).toMatchObject({ code: 0, stdout: `${first}: Running it again.\n`, stderr: '' });
  expect(again).toMatchObject({
    run: 2,
    history: expect.arrayContaining([
      expect.objectContaining({
        order: { id: expect.stringMatching(/^x/u), verb: 'rerun', by: expect.stringMatching(/ \(command line\)$/u) },
      }),
    ]),
  });
  expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  expect(refusals[0]?.stderr).toBe(
    `blog-bridge: ${first}: refused. It is sent; that order does not apply to it.\n"blog-bridge show ${first} --home ${world.home}" tells how it stands.\n`,
  );
  expect(refusals[1]?.stderr).toContain(`${second}: refused. It is failed (failed); that order does not apply to it.`);
  expect(JSON.parse(refusals[3]?.stdout ?? '')).toMatchObject({
    order: { verb: 'arrived', requestId: second },
    outcome: { result: 'refused', reason: 'not-now' },
  });
  expect(dismissed.code).toBe(0);
  const { order, outcome } = JSON.parse(dismissed.stdout);
  expect(order).toMatchObject({
    version: 1,
    id: expect.stringMatching(/^x[0-9a-f-]{36}$/u),
    verb: 'dismiss',
    requestId: second,
    run: 1,
    historyLength: 2,
  });
  expect(outcome).toMatchObject({ result: 'applied' });
  expect(world.receipt(second)).toMatchObject({ state: 'failed', attention: null });
  expect(world.json('state', 'decisions', `${order.id}.json`)).toMatchObject({ outcome: { result: 'applied' } });

  // While an agent is at work, a rerun waits for its turn; a request that waits has nothing to be decided.
  writeFileSync(world.path('work', 'wait'), '');
  const busy = world.telegram.say('/blog busy').message_id;
  await world.receiptWhen(busy, ({ state }) => state === 'submitted');
  const waiting = String(world.telegram.say('/blog waiting').message_id);
  await world.eventually(
    () => (world.names('spool', 'requests').includes(`${waiting}.json`) ? true : undefined),
    'the next request',
  );
  const [early, turn] = await Promise.all([world.command('rerun', waiting), world.command('rerun', third)]);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('It waits for its first run') });
  expect(turn).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${third}: noted as x.*; it waits for its turn\\.\n$`, 'u')),
  });
  rmSync(world.path('work', 'wait'));
  expect(await world.settled(third)).toMatchObject({ run: 2 });
});

test('without a consumer an order waits, which is said and shown, and the next consumer carries it out once', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['/bin/sh', '-c', AGENT] } });
  await world.bot();
  const consumer = await world.consumer();
  const [id] = await failedRequests(world, 1);
  await consumer.kill('SIGTERM');
  rmSync(world.path('work', 'fail'));

  const noted = await world.command('rerun', id);
  const status = await world.command('status', '--json');
  const second = await world.command('rerun', id);
  await world.consumer();

  expect(noted).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      new RegExp(`^${id}: noted as x.*; no consumer runs, so it waits until one is started\\.\n$`, 'u'),
    ),
  });
  expect(JSON.parse(status.stdout).orders).toMatchObject([{ verb: 'rerun', requestId: id }]);
  expect(second.code).toBe(0);
  expect(await world.settled(id)).toMatchObject({ run: 2 });
  const outcomes = await world.eventually(() => {
    const found = world
      .names('state', 'decisions')
      .map((name) => world.json<{ outcome: { result: string } | null }>('state', 'decisions', name).outcome?.result);
    return found.length === 2 && !found.includes(undefined)
      ? found.toSorted((a, b) => String(a).localeCompare(String(b)))
      : undefined;
  }, 'two outcomes');
  expect(outcomes, 'the second one met a request that had moved on').toEqual(['applied', 'refused']);
  await world.eventually(() => (world.names('spool', 'decisions').length === 0 ? true : undefined), 'an empty inbox');
});

async function failedRequests(world: World, count: number): Promise<[string, string, string]> {
  writeFileSync(world.path('work', 'fail'), '');
  const ids = Array.from({ length: count }, (_, index) =>
    String(world.telegram.say(`/blog number ${index}`).message_id),
  );
  await Promise.all(ids.map((id) => world.receiptWhen(id, isTold)));
  return [ids[0] ?? '', ids[1] ?? '', ids[2] ?? ''];
}

function isTold({ attention, notice }: Receipt): boolean {
  return attention === 'failed' && notice?.state === 'sent';
}
