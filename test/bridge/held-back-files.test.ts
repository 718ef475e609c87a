/** Files that a sync program holds back (iCloud “optimised” them away, say): whoever opens one waits until it was fetched. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';
import { ask, isAlive, openDesk, runsOf } from '../harness/consumer-desk.ts';
import { runHeldBack, syncedHome } from '../harness/held-back.ts';
import { needsTool } from '../harness/required-tool.ts';

const troubleOf = (world: World, name: 'bot' | 'consumer'): string | null | undefined =>
  world.json<{ lastError: string | null }>('state', `${name}.json`).lastError;
/** The processes that read for this one. */
const readersOf = (pid: number): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const isReader = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('read-program.js');
      return isReader && readFileSync(`/proc/${name}/stat`, 'utf8').split(' ')[3] === String(pid) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

test('a request whose file is held back is named, holds up no other, and is run once when its file comes', async ({
  skip,
}) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  const held = ask(world, 'held back');
  const other = ask(world, 'another');

  const { running: consumer, contentComes } = await runHeldBack(world, `spool/requests/${held}.json`, 'consumer');
  const trouble = await consumer.logged('trouble; trying again', { request: held });
  await world.settled(other);
  const later = ask(world, 'later');
  await world.settled(later);

  expect(trouble).toMatchObject({ passing: true });
  expect(trouble['cause']).toContain(`ETIMEDOUT: ${world.path('spool', 'requests', `${held}.json`)}`);
  await world.eventually(() => troubleOf(world, 'consumer')?.includes('ETIMEDOUT') || undefined, 'the heartbeat');
  expect(world.receipt(held)).toBeNull();
  expect(runsOf(world, held)).toBe(0);

  contentComes();
  await world.settled(held);
  await world.eventually(() => (world.names('spool', 'pending').length === 0 ? true : undefined), 'the end of all');
  await world.eventually(() => troubleOf(world, 'consumer') === null || undefined, 'the heartbeat without trouble');
  expect([held, other, later].map((id) => runsOf(world, id))).toEqual([1, 1, 1]);
  expect(world.names('state', 'damaged')).toEqual([]);
});

test('a consumer that is told to stop while a file is held back ends in order and at once; who reads for it is gone with the file', async ({
  skip,
}) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  const held = ask(world, 'held back');
  const { running: consumer, contentComes } = await runHeldBack(world, `spool/requests/${held}.json`, 'consumer');
  await consumer.logged('trouble; trying again', { request: held });
  const readers = readersOf(consumer.pid);

  expect(readers).toHaveLength(1);
  const begun = performance.now();
  consumer.child.kill('SIGTERM');

  expect(await consumer.died).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeLessThan(8_000);
  expect(consumer.events.at(-1)?.['event']).toBe('consumer stopped');
  expect(world.names('state')).not.toContain('consumer.lock');
  // The tracer keeps what it delays, also what was killed.
  contentComes();
  await world.eventually(() => !readers.some(isAlive) || undefined, 'the end of the reader', 10_000);
});

test('a receipt that is held back is neither damaged nor absent: its request waits, and does not run again', async ({
  skip,
}) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  const id = ask(world, 'once');
  const first = await world.consumer();
  await world.eventually(() => world.names('spool', 'pending').length === 0 || undefined, 'the end of it');
  await first.kill('SIGTERM');
  writeFileSync(world.path('spool', 'pending', `${id}.json`), '');

  const { running: consumer, contentComes } = await runHeldBack(world, `state/${id}.json`, 'consumer');
  await consumer.logged('trouble; trying again', { request: id });
  contentComes();

  await world.eventually(() => world.names('spool', 'pending').length === 0 || undefined, 'the end of it');
  expect(runsOf(world, id)).toBe(1);
  expect(world.receipt(id)?.state).toBe('sent');
  expect(world.names('state', 'damaged')).toEqual([]);
});

test('a bot that needs a file that is held back confirms nothing, says so, and takes the message once the file comes', async ({
  skip,
}) => {
  needsTool('strace', 'strace', skip);
  const world = await openWorld({ home: syncedHome() });
  const { telegram } = world;
  const opening = telegram.say('/blog one').message_id;
  const answer = telegram.say({ text: 'an answer', from: { id: telegram.botId, is_bot: true } }).message_id;
  mkdirSync(world.path('state', 'links'), { recursive: true });
  const link = { version: 1, requestId: String(opening), conversation: String(opening) };
  writeFileSync(world.path('state', 'links', `${answer}.json`), JSON.stringify(link));
  const reply = telegram.say({ text: 'shorter', replyTo: answer }).message_id;

  const { running: bot, contentComes } = await runHeldBack(world, `state/links/${answer}.json`, 'bot');
  const trouble = await bot.logged('cannot store; trying again');
  await telegram.waitFor(({ botMessages }) => botMessages.some(({ text }) => text?.includes('waits at Telegram')));
  expect(trouble['cause']).toContain(`ETIMEDOUT: ${world.path('state', 'links', `${answer}.json`)}`);
  expect(telegram.updatesWaiting.length).toBeGreaterThan(0);
  expect(world.names('spool', 'requests')).toEqual([`${opening}.json`]);

  contentComes();
  await telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
  expect(world.request(reply)).toMatchObject({ kind: 'reply', conversation: String(opening), text: 'shorter' });
  expect(world.names('spool', 'requests')).toEqual([`${opening}.json`, `${reply}.json`]);
  expect(world.names('spool', 'unread')).toEqual([]);
});

