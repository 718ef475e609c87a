/** `init` without a terminal: every answer is an option, and a missing one is named. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from 'grammy';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryName } from '../../src/platform/temporary-files.ts';
import { type StandIn, openStandIn } from '../../src/stand-in/stand-in.ts';
import { type Ended, command } from './home-on-disk.ts';

let telegram: StandIn;
let folder: string;
let home: string;
let env: NodeJS.ProcessEnv;
let homes = 0;

beforeAll(async () => {
  telegram = await openStandIn({ firstMessageId: 41, botUsername: 'my_blog_bot', readsAllMessages: true });
  telegram.say({ text: '/start', chat: { id: -1001, title: 'Desk' } });
  telegram.setMember(7002, 'member', -1001);
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-init-')));
  for (const name of ['claude', 'claude-agent-acp', 'codex'])
    writeFileSync(join(folder, name), '#!/bin/sh\ncat\n', { mode: 0o755 });
});
beforeEach(() => {
  homes += 1;
  home = join(folder, `home ${homes}`);
  env = {
    npm_command: '',
    TELEGRAM_API_ROOT: telegram.apiRoot,
    TELEGRAM_BOT_TOKEN: telegram.token,
    LANG: 'C',
    HOME: folder,
    PATH: `${folder}:/usr/bin:/bin`,
  };
});
afterAll(async () => {
  await telegram.close();
  rmSync(folder, { recursive: true, force: true });
});

const BASE = ['--chat-id', '7001', '--agent', 'sample'];
const init = (...args: string[]): Promise<Ended> => command(['init', '--home', home, ...args], env);
const text = (name: string): string => readFileSync(join(home, name), 'utf8');
const config = (): unknown => JSON.parse(text('config.json'));

function expectTokenOnlyInEnv({ stdout, stderr }: Ended): void {
  const secret = telegram.token.split(':')[1] ?? '';
  expect(stdout + stderr).not.toContain(secret);
  const others = readdirSync(home).filter((name) => name !== '.env' && statSync(join(home, name)).isFile());
  for (const name of others) expect(text(name), name).not.toContain(secret);
}

describe('options alone', () => {
  test('set a home up that doctor finds in order, and name the next command', async () => {
    mkdirSync(join(folder, 'blog'), { recursive: true });
    const agent = ['--agent', 'claude', '--agent-cwd', join(folder, 'blog')];
    const ended = await init('--chat-id', '-1001', '--user-id', '7001', '7002', ...agent, '--language', 'ko');

    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('ok     agent.command');
    expect(ended.stdout).toContain(`blog-bridge start --home '${home}'`);
    expect(config()).toEqual({
      telegram: { chatId: -1001, userIds: [7001, 7002] },
      agent: {
        kind: 'command',
        command: ['claude', '-p', '--session-id', '{sessionId}'],
        resumeCommand: ['claude', '-p', '--resume', '{sessionId}'],
        cwd: join(folder, 'blog'),
      },
      language: 'ko',
    });
    expect(text('.env')).toBe(`TELEGRAM_BOT_TOKEN=${telegram.token}\n`);
    expect([home, join(home, '.env'), join(home, 'config.json')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o600, 0o600,
    ]);
    expectTokenOnlyInEnv(ended);
    expect(readdirSync(home).sort()).toEqual(['.env', 'config.json']);
  });

  test('--yes takes the best agent that is there', async () => {
    await init('--user-id', '7001', '--yes');
    expect(config()).toMatchObject({
      telegram: { chatId: 7001, userIds: [7001] },
      agent: { kind: 'acp', command: ['claude-agent-acp'], mode: 'default' },
    });
  });

  test('a command of one’s own is cut into words, and no shell sees it', async () => {
    const typed = `sh -c 'echo "$HOME"; cat'`;
    expect(await init('--chat-id', '7001', '--agent-command', typed)).toMatchObject({ code: 0 });
    expect(config()).toMatchObject({ agent: { kind: 'command', command: ['sh', '-c', 'echo "$HOME"; cat'] } });
  });

  test('the token may come from a file, with or without its name, or from the environment; the file goes first', async () => {
    const file = join(folder, 'token');
    writeFileSync(file, `TELEGRAM_BOT_TOKEN=${telegram.token}\n`);
    env['TELEGRAM_BOT_TOKEN'] = `${telegram.botId}:another_one`;
    const ended = await init(...BASE, '--token-file', file);
    expect(ended.stderr).toContain('wins over .env');
    expect(ended.stderr).not.toContain('another_one');
    expect(text('.env')).toBe(`TELEGRAM_BOT_TOKEN=${telegram.token}\n`);
    expectTokenOnlyInEnv(ended);
  });
});

describe.concurrent('what is missing or wrong is named, exit 64, and nothing is written:', () => {
  test.for<[string, string[], NodeJS.ProcessEnv]>([
    ['--token-file', [...BASE], { TELEGRAM_BOT_TOKEN: '' }],
    [
      '--token-file /no/such/file: expected a file that can be read, found none (ENOENT)',
      [...BASE, '--token-file', '/no/such/file'],
      {},
    ],
    ['--chat-id', ['--agent', 'sample'], {}],
    ['--user-id', ['--chat-id', '-1001', '--agent', 'sample'], {}],
    ['--agent', ['--chat-id', '7001'], {}],
    ['only user 7001 can write', [...BASE, '--user-id', '7002'], {}],
    ['777000 is an account', [...BASE, '--user-id', '7001', '777000'], {}],
    ['--chat-id: Expected whole numbers', ['--chat-id', '@desk', '--agent', 'sample'], {}],
    ['expected one of claude-agent-acp', ['--chat-id', '7001', '--agent', 'copilot'], {}],
    ['--agent gemini: expected that program', ['--chat-id', '7001', '--agent', 'gemini'], {}],
    [
      'no-such cannot be started: expected an executable program, found none of that name',
      ['--chat-id', '7001', '--agent-command', 'no-such x'],
      {},
    ],
    ['expected a folder, found none', [...BASE, '--agent-cwd', '/no/such/folder'], {}],
    ['holds this home', [...BASE, '--agent-cwd', '/'], {}],
    ['Expected seconds', [...BASE, '--timeout', 'soon'], {}],
  ])('%s', async ([words, args, variables], { expect: expectHere }) => {
    homes += 1;
    const own = join(folder, `home ${homes}`);
    const ended = await command(['init', '--home', own, ...args], { ...env, ...variables });
    expectHere(ended).toMatchObject({ code: 64, stderr: expect.stringContaining(words) as string });
    expectHere(existsSync(own) ? readdirSync(own) : []).toEqual([]);
    expectHere(ended.stdout + ended.stderr).not.toContain(telegram.token);
  });
});

describe('Telegram', () => {
  test('a left-over webhook is named by its host and removed, and what waits stays', async () => {
    const api = new Api(telegram.token, { apiRoot: telegram.apiRoot });
    telegram.say('/blog still here');
    await api.setWebhook('https://old.example.org/a-secret-path');
    const ended = await init(...BASE);
    expect(ended.stderr).toMatch(/to old\.example\.org\. It is removed.*2 waiting messages stay/u);
    expect(ended.stdout + ended.stderr).not.toContain('a-secret-path');
    expect((await api.getWebhookInfo()).url).toBe('');
    expect(telegram.updatesWaiting).toMatchObject([{}, { message: { text: '/blog still here' } }]);
    expect(telegram.confirmedOffset).toBeUndefined();
  });

  test('a chat that the bot does not know, and privacy mode in a group, are told of', async () => {
    const shy = await openStandIn({ botUsername: 'my_blog_bot' });
    onTestFinished(() => shy.close());
    Object.assign(env, { TELEGRAM_API_ROOT: shy.apiRoot, TELEGRAM_BOT_TOKEN: shy.token });
    const { stderr } = await init('--chat-id', '-1009', '--user-id', '7001', '--agent', 'sample');
    expect(stderr).toContain('Telegram tells this bot of no chat -1009');
    expect(stderr).toContain('Privacy mode is on');
  });
});

describe('what stands already', () => {
  const standing = {
    telegram: { chatId: 7001, userIds: [7001, 7002] },
    agent: { kind: 'sample', timeoutSeconds: 60 },
    gatherSeconds: 3,
  };

  beforeEach(() => {
    mkdirSync(home);
    writeFileSync(join(home, 'config.json'), JSON.stringify(standing));
    writeFileSync(join(home, '.env'), `# mine\nHTTP_PROXY=x\nTELEGRAM_BOT_TOKEN=${telegram.token}\n`);
    delete env['TELEGRAM_BOT_TOKEN'];
  });

  test('is kept with --yes, byte by byte; only the mode of .env is made good', async () => {
    chmodSync(join(home, '.env'), 0o644);
    const before = [text('config.json'), text('.env')];
    expect(await init('--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing had to be written') as string,
    });
    expect([text('config.json'), text('.env')]).toEqual(before);
    expect(statSync(join(home, '.env')).mode & 0o777).toBe(0o600);
  });

  test('is not changed without --force, not even with --yes', async () => {
    const ended = await init('--yes', '--chat-id', '-1001', '--user-id', '7001');
    expect(ended).toMatchObject({ code: 64, stderr: expect.stringContaining('expected --force') as string });
    expect(config()).toEqual(standing);
  });

  test('is changed with --force, where it was asked, and nowhere else', async () => {
    expect(await init('--force', '--chat-id', '-1001', '--user-id', '7001', '--agent', 'claude')).toMatchObject({
      code: 0,
    });
    expect(config()).toMatchObject({
      telegram: { chatId: -1001, userIds: [7001] },
      agent: { kind: 'command', timeoutSeconds: 60 },
      gatherSeconds: 3,
    });
  });

  test('another token replaces the former one, which stays nowhere', async () => {
    writeFileSync(join(home, '.env'), '# mine\nTELEGRAM_BOT_TOKEN=99:the_former_token_that_is_long\nHTTP_PROXY=x\n');
    env['TELEGRAM_BOT_TOKEN'] = telegram.token;
    expect(await init('--yes')).toMatchObject({ code: 64 });
    expect(text('.env')).toContain('99:the_former');
    expect(await init('--yes', '--force')).toMatchObject({ code: 0 });
    expect(text('.env')).toBe(`# mine\nTELEGRAM_BOT_TOKEN=${telegram.token}\nHTTP_PROXY=x\n`);
    for (const name of readdirSync(home)) expect(text(name)).not.toContain('the_former');
  });

  test('settings that cannot be used are set aside, not lost', async () => {
    writeFileSync(join(home, 'config.json'), '{ "telegram": oops');
    expect(await init(...BASE)).toMatchObject({ code: 64 });
    const ended = await init(...BASE, '--force');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('text that is no JSON');
    expect(text('config.json.unusable-1')).toBe('{ "telegram": oops');
    expect(config()).toEqual({ telegram: { chatId: 7001, userIds: [7001] }, agent: { kind: 'sample' } });
  });

  test('a link stays a link, and its target is replaced', async () => {
    const target = join(folder, `settings-${homes}.json`);
    writeFileSync(target, text('config.json'));
    rmSync(join(home, 'config.json'));
    symlinkSync(target, join(home, 'config.json'));
    expect(await init('--yes', '--force', '--user-id', '7001')).toMatchObject({ code: 0 });
    expect(lstatSync(join(home, 'config.json')).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({ telegram: { userIds: [7001] } });
  });

  test('what an init that was killed left half written is cleared away', async () => {
    const left = join(home, temporaryName().replace(/^\d+/u, '999999'));
    writeFileSync(left, 'TELEGRAM_BOT_TOKEN=99:half');
    expect(await init('--yes')).toMatchObject({ code: 0 });
    expect(existsSync(left)).toBe(false);
  });

  test('a home that is bound to another chat is told of, with the command that mends it', async () => {
    mkdirSync(join(home, 'spool'));
    writeFileSync(join(home, 'spool', 'home.json'), JSON.stringify({ version: 1, botId: telegram.botId, chatId: 5 }));
    const { stderr } = await init('--yes');
    expect(stderr).toContain(`"blog-bridge rebind --home '${home}'" sets it aside`);
  });
});

test('of inits at once with different answers one writes, and the others say so and change nothing', async () => {
  const ended = await Promise.all([7001, 7002, 7003].map((id) => init('--chat-id', String(id), '--agent', 'sample')));
  const isWinner = ({ stdout }: Ended): boolean => stdout.includes('Written:');
  const winners = ended.flatMap((one, index) => (isWinner(one) ? [7001 + index] : []));
  expect(winners).toHaveLength(1);
  expect(config()).toMatchObject({ telegram: { chatId: winners[0] } });
  for (const { code, stderr } of ended.filter((one) => !isWinner(one))) {
    // Whether the other had written before this one looked, or after.
    expect([1, 64]).toContain(code);
    expect(stderr).toMatch(/another init or a person wrote it meanwhile|expected --force/u);
  }
  expect(existsSync(join(home, 'init.lock'))).toBe(false);
});

test('the lock of an init that was killed is taken over', async () => {
  mkdirSync(join(home, 'init.lock'), { recursive: true });
  utimesSync(join(home, 'init.lock'), 1, 1);
  expect(await init(...BASE)).toMatchObject({ code: 0 });
});
