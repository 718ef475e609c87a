/** `init` at a terminal: a person who reads, types, and changes their mind. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from 'grammy';
import { describe, expect, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';
import { KEY, type Terminal, openTerminal } from '../harness/terminal.ts';

interface Session {
  world: World;
  terminal: Terminal;
}

/** A folder without settings, a PATH on which `claude` alone of the agents is, and no token in the environment. */
async function openNewHome(options: Parameters<typeof openWorld>[0] = {}, settings?: object): Promise<World> {
  const world = await openWorld({
    ...options,
    standIn: { firstMessageId: 41, botUsername: 'my_blog_bot', ...options.standIn },
  });
  if (settings === undefined) rmSync(world.path('config.json'));
  else writeFileSync(world.path('config.json'), JSON.stringify(settings));
  mkdirSync(world.path('bin'));
  world.program('bin/claude', '#!/bin/sh\ncat\n');
  Object.assign(world.env, {
    PATH: `${world.path('bin')}:/usr/bin:/bin`,
    HOME: world.path('bin'),
    LANG: 'en_US.UTF-8',
  });
  for (const name of ['TELEGRAM_BOT_TOKEN', 'LC_ALL', 'LC_MESSAGES', 'npm_command']) delete world.env[name];
  return world;
}

async function openSession(options: Parameters<typeof openWorld>[0] = {}, ...args: string[]): Promise<Session> {
  const world = await openNewHome(options);
  return { world, terminal: openTerminal(['init', '--home', world.home, ...args], world.env) };
}

/** The token stands in `.env`, and nowhere else: not on the screen, not in any other file. */
function expectTokenOnlyInEnv({ world, terminal }: Session): void {
  const secret = world.telegram.token.split(':')[1] ?? '';
  expect(terminal.raw).not.toContain(secret);
  expect(readFileSync(world.path('.env'), 'utf8')).toBe(`TELEGRAM_BOT_TOKEN=${world.telegram.token}\n`);
  expect(statSync(world.path('.env')).mode & 0o777).toBe(0o600);
  const others = world.names().filter((name) => name !== '.env' && statSync(world.path(name)).isFile());
  for (const name of others) expect(readFileSync(world.path(name), 'utf8'), name).not.toContain(secret);
}

const CLAUDE = {
  kind: 'command',
  command: ['claude', '-p', '--session-id', '{sessionId}'],
  resumeCommand: ['claude', '-p', '--resume', '{sessionId}'],
};