test.for([
  ['spool/home.json', 'cannot start; trying again'],
  ['spool/parts/90.json', 'cannot read parts; trying again'],
] as const)('a bot does not end for %s that is held back at its start', async ([path, words], { skip }) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  writeFileSync(world.path('spool/parts/90.json'), '{}');

  const { running: bot, contentComes } = await runHeldBack(world, path, 'bot');
  const trouble = await bot.logged(words);
  contentComes();

  expect(trouble['cause']).toContain(world.path(path));
  await bot.logged('bot ready');
});

test('a consumer waits for a config.json that is held back', async ({ skip }) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });

  const { running: consumer, contentComes } = await runHeldBack(world, 'config.json', 'consumer');
  await consumer.printed(/ETIMEDOUT: .*config\.json/u);
  contentComes();

  await consumer.logged('consumer ready');
});

test.for([
  ['spool/requests/41.json', 'doctor', 1],
  ['state/42.json', 'doctor', 1],
  ['config.json', 'doctor', 1],
  ['spool/requests/41.json', 'show 41', 0],
  ['state/42.json', 'show 42', 0],
  ['spool/requests/41.json', 'status', 0],
  ['state/42.json', 'status', 0],
] as const)('while %s is held back, “%s” names it and ends', async ([path, command, code], { skip }) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  const [waiting, settled] = [ask(world, 'one'), ask(world, 'two')];
  expect([waiting, settled]).toEqual(['41', '42']);
  writeFileSync(world.path('state', '42.json'), '{}');

  const { running } = await runHeldBack(world, path, ...command.split(' '));

  expect(await running.died).toEqual({ code, signal: null });
  await running.printed(new RegExp(`ETIMEDOUT: ${world.path(path)}`, 'u'));
  expect(running.stdout).toContain(`ETIMEDOUT: ${world.path(path)}`);
});

test.for([
  ['bot', 'bot ready'],
  ['consumer', 'consumer ready'],
] as const)('a former heartbeat that is held back keeps no %s from starting', async ([service, ready], { skip }) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  writeFileSync(world.path('state', `${service}.json`), '{}');

  const { running, contentComes } = await runHeldBack(world, `state/${service}.json`, service);

  await running.logged(ready);
  contentComes();
});

test('a link that is held back keeps no consumer from starting', async ({ skip }) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  const id = ask(world, 'fail');
  const first = await world.consumer();
  const { notice } = await world.receiptWhen(id, (receipt) => receipt.notice?.state === 'sent');
  await first.kill('SIGTERM');

  const { running, contentComes } = await runHeldBack(world, `state/links/${notice?.messageId}.json`, 'consumer');

  await running.logged('consumer ready');
  contentComes();
});

test('a request of a conversation of which a file is held back waits, and is named there once', async ({ skip }) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  const opening = ask(world, 'one');
  const first = await world.consumer();
  await world.settled(opening);
  await first.kill('SIGTERM');
  const reply = ask(world, 'two', {
    kind: 'reply',
    conversation: opening,
    replyTo: { messageId: Number(opening), requestId: opening, text: '' },
  });

  const { running: consumer, contentComes } = await runHeldBack(world, `spool/requests/${opening}.json`, 'consumer');
  await consumer.logged('trouble; trying again', { request: reply });
  // Tried again meanwhile: another request, which comes after it, is dealt with beside.
  const later = ask(world, 'later');
  await world.settled(later);
  const second = ask(world, 'later still');
  await world.settled(second);
  expect(world.receipt(reply)).toBeNull();
  contentComes();

  await world.settled(reply);
  expect(runsOf(world, reply)).toBe(1);
  expect(world.json<{ runsOf: string[] }>('state', 'conversations', `${opening}.json`).runsOf).toEqual([reply]);
});

test('a consumer whose lock is held back takes no step, and ends in order when it is told to', async ({ skip }) => {
  needsTool('strace', 'strace', skip);
  const world = await openDesk({ home: syncedHome() });
  const id = ask(world, 'one');

  const { running: consumer } = await runHeldBack(world, 'state/consumer.lock', 'consumer');
  const trouble = await consumer.logged('trouble; trying again');
  expect(trouble['cause']).toContain('consumer.lock');
  consumer.child.kill('SIGTERM');

  expect(await consumer.died).toEqual({ code: 0, signal: null });
  expect(world.receipt(id)).toBeNull();
  const next = world.run('consumer');
  await next.logged('consumer ready');
  await world.settled(id);
  expect(runsOf(world, id)).toBe(1);
});
