/** What the bot shows and says of its own accord: its commands, and the place in the queue. */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordsIn } from '../../src/core/words.ts';
import { type World, openWorld } from '../harness/bridge.ts';
import { openDesk } from '../harness/consumer-desk.ts';

const PATIENCE_MS = 30_000;

interface Registered {
  scope: unknown;
  language: unknown;
  commands: { command: string; description: string }[];
}

const registered = (world: World): Registered[] =>
  world.telegram.accepted('setMyCommands').map(({ params }) => ({
    scope: params['scope'],
    language: params['language_code'],
    commands: params['commands'] as Registered['commands'],
  }));
const commandsIn = (language: 'en' | 'ko'): Registered['commands'] =>
  (['blog', 'status', 'cancel', 'help'] as const).map((command) => ({
    command,
    description: wordsIn(language).command[command],
  }));

test('the commands are shown in the bound chat, each in the language of who looks; only what changed is set again', async () => {
  const world = await openWorld({ config: { language: undefined } });
  const scope = { type: 'chat', chat_id: world.telegram.chatId };
  const first = await world.bot();
  expect(await first.logged('commands shown in the chat')).toMatchObject({ lists: 2 });
  expect(registered(world)).toEqual([
    { scope, language: undefined, commands: commandsIn('en') },
    { scope, language: 'ko', commands: commandsIn('ko') },
  ]);
  await first.kill('SIGTERM');

  // The language of config.json goes before that of the person.
  writeFileSync(
    world.path('config.json'),
    JSON.stringify({
      telegram: { chatId: world.telegram.chatId, userIds: [7001] },
      agent: { kind: 'sample' },
      language: 'ko',
    }),
  );
  const second = await world.bot();
  expect(await second.logged('commands shown in the chat')).toMatchObject({ lists: 1 });
  expect(registered(world).slice(2)).toEqual([{ scope, language: undefined, commands: commandsIn('ko') }]);
});

test('a bot whose commands are refused does its work all the same', async () => {
  const world = await openWorld();
  world.telegram.fault(
    { method: 'setMyCommands', times: 9 },
    { refuse: { code: 400, description: 'Bad Request: chat not found' } },
  );
  const bot = await world.bot();
  await bot.logged('the commands are not shown in the chat');
  await world.consumer();

  await world.settled(world.telegram.say('/blog one').message_id);
});

test('who asks while others come first is told the place, once, without a sound; /status shows the queue', async () => {
  const world = await openDesk();
  const { telegram } = world;
  const running = telegram.say('/blog hold').message_id;
  const begin = telegram.updatesWaiting[0]?.update_id ?? 0;
  const first = await world.bot();
  await world.consumer();
  await world.eventually(() => (existsSync(world.path(`held-${running}`)) ? true : undefined), 'the agent at work');
  const places = (): Record<string, unknown>[] =>
    telegram.calls
      .filter(({ method, params }) => method === 'sendMessage' && String(params['text']).startsWith('👀 Waiting'))
      .map(({ params }) => params);

  const second = telegram.say('/blog short two').message_id;
  await telegram.waitFor(() => places().length === 1, PATIENCE_MS);
  expect(places()[0]).toMatchObject({
    reply_parameters: { message_id: second },
    text: '👀 Waiting: one request comes before this one.',
    disable_notification: true,
  });

  // What comes at one time is told in one message, under the last of them; what is delivered again is not told again.
  await first.kill();
  const third = telegram.say('/blog short three').message_id;
  const fourth = telegram.say('/blog short four').message_id;
  telegram.rewind(begin);
  await world.bot();
  await telegram.waitFor(() => places().length === 2, PATIENCE_MS);
  expect(places()[1]).toMatchObject({
    reply_parameters: { message_id: fourth },
    text: '👀 Waiting, with the requests that come before:\n2 ← short three\n3 ← short four',
  });

  telegram.say('/status');
  const status = await telegram.waitFor(
    ({ botMessages }) => botMessages.find(({ text }) => text.includes('is running')),
    PATIENCE_MS,
  );
  expect(status?.text.split('\n').slice(1)).toEqual([
    'hold',
    '👀 3 waiting:',
    '1. short two',
    '2. short three',
    '3. short four',
  ]);
  writeFileSync(world.path(`go-${running}`), '');
  for (const id of [running, second, third, fourth]) await world.settled(id);
  expect(places()).toHaveLength(2);
}, 180_000);
