import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import type { Heartbeat } from '../../src/state/heartbeat.ts';
import { type World, openWorld } from '../harness/bridge.ts';

const STOP_MS = 10_000;
const conflict: FaultAction = {
  refuse: { code: 409, description: 'Conflict: terminated by other getUpdates request' },
};
const heartbeat = (world: World): Heartbeat => world.json('state', 'bot.json');
const stored = (world: World, id: number): Promise<true> =>
  world.eventually(
    () => (existsSync(world.path('spool', 'requests', `${id}.json`)) ? true : undefined),
    `request ${id}`,
  );

test.each([401, 404])(
  'a token that Telegram answers with %i ends the bot with 78, in words that do not name it',
  async (code) => {
    const world = await openWorld();
    world.telegram.fault({ method: 'getMe' }, { refuse: { code, description: 'no' } });

    const { code: exit, stdout, stderr } = await world.command('bot', '--debug');

    expect(exit).toBe(78);
    expect(stderr).toContain(`answered ${code}`);
    expect(stderr).toContain('BotFather');
    expect(stdout + stderr).not.toContain(world.telegram.token);
  },
);

test('a token that is revoked while the bot runs ends it with 78, and what it took is kept', async () => {
  const world = await openWorld();
  const bot = await world.bot();
  await world.telegram.waitFor(({ isPolled }) => isPolled);
  world.telegram.fault({ method: 'getUpdates', times: 9 }, { refuse: { code: 401, description: 'Unauthorized' } });
  const { message_id: id } = world.telegram.say('/blog one');

  expect(await bot.exited).toMatchObject({ code: 78 });

  expect(world.names('spool', 'bot.lock')).toEqual([]);
  expect(world.names('spool', 'requests')).toEqual([`${id}.json`]);
});

test('another program with the same token is named in the heartbeat and in one log line, and waited for', async () => {
  const world = await openWorld();
  const conflicts = world.telegram.fault({ method: 'getUpdates', times: 1_000 }, conflict);
  const bot = await world.bot();
  const { message_id: id } = world.telegram.say('/blog one');
  await world.eventually(() => (conflicts.hits > 2 ? true : undefined), 'three conflicts');
  expect(heartbeat(world)).toMatchObject({
    pid: bot.pid,
    lastError: expect.stringContaining('another program polls with the same bot token'),
  });
  expect(bot.events.filter(({ event }) => event === 'trouble with Telegram')).toHaveLength(1);

  conflicts.remove();

  await stored(world, id);
  await bot.logged('Telegram answers');
  await world.eventually(() => (heartbeat(world).lastError === null ? true : undefined), 'a heartbeat without trouble');
});

test('the heartbeat tells who polls, since when, and when the last poll was completed', async () => {
  const world = await openWorld();
  const bot = await world.bot();
  world.telegram.say('/blog one');
  await world.eventually(() => (heartbeat(world).lastCompletedAt === null ? undefined : true), 'a completed poll');

  const { pid, since, lastCompletedAt, lastError } = heartbeat(world);

  expect({ pid, lastError }).toEqual({ pid: bot.pid, lastError: null });
  expect(Date.parse(since)).toBeLessThanOrEqual(Date.parse(lastCompletedAt ?? ''));
});

test('a bot whose lock is gone stores nothing more and ends', async () => {
  const world = await openWorld();
  const bot = await world.bot();
  await world.telegram.waitFor(({ isPolled }) => isPolled);
  rmSync(world.path('spool', 'bot.lock'));
  world.telegram.say('/blog one');

  expect(await bot.exited).toMatchObject({ code: 1 });

  expect(bot.stderr).toContain('bot.lock is gone');
  expect(world.names('spool', 'requests')).toEqual([]);
  expect(world.telegram.updatesWaiting).toHaveLength(1);
});

test('a second bot of the home ends with 75, naming the first, also through another path', async () => {
  const world = await openWorld();
  const first = await world.bot();
  const { since } = world.json<{ since: string }>('spool', 'bot.lock');

  const [second, third] = await Promise.all([
    world.command('bot'),
    world.command('bot', '--home', `${world.home}/spool/..`),
  ]);

  for (const { code, stderr } of [second, third]) {
    expect(code).toBe(75);
    expect(stderr).toContain(String(first.pid));
    expect(stderr).toContain(since);
  }
});

test('a bot without network starts, tells of it, and is ready once there is one', async () => {
  const world = await openWorld();
  await world.telegram.goOffline();
  const bot = world.run('bot');
  await bot.logged('trouble with Telegram');
  await world.eventually(
    () => (heartbeat(world).lastError?.includes('ECONNREFUSED') === true ? true : undefined),
    'a heartbeat that tells of it',
  );

  await world.telegram.goOnline();

  await bot.logged('bot ready');
});

test.each<[string, (world: World) => Promise<void>]>([
  ['with nothing to do', async ({ telegram }) => void (await telegram.waitFor(({ isPolled }) => isPolled))],
  ['without network', ({ telegram }) => telegram.goOffline()],
  [
    'with a server that never answers',
    async ({ telegram }) => {
      await telegram.waitFor(({ isPolled }) => isPolled);
      telegram.fault({ method: '*', times: 99 }, { stall: 'before' });
      telegram.say('hello');
      await telegram.waitFor(({ calls }) => calls.filter(({ outcome }) => outcome === 'faulted').length > 1);
    },
  ],
])('SIGTERM %s ends the bot with 0 in time', async (_, prepare) => {
  const world = await openWorld();
  const bot = await world.bot();
  await prepare(world);
  const asked = performance.now();

  expect(await bot.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  expect(performance.now() - asked).toBeLessThan(STOP_MS);
  expect(world.names('spool', 'bot.lock')).toEqual([]);
});

test('SIGTERM before Telegram ever answered ends the bot with 0', async () => {
  const world = await openWorld();
  await world.telegram.goOffline();
  const bot = world.run('bot');
  await bot.logged('trouble with Telegram');

  expect(await bot.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('SIGTERM in the middle of a batch loses nothing and doubles nothing', async () => {
  const world = await openWorld();
  const { telegram } = world;
  telegram.say('hello');
  const first = await world.bot();
  const hint = await telegram.waitFor(({ botMessages }) => botMessages[0]?.id ?? 0);
  await telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
  await first.kill('SIGTERM');
  // The reply waits for a link for 5 s; that is the middle.
  const one = telegram.say('/blog one').message_id;
  telegram.say({ text: 'and this?', replyTo: hint });
  const three = telegram.say('/blog three').message_id;
  const second = await world.bot();
  await stored(world, three);
  const asked = performance.now();

  expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  expect(performance.now() - asked).toBeLessThan(STOP_MS);
  expect(telegram.updatesWaiting).toHaveLength(2);
  await world.bot();
  await telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
  expect(world.names('spool', 'requests')).toEqual([`${one}.json`, `${three}.json`]);
});
