import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorld } from '../harness/bridge.ts';

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

test('rebind needs both locks', async () => {
  const world = await openWorld();
  await world.bot();
  moveTo(world, -100);
  expect(await world.command('rebind')).toMatchObject({ code: 75, stderr: expect.stringContaining('bot.lock') });
});
