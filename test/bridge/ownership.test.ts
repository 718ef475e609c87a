/** One consumer a home, and what becomes of one that loses its lock. */
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { Running, type World } from '../harness/bridge.ts';
import { ask, consumerEndingAt, isAlive, openDesk, outputOf, runsOf } from '../harness/consumer-desk.ts';

const heldAgent = (world: World, id: string): Promise<true> =>
  world.eventually(() => (existsSync(world.path(`held-${id}`)) ? true : undefined), 'the agent at work');

test('a second consumer is refused, also through another name of the home, also while the first is stopped', async () => {
  const world = await openDesk();
  const first = await world.consumer();
  const alias = `${world.home}-alias`;
  symlinkSync(world.home, alias);
  onTestFinished(() => rmSync(alias));
  const second = world.run('consumer');
  const third = new Running(['consumer', '--home', alias], world.env);
  for (const { exited } of [second, third]) expect(await exited).toEqual({ code: 75, signal: null });
  expect(second.stderr).toMatch(new RegExp(`process ${first.pid} since \\d{4}-`, 'u'));

  first.child.kill('SIGSTOP');
  const fourth = world.run('consumer');
  expect(await fourth.exited).toEqual({ code: 75, signal: null });
  first.child.kill('SIGCONT');
  await world.settled(ask(world, 'short'));
  expect(outputOf([second, third, fourth])).not.toMatch(/\n\s+at /u);
});

test('a consumer stopped just before `sending` keeps its lock, and sends once when it goes on', async () => {
  const world = await openDesk();
  const frozen = consumerEndingAt(world, {
    when: 'before',
    call: 'renameSync',
    to: '/state/41\\.json$',
    holding: '"state": "sending"',
    signal: 'SIGSTOP',
  });
  await frozen.logged('consumer ready');
  const id = ask(world, 'short');
  await world.receiptWhen(id, ({ state }) => state === 'submitted');
  await world.eventually(() => (runsOf(world, id) === 1 ? true : undefined), 'the run');
  expect(await world.run('consumer').exited).toEqual({ code: 75, signal: null });
  // The kernel may take the stop a little later than the call: whenever it does, going on must be enough.
  const goOn = setInterval(() => frozen.child.kill('SIGCONT'), 200);
  await world.settled(id).finally(() => clearInterval(goOn));
  expect(world.telegram.botMessages).toHaveLength(1);
});

test('a consumer whose lock is taken away while the agent works ends the agent, sends nothing, and says why', async () => {
  const world = await openDesk();
  const consumer = await world.consumer();
  const id = ask(world, 'hold');
  await heldAgent(world, id);
  const pid = Number(world.receipt(id)?.agent?.pid);
  rmSync(world.path('state', 'consumer.lock'));
  const later = ask(world, 'short');
  writeFileSync(world.path(`go-${id}`), '');

  expect(await consumer.exited).toEqual({ code: 1, signal: null });
  expect(consumer.stderr).toContain('consumer.lock is gone or not ours any more');
  expect(isAlive(pid)).toBe(false);
  expect(world.receipt(id)).toMatchObject({ state: 'submitted', attention: null });
  expect(world.receipt(later)).toBeNull();
  expect(world.telegram.botMessages).toEqual([]);
});

test('a consumer whose lock is taken away while it waits to send does not send', async () => {
  const world = await openDesk();
  const refused = world.telegram.fault(
    { method: 'sendMessage' },
    { refuse: { code: 429, description: 'Too Many Requests', parameters: { retry_after: 60 } } },
  );
  const consumer = await world.consumer();
  const id = ask(world, 'short');
  await world.telegram.waitFor(() => refused.hits === 1);
  rmSync(world.path('state', 'consumer.lock'));

  expect(await consumer.exited).toEqual({ code: 1, signal: null });
  expect(world.receipt(id)).toMatchObject({ state: 'sending', attention: null });
  expect(world.telegram.botMessages).toEqual([]);
});