describe('from nothing to a home in order', () => {
  test.each([
    {
      language: 'ko',
      locale: 'ko_KR.UTF-8',
      token: '봇 토큰',
      who: '어느 채팅에서',
      write: '메시지를 기다립니다',
      isYou: /본인이 맞나요\? Owner \(7001\), 개인 채팅/u,
      agent: /어느 에이전트가 글을 쓸까요/u,
      folder: '어느 폴더에서',
      next: /다음:\s+│\s+blog-bridge start/u,
    },
    {
      language: 'en',
      locale: 'C.UTF-8',
      token: 'Bot token',
      who: 'Which chat',
      write: 'Waiting for your message',
      isYou: /Is this you\? Owner \(7001\), private chat/u,
      agent: /Which agent shall write/u,
      folder: 'In which folder',
      next: /Next:\s+│\s+blog-bridge start/u,
    },
  ])('in $language, by Enter and one message to the bot', async (says) => {
    const world = await openNewHome();
    const terminal = openTerminal(['init', '--home', world.home], { ...world.env, LANG: says.locale });
    await terminal.answers('언어 / Language', KEY.enter);
    await terminal.answers(says.token, `${world.telegram.token}${KEY.enter}`);
    await terminal.sees('@my_blog_bot');
    await terminal.answers(says.who, KEY.enter);
    await terminal.sees(says.write);
    world.telegram.say('/blog hello');
    await terminal.answers(says.isYou, KEY.enter);
    await terminal.answers(says.agent, KEY.enter);
    await terminal.answers(says.folder, KEY.enter);
    await terminal.sees('ok     agent.command');
    await terminal.sees(says.next);

    expect(await terminal.exited).toBe(0);
    expect(world.json('config.json')).toEqual({
      telegram: { chatId: 7001, userIds: [7001] },
      agent: CLAUDE,
      language: says.language,
    });
    expectTokenOnlyInEnv({ world, terminal });
    expect(world.telegram.confirmedOffset).toBeUndefined();
    // The message of introduction was an order, and is one for the bot as well.
    await world.bot();
    await world.eventually(() => world.names('spool', 'requests')[0], 'the request');
    expect(world.request(41).text).toBe('hello');
  });

  test('a language other than the likely one goes on below the same heading', async () => {
    const world = await openNewHome();
    const terminal = openTerminal(['init', '--home', world.home], { ...world.env, LANG: 'C.UTF-8' });
    await terminal.answers('언어 / Language', `${KEY.up}${KEY.enter}`);
    await terminal.answers('봇 토큰', KEY.ctrlC);
    expect(await terminal.exited).toBe(1);
    expect(terminal.screen.split('┌')).toHaveLength(2);
  });

  test('Ctrl-C at a question, Ctrl-D, and Ctrl-C while it waits: each ends it, and nothing is written', async () => {
    for (const at of ['question', 'question, Ctrl-D', 'wait']) {
      const { world, terminal } = await openSession({}, '--language', 'en');
      if (at === 'wait') {
        await terminal.answers('Bot token', `${world.telegram.token}${KEY.enter}`);
        await terminal.answers('Which chat', KEY.enter);
        await world.telegram.waitFor(({ isPolled }) => isPolled);
      } else await terminal.sees('Bot token');
      terminal.type(at.endsWith('D') ? KEY.ctrlD : KEY.ctrlC);
      await terminal.sees('init was ended; nothing was written');
      expect(await terminal.exited, at).toBe(1);
      expect(world.names(), at).toEqual(['bin']);
    }
  });

  test('a wrong token is told of and asked for again; Telegram that is away is waited for', async () => {
    const { world, terminal } = await openSession(
      {},
      '--language',
      'en',
      '--chat-id',
      '7001',
      '--agent',
      'sample',
      '--yes',
    );
    await terminal.answers('Bot token', `not a token${KEY.enter}`);
    await terminal.sees('Expected a bot token');
    terminal.type('\u0015');
    terminal.type(`110201543:of_somebody_else${KEY.enter}`);
    await terminal.sees('Telegram refuses this bot token (401)');
    await terminal.sees('Bot token');
    await world.telegram.goOffline();
    terminal.type(`${world.telegram.token}${KEY.enter}`);
    await terminal.sees('refuses the connection');
    await terminal.sees('Try again?');
    await world.telegram.goOnline();
    terminal.type(KEY.enter);
    await terminal.sees('Telegram knows this bot: @my_blog_bot');
    expect(await terminal.exited).toBe(0);
    expectTokenOnlyInEnv({ world, terminal });
  });
});

