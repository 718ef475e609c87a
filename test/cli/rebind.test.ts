import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Running, openWorld } from '../harness/bridge.ts';

async function used(): Promise<Awaited<ReturnType<typeof openWorld>>> {
  const world = await openWorld();
  const [bot, consumer] = [await world.bot(), await world.consumer()];
  await world.settled(world.telegram.say('/blog one').message_id);
  await Promise.all([bot.kill('SIGTERM'), consumer.kill('SIGTERM')]);
  return world;
}

function moveTo(world: Awaited<ReturnType<typeof openWorld>>, chatId: number): void {
  const config = { telegram: { chatId, userIds: [7001] }, agent: { kind: 'sample' } };
  writeFileSync(world.path('config.json'), JSON.stringify(config));
}

test('a home of another chat refuses to start until rebind has archived what it held', async () => {
  const world = await used();
  moveTo(world, -100);
  expect(await world.command('bot')).toMatchObject({ code: 78, stderr: expect.stringContaining('blog-bridge rebind') });

  expect(await world.command('rebind')).toMatchObject({ code: 0, stdout: expect.stringContaining('chat -100') });

  const [archived = ''] = readdirSync(world.path('archive'));
  expect(archived).toMatch(/^7001-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/u);
  expect(existsSync(world.path('archive', archived, 'spool', 'requests', '41.json'))).toBe(true);
  expect(existsSync(world.path('archive', archived, 'state', '41.json'))).toBe(true);
  expect(world.names('spool', 'requests')).toEqual([]);
  expect(world.json('spool', 'home.json')).toMatchObject({ chatId: -100 });
  expect(await world.command('rebind')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was done') });
  await world.bot();
});

test('a rebind that was cut short is taken up again, in the same archive', async () => {
  const world = await used();
  moveTo(world, -100);
  mkdirSync(world.path('archive', '7001-2026-11-30T09-00-00'), { recursive: true });
  renameSync(world.path('state'), world.path('archive', '7001-2026-11-30T09-00-00', 'state'));
  expect((await world.command('consumer')).code).toBe(78);

  expect((await world.command('rebind')).code).toBe(0);

  expect(readdirSync(world.path('archive'))).toEqual(['7001-2026-11-30T09-00-00']);
  expect(readdirSync(world.path('archive', '7001-2026-11-30T09-00-00')).sort()).toEqual(['spool', 'state']);
});

test('cut short at any step, it lets nothing run twice, loses nothing, and is finished by the next one', async () => {
  const world = await used();
  const preload = fileURLToPath(new URL('../harness/kill-at.mjs', import.meta.url));
  const cut = async (chatId: number, at: object): Promise<void> => {
    moveTo(world, chatId);
    const env = { ...world.env, NODE_OPTIONS: `--import=${preload}`, KILL_AT: JSON.stringify(at) };
    expect(await new Running(['rebind', '--home', world.home], env).exited).toMatchObject({ signal: 'SIGKILL' });
  };
  const archives = (): string[] => readdirSync(world.path('archive')).sort();
  // A stray name in there is none of ours.
  mkdirSync(world.path('archive'));
  writeFileSync(world.path('archive', '.DS_Store'), '');

  // What a killed one leaves behind is waited for, which takes ten seconds; once is enough of that.
  const unlock = (): void => rmSync(world.path('rebind.lock'), { recursive: true });

  // Before anything moved: the old chat goes on as it was.
  await cut(-100, { when: 'before', call: 'renameSync', to: '/state$' });
  moveTo(world, 7001);
  expect(await world.command('rebind')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was done') });

  // Between the two: also for who has changed his mind, nothing starts, since nothing would be known as done.
  await cut(-100, { when: 'after', call: 'renameSync', to: '/state$' });
  unlock();
  const half = archives();
  moveTo(world, 7001);
  expect(await world.command('consumer')).toMatchObject({ code: 78, stderr: expect.stringContaining('cut short') });
  expect(existsSync(world.path('spool', 'requests', '41.json'))).toBe(true);
  moveTo(world, -100);
  expect((await world.command('rebind')).code).toBe(0);
  expect(archives()).toEqual(half);
  for (const name of ['spool/requests/41.json', 'state/41.json'])
    expect(existsSync(world.path('archive', half[1] ?? '', name)), name).toBe(true);
  await (await world.consumer()).kill('SIGTERM');

  // Just before the end: the rest is the binding alone.
  writeFileSync(world.path('spool', 'requests', '7.json'), JSON.stringify(world.requestFile(7)));
  await cut(-200, { when: 'before', call: 'linkSync', to: 'home.json$' });
  unlock();
  const whole = archives();
  expect(whole).toHaveLength(3);
  expect((await world.command('rebind')).code).toBe(0);
  expect(archives()).toEqual(whole);
  expect(world.json('spool', 'home.json')).toMatchObject({ chatId: -200 });
  expect([...world.names('spool'), ...world.names('state')].filter((name) => name.endsWith('.lock'))).toEqual([]);
}, 120_000);

test('rebind needs both locks', async () => {
  const world = await openWorld();
  await world.bot();
  moveTo(world, -100);
  expect(await world.command('rebind')).toMatchObject({ code: 75, stderr: expect.stringContaining('bot.lock') });
});
