/** `start`: bot and consumer together in the foreground; both, or neither. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Running, type World, openWorld } from '../harness/bridge.ts';

test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'start does the whole round trip in one process, and ends with 0 on %s',
  async (signal) => {
    const world = await openWorld({ agent: { kind: 'command', command: ['cat'] } });
    const start = await started(world);

    const receipt = await world.settled(world.telegram.say('/blog hello').message_id);
    const status = JSON.parse((await world.command('status', '--json')).stdout);
    expect(status).toMatchObject({
      bot: { running: true, pid: start.pid },
      consumer: { running: true, pid: start.pid },
    });
    expect(receipt.reply?.markdown).toBe('hello');
    expect(await start.kill(signal)).toEqual({ code: 0, signal: null });
    expect(
      start.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
      'log lines only',
    ).toEqual([]);
    expect(locks(world)).toEqual([]);
  },
);

test.for(['bot', 'consumer'] as const)(
  'start ends with 75 where another %s runs, which goes on, and leaves nothing of its own',
  async (part) => {
    const world = await openWorld();
    const other = part === 'bot' ? await world.bot() : await world.consumer();

    const start = world.run('start');

    expect(await start.exited).toEqual({ code: 75, signal: null });
    expect(start.stderr).toMatch(
      new RegExp(`^blog-bridge: .*${part}\\.lock is held by process ${other.pid} since `, 'mu'),
    );
    expect(locks(world)).toEqual([part === 'bot' ? 'spool/bot.lock' : 'state/consumer.lock']);
    expect(other.child.exitCode).toBeNull();
  },
);

test('start ends with 78 where Telegram refuses the token, and takes the consumer along', async () => {
  const world = await openWorld({ env: { TELEGRAM_BOT_TOKEN: '110201543:wrong' } });

  const start = world.run('start');

  expect(await start.exited).toEqual({ code: 78, signal: null });
  expect(start.stderr).toContain('blog-bridge: Telegram refuses the bot token');
  expect(locks(world)).toEqual([]);
});

test('when the consumer part loses its lock, the bot part ends too, with 1', async () => {
  const world = await openWorld();
  const start = await started(world);

  writeFileSync(world.path('state', 'consumer.lock'), '{}');

  expect(await start.exited).toEqual({ code: 1, signal: null });
  expect(start.stderr).toMatch(/^blog-bridge: .*consumer\.lock is gone or not ours any more/mu);
  expect(locks(world)).toEqual(['state/consumer.lock']);
});

test('a log that nobody takes any more, and a closed output, stop nothing', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['cat'] } });
  const start = await started(world);

  start.child.stderr?.destroy();
  start.child.stdout?.destroy();

  await world.settled(world.telegram.say('/blog hello').message_id);
  await world.settled(world.telegram.say('/blog again').message_id);
  const inShell = (line: string): string =>
    execFileSync('/bin/sh', ['-c', line], {
      env: { ...world.env, NODE: process.execPath, MAIN: start.child.spawnargs[1], WORLD: world.home },
      encoding: 'utf8',
    });
  expect(
    inShell('{ "$NODE" "$MAIN" status --home "$WORLD"; echo "ended with $?" >&2; } 2>&1 >/dev/full | tail -1'),
    'a full disk',
  ).toMatch(/ended with \d/u);
  expect(
    inShell('{ "$NODE" "$MAIN" show 41 --json --home "$WORLD"; echo "ended with $?" >&2; } 2>&1 >&- | tail -1'),
    'no output at all',
  ).toBe('ended with 0\n');
  expect(
    inShell('{ "$NODE" "$MAIN" show 41 --json --home "$WORLD"; echo "ended with $?" >&2; } 2>&1 | true'),
    'a closed pipe',
  ).toBe('');
  expect((await start.kill('SIGTERM')).code).toBe(0);
});

async function started(world: World): Promise<Running> {
  const start = world.run('start');
  await start.logged('bot ready');
  await start.logged('consumer ready');
  return start;
}

function locks(world: World): string[] {
  return ['spool', 'state'].flatMap((folder) =>
    world
      .names(folder)
      .filter((name) => name.includes('.lock'))
      .map((name) => `${folder}/${name}`),
  );
}
