import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN, type World, openWorld } from '../harness/bridge.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';

const waiting = (world: World): string[] =>
  world.telegram.botMessages.flatMap(({ text }) => (text?.includes('waits at Telegram') ? [text] : []));
const stored = (world: World, ...ids: number[]): Promise<true> =>
  world.eventually(
    () => (ids.every((id) => existsSync(world.path('spool', 'requests', `${id}.json`))) ? true : undefined),
    `requests ${ids.join()}`,
  );

/** A request longer than the room that a heartbeat or a log line under way may still leave on a full disk. */
const long = (text: string): string => `/blog ${text} ${'가'.repeat(4_000)}`;

test('a full disk loses nothing, is told once each time, and stops nothing with the log that lies on it', async ({
  skip,
}) => {
  const disk = mountSmallDisk(512, skip);
  const world = await openWorld({ home: disk.path });
  const { telegram } = world;
  const log = openSync(world.path('bot.log'), 'a');
  const bot = spawn(process.execPath, [MAIN, 'bot', '--home', world.home], {
    env: world.env,
    stdio: ['ignore', log, log],
  });
  onTestFinished(() => void bot.kill('SIGKILL'));
  await telegram.waitFor(({ isPolled }) => isPolled);

  disk.fill();
  const early = [long('one'), 'hello', long('two')].map((text) => telegram.say(text));
  await telegram.waitFor(() => waiting(world).length > 0);
  const button = telegram.press(telegram.botMessages[0]?.id ?? 0, 'order:rerun:41:1:1');
  expect(telegram.confirmedOffset).toBeUndefined();
  expect(world.names('spool', 'requests')).toEqual([]);
  disk.free();
  const [one = 0, , two = 0] = early.map((message) => message.message_id);
  await stored(world, one, two);
  await telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
  expect(world.names('spool', 'decisions')).toEqual([`c${button}.json`]);
  expect(waiting(world)).toHaveLength(1);
  // The last ones are those of the members, which come after the request.
  await world.eventually(() => (world.names('spool', 'tmp').length === 0 ? true : undefined), 'no temporary file');
  // Once that is written: a heartbeat that is replaced while the disk is full makes room.
  const isWell = (): true | undefined =>
    world.json<{ lastError: string | null }>('state', 'bot.json').lastError === null ? true : undefined;
  await world.eventually(isWell, 'a heartbeat without trouble');

  disk.fill();
  const { message_id: three } = telegram.say(long('three'));
  await telegram.waitFor(() => waiting(world).length > 1);
  disk.free();
  await stored(world, three);

  const events = readFileSync(world.path('bot.log'), 'utf8');
  expect(events).toContain('storing works again');
  bot.kill('SIGTERM');
  expect(await once(bot, 'exit')).toEqual([0, null]);
});

test('a disk that becomes read-only loses nothing, and is told once', async ({ skip }) => {
  const disk = mountSmallDisk(512, skip);
  const world = await openWorld({ home: disk.path });
  const bot = await world.bot();
  await disk.setReadOnly(true);
  const { message_id: id } = world.telegram.say('/blog one');
  await world.telegram.waitFor(() => waiting(world).length > 0);
  expect(await bot.logged('cannot store; trying again')).toMatchObject({
    cause: expect.stringContaining('EROFS'),
  });
  expect(world.telegram.updatesWaiting).toHaveLength(1);

  await disk.setReadOnly(false);

  await stored(world, id);
  expect(waiting(world)).toHaveLength(1);
});

test('a bot that is to stop while the disk is full leaves the message with Telegram, and takes it later', async ({
  skip,
}) => {
  const disk = mountSmallDisk(512, skip);
  const world = await openWorld({ home: disk.path });
  const bot = await world.bot();
  disk.fill();
  const { message_id: id } = world.telegram.say(long('one'));
  await bot.logged('cannot store; trying again');

  expect(await bot.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  expect(world.telegram.updatesWaiting).toHaveLength(1);
  disk.free();
  await world.bot();
  await stored(world, id);
});

test('a bot that starts on a full disk waits for room, and for nothing longer than its stop', async ({ skip }) => {
  const disk = mountSmallDisk(128, skip);
  const world = await openWorld({ home: disk.path });
  disk.fill();
  const stopped = world.run('bot');
  await stopped.logged('cannot start; trying again');
  expect(await stopped.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const bot = world.run('bot');
  await bot.logged('cannot start; trying again');

  disk.free();

  await bot.logged('bot ready');
});

test.for<[string, boolean]>([
  ['before its folders are made', false],
  ['after a time of use', true],
])('a home on a disk that is read-only %s is refused, and named', async ([, isUsed], { skip }) => {
  const disk = mountSmallDisk(128, skip);
  const world = await openWorld({ home: disk.path });
  if (isUsed) await (await world.bot()).kill('SIGTERM');
  await disk.setReadOnly(true);

  const { code, stderr } = await world.command('bot');

  expect(code).toBe(78);
  expect(stderr).toContain(disk.path);
  expect(stderr).toContain('EROFS');
});

test('a bot that may open no more files takes the message as soon as it may', async ({ skip }) => {
  skip(!existsSync('/usr/bin/prlimit'), 'prlimit is not there');
  const world = await openWorld();
  const bot = await world.bot();
  await world.telegram.waitFor(({ isPolled }) => isPolled);
  const limit = (files: string): void => void execFileSync('prlimit', ['--pid', String(bot.pid), `--nofile=${files}:`]);
  // Its input and outputs take up all that is allowed.
  limit('3');
  const { message_id: id } = world.telegram.say('/blog one');
  await bot.logged('cannot store; trying again');
  expect(world.telegram.updatesWaiting).toHaveLength(1);

  limit('1024');

  await stored(world, id);
  await world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
  expect(waiting(world).length).toBeLessThan(2);
});

test('a folder that was moved away is waited for', async () => {
  const world = await openWorld();
  const bot = await world.bot();
  execFileSync('mv', [world.path('spool', 'tmp'), world.path('elsewhere')]);
  const { message_id: id } = world.telegram.say('/blog one');
  await world.telegram.waitFor(() => waiting(world).length > 0);

  execFileSync('mv', [world.path('elsewhere'), world.path('spool', 'tmp')]);

  await stored(world, id);
  await bot.logged('storing works again');
});
