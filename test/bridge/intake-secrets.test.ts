import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import { type World, openWorld } from '../harness/bridge.ts';

const filesWith = (world: World, text: string): string[] =>
  readdirSync(world.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map((entry) => entry.name);

/** The token stands in .env alone, so that nothing can blot it out but what has read it there. */
async function openSecretWorld(): Promise<World> {
  const world = await openWorld();
  writeFileSync(world.path('.env'), `TELEGRAM_BOT_TOKEN=${world.telegram.token}\n`, { mode: 0o600 });
  delete world.env['TELEGRAM_BOT_TOKEN'];
  return world;
}

test('the token stands in no log line and no file but .env, whatever goes wrong', async () => {
  const world = await openSecretWorld();
  const { telegram } = world;
  const faults: [string, FaultAction][] = [
    ['getMe', { reset: 'before' }],
    ['deleteWebhook', { status: 502, body: `<html>/bot${telegram.token}/deleteWebhook</html>`, accept: false }],
    ['getUpdates', { reset: 'after' }],
    ['getUpdates', { cut: 'after' }],
    ['getUpdates', { refuse: { code: 400, description: `Bad Request: /bot${telegram.token}/getUpdates` } }],
    ['sendMessage', { reset: 'after' }],
    ['sendMessage', { refuse: { code: 400, description: `Bad Request: bot${telegram.token}` } }],
    ['answerCallbackQuery', { reset: 'before' }],
  ];
  for (const [method, action] of faults) telegram.fault({ method }, action);
  telegram.say('hello');
  telegram.say('/help');
  telegram.push({ message: { message_id: 7, text: `undigestible ${'x'.repeat(20)}` } });
  telegram.press(telegram.say('x').message_id, 'unknown');
  const { message_id: id } = telegram.say('/blog one');
  const bot = await world.bot();
  const consumer = await world.consumer();
  await world.settled(id);
  await telegram.waitFor(
    ({ updatesWaiting, calls }) =>
      updatesWaiting.length === 0 && calls.some(({ method }) => method === 'answerCallbackQuery'),
  );
  await bot.kill('SIGTERM');
  await consumer.kill('SIGTERM');

  for (const { stdout, stderr } of [bot, consumer]) expect(stdout + stderr).not.toContain(telegram.token);
  expect(bot.stderr).toContain('trouble with Telegram');
  expect(filesWith(world, telegram.token)).toEqual(['.env']);
});

test('the token does not stand in the last words of a bot that ends, also with --debug', async () => {
  const world = await openSecretWorld();
  world.telegram.fault(
    { method: 'getMe' },
    { refuse: { code: 401, description: `Unauthorized: bot${world.telegram.token}` } },
  );

  const { code, stdout, stderr } = await world.command('bot', '--debug');

  expect(code).toBe(78);
  expect(stderr).toContain('    at ');
  expect(stdout + stderr).not.toContain(world.telegram.token);
});