describe('learning from messages', () => {
  const toTheWait = async (session: Session): Promise<void> => {
    await session.terminal.answers('Bot token', `${session.world.telegram.token}${KEY.enter}`);
    await session.terminal.answers('Which chat', KEY.enter);
  };
  const english = ['--language', 'en', '--agent', 'sample', '--yes'];

  test('in a group an anonymous administrator is refused in words, and privacy mode is explained', async () => {
    const session = await openSession({ standIn: { chat: { id: -1001, title: 'Desk' } } }, ...english);
    const { world, terminal } = session;
    await toTheWait(session);
    await terminal.sees('Waiting for your message');
    world.telegram.say({
      text: '/start@my_blog_bot',
      from: { id: 1087968824, is_bot: true, first_name: 'Group' },
      raw: { sender_chat: { id: -1001, type: 'supergroup', title: 'Desk' } },
    });
    await terminal.sees('under an account that many share');
    world.telegram.say('/start@my_blog_bot');
    await terminal.answers('Is this you? Owner (7001), group "Desk"', KEY.enter);
    await terminal.sees('Privacy mode is on');
    // Set up all the same; what does not work then is told by doctor.
    await terminal.sees('WRONG  privacy mode');
    expect(await terminal.exited).toBe(1);
    expect(world.json('config.json')).toMatchObject({ telegram: { chatId: -1001, userIds: [7001] } });
  });

  test('a bot that sees all of a group gets no words about privacy mode', async () => {
    const standIn = { chat: { id: -1001, title: 'Desk' }, readsAllMessages: true };
    const { world, terminal } = await openSession({ standIn }, ...english, '--chat-id', '-1001', '--user-id', '7001');
    await terminal.answers('Bot token', `${world.telegram.token}${KEY.enter}`);
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).not.toContain('Privacy mode');
  });

  test('who wrote before is offered, a stranger can be denied, and all stays at Telegram', async () => {
    const session = await openSession({}, ...english);
    const { world, terminal } = session;
    const stranger = { id: 666, first_name: '\u001B]0;evil\u0007Stranger' };
    world.telegram.say({ text: 'me first', from: stranger, chat: { id: 666 } });
    await toTheWait(session);
    await terminal.answers('These wrote to the bot already', `${KEY.down}${KEY.enter}`);
    await terminal.sees('Waiting for your message');
    world.telegram.say({ text: 'me again', from: { ...stranger, id: 667 }, chat: { id: 667 } });
    await terminal.answers('Is this you? Stranger (667)', `${KEY.down}${KEY.enter}`);
    await terminal.sees('Waiting for your message');
    world.telegram.say('hello');
    await terminal.answers('Is this you? Owner (7001)', KEY.enter);
    expect(await terminal.exited).toBe(0);
    expect(world.json('config.json')).toMatchObject({ telegram: { chatId: 7001, userIds: [7001] } });
    expect(terminal.raw).not.toContain('evil\u0007');
    expect(world.telegram.updatesWaiting).toHaveLength(3);
    expect(world.telegram.confirmedOffset).toBeUndefined();
  });

  test('another reader of the same bot is named, and so is one that is this home’s own', async () => {
    const session = await openSession({}, ...english);
    const { world, terminal } = session;
    await toTheWait(session);
    await world.telegram.waitFor(({ isPolled }) => isPolled);
    const other = new Api(world.telegram.token, { apiRoot: world.telegram.apiRoot });
    await other.getUpdates({ timeout: 0 });
    await terminal.sees('another program reads the messages of this bot');
    await terminal.answers('What now?', `${KEY.down}${KEY.enter}`);
    await terminal.answers('Chat id', `136817688${KEY.enter}`);
    await terminal.sees('an account that many people share');
    terminal.type(`\u00157001${KEY.enter}`);
    expect(await terminal.exited).toBe(0);
    expect(world.json('config.json')).toMatchObject({ telegram: { chatId: 7001, userIds: [7001] } });

    const bot = await world.bot();
    const again = openTerminal(['init', '--home', world.home, '--language', 'en'], world.env);
    await again.answers('Go on with it?', KEY.enter);
    await again.sees(`The bot of this home is running (pid ${bot.pid})`);
    await again.answers('As it stands: chat 7001', KEY.enter);
    await again.answers('as it stands', KEY.enter);
    await again.answers('In which folder', KEY.enter);
    await again.sees('All stood as you answered');
    await again.sees('is running: start it anew');
    expect(await again.exited).toBe(0);
    expect(bot.events.filter(({ event }) => String(event).includes('trouble'))).toEqual([]);
  });
});

test('what stands is shown as the default, and is changed only after a yes', async () => {
  const settings = {
    telegram: { chatId: 7001, userIds: [7001] },
    agent: { kind: 'sample', timeoutSeconds: 60 },
    gatherSeconds: 2,
  };
  const world = await openNewHome({}, settings);
  writeFileSync(world.path('.env'), `A=1\nTELEGRAM_BOT_TOKEN=${world.telegram.token}\n`);
  for (const answer of ['no', 'yes']) {
    const terminal = openTerminal(['init', '--home', world.home, '--language', 'en'], world.env);
    await terminal.answers('Go on with it?', KEY.enter);
    await terminal.answers('As it stands: chat 7001, user 7001', KEY.enter);
    await terminal.answers('The sample agent (as it stands)', `${KEY.down}${KEY.enter}`);
    await terminal.answers(join(world.home, 'work'), KEY.enter);
    await terminal.sees('agent.kind: "sample" → "command"');
    terminal.type(answer === 'no' ? KEY.enter : `${KEY.up}${KEY.enter}`);
    if (answer === 'no') await terminal.sees('Nothing was written');
    expect(await terminal.exited).toBe(0);
    const [agent, language] = answer === 'no' ? [settings.agent, undefined] : [{ ...CLAUDE, timeoutSeconds: 60 }, 'en'];
    expect(world.json('config.json')).toEqual({ ...settings, agent, language });
    expect(readFileSync(world.path('.env'), 'utf8')).toBe(`A=1\nTELEGRAM_BOT_TOKEN=${world.telegram.token}\n`);
    expect(existsSync(world.path('init.lock'))).toBe(false);
  }
});
