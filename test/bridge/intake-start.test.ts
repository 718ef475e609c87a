import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';

test('a config.json that is wrong ends the bot with 78 in a line or two, and nothing is asked of Telegram', async () => {
  const world = await openWorld({ config: { langauge: 'ko' } });

  const { code, stderr } = await world.command('bot');

  expect(code).toBe(78);
  expect(stderr).toContain('langauge: expected no such key, found one');
  expect(stderr.trim().split('\n').length).toBeLessThan(3);
  expect(world.telegram.calls).toEqual([]);
});

test('under a service manager a wrong configuration is told and ends with 0', async () => {
  const world = await openWorld();
  rmSync(world.path('config.json'));

  const [plain, service] = await Promise.all([world.command('bot'), world.command('bot', '--service')]);

  expect(plain).toMatchObject({ code: 78 });
  expect(plain.stderr).toContain(`${world.home}/config.json`);
  expect(service).toMatchObject({ code: 0, stderr: plain.stderr });
});

test.each<[string, NodeJS.ProcessEnv, string]>([
  ['no token', { TELEGRAM_BOT_TOKEN: '' }, 'found none'],
  ['a token that is none', { TELEGRAM_BOT_TOKEN: 'secret-but-no-token' }, 'found another text'],
])('%s ends the bot with 78', async (_, env, words) => {
  const world = await openWorld({ env });

  const { code, stderr } = await world.command('bot');

  expect(code).toBe(78);
  expect(stderr).toContain('TELEGRAM_BOT_TOKEN');
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('secret-but');
});

const binding = (botId: number, chatId: number) => (world: World) =>
  writeFileSync(world.path('spool', 'home.json'), JSON.stringify({ version: 1, botId, chatId }));

test.each<[string, (world: World) => void, string[]]>([
  ['another bot', binding(1, 7001), ['found bot 1']],
  ['another chat', binding(110_201_543, -5), ['found', 'chat -5']],
  [
    'nobody, though it holds a request',
    (world) => writeFileSync(world.path('spool', 'requests', '41.json'), '{}'),
    ['home.json is missing'],
  ],
  [
    'nobody, though it holds a receipt',
    (world) => writeFileSync(world.path('state', '41.json'), '{}'),
    ['home.json is missing'],
  ],
  ['what cannot be read', (world) => writeFileSync(world.path('spool', 'home.json'), '{'), ['cannot be read']],
])('a home that belongs to %s ends the bot with 78 and the way out', async (_, prepare, words) => {
  const world = await openWorld();
  for (const name of ['spool', 'spool/requests', 'state']) mkdirSync(world.path(name));
  prepare(world);

  const { code, stderr } = await world.command('bot');

  expect(code).toBe(78);
  for (const word of [...words, 'blog-bridge rebind']) expect(stderr).toContain(word);
  expect(world.telegram.calls).toEqual([]);
  expect(world.names('spool', 'bot.lock')).toEqual([]);
});

test('the first start binds the home, and files that are no request do not matter to it', async () => {
  const world = await openWorld();
  for (const name of ['spool', 'spool/requests']) mkdirSync(world.path(name));
  writeFileSync(world.path('spool', 'requests', '.DS_Store'), '');
  writeFileSync(world.path('spool', 'requests', '12 2.json'), '{}');
  symlinkSync(world.home, world.path('elsewhere'));
  await world.bot();

  expect(world.json('spool', 'home.json')).toEqual({ version: 1, botId: world.telegram.botId, chatId: 7001 });
});
