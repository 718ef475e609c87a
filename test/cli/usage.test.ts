/** How the command line is used, and what it says where it is used wrongly (contract §8). */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HomeOnDisk, command } from './home-on-disk.ts';

const COMMANDS = ['init', 'start', 'bot', 'consumer', 'status', 'show', 'resend', 'rerun', 'resolve', 'demo'];

test('--help names every command, and each command’s own help its options; no home is needed for it', async () => {
  const [all, ...each] = await Promise.all([
    command(['--help']),
    ...COMMANDS.map((name) => command([name, '--help', '--home', '/no/such/folder'])),
  ]);

  expect(all).toMatchObject({ code: 0, stderr: '' });
  for (const [index, name] of COMMANDS.entries()) {
    expect(all.stdout).toMatch(new RegExp(`^  ${name} `, 'mu'));
    const { code, stdout, stderr } = each[index] ?? all;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: blog-bridge ${name} `, 'u'));
    expect(stdout).toContain('--home <dir>');
    expect(stdout.includes('--json'), `${name} --json`).toBe(
      ['status', 'show', 'resend', 'rerun', 'resolve'].includes(name),
    );
    expect(stdout.includes('--service'), `${name} --service`).toBe(['start', 'bot', 'consumer'].includes(name));
  }
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await command(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

describe.concurrent('wrong use ends with 64, in one or two lines on stderr', () => {
  test.for([
    { args: ['bogus'], words: /^blog-bridge: unknown command 'bogus'/u },
    { args: ['status', '--bogus'], words: /^blog-bridge: unknown option '--bogus'/u },
    { args: ['show'], words: /missing required argument 'id'/u },
    { args: ['show', '41', '42'], words: /too many arguments/u },
    { args: ['resolve', '41'], words: /expected one of --sent and --failed/u },
    { args: ['resolve', '41', '--sent', '--failed'], words: /expected one of --sent and --failed/u },
    { args: ['demo', '--once', ' '], words: /expected some words, found none/u },
    { args: ['status', '--home'], words: /argument missing/u },
  ])('$args', async ({ args, words }, { expect: expectHere }) => {
    const { code, stdout, stderr } = await command(args);

    expectHere({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expectHere(stderr).toMatch(words);
    expectHere(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  });

  test('no command at all, which shows the help', async ({ expect: expectHere }) => {
    const { code, stdout, stderr } = await command([]);

    expectHere({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expectHere(stderr).toMatch(/^Usage: blog-bridge/u);
  });
});

test('the home is --home, else BLOG_BRIDGE_HOME, else the current folder; its real path is its identity', async () => {
  const [named, ofEnvironment, current] = ['a', 'b', 'c'].map((language) => new HomeOnDisk({ language }));
  const link = join(ofEnvironment?.path ?? '', 'link');
  symlinkSync(named?.path ?? '', link);
  // Each of these configurations is wrong, and the words name the one that was read.
  const read = async (args: string[], home?: string): Promise<string> => {
    const { stderr } = await command(
      ['status', ...args],
      home === undefined ? {} : { BLOG_BRIDGE_HOME: home },
      current?.path,
    );
    return /blog-bridge: (.*)\/config\.json/u.exec(stderr)?.[1] ?? stderr;
  };

  expect(
    await Promise.all([
      read(['--home', named?.path ?? ''], ofEnvironment?.path),
      read(['--home', link], ofEnvironment?.path),
      read([], ofEnvironment?.path),
      read([], ''),
      read([]),
    ]),
  ).toEqual([named?.path, named?.path, ofEnvironment?.path, current?.path, current?.path]);
});

test('a wrong configuration ends with 78 and two lines: which key, expected, found, and what to do', async () => {
  const home = new HomeOnDisk({ telegram: { chatId: 7001, userIds: '7001' }, agent: { kind: 'sample' } });

  const [ofHome, noHome, noConfig, debug] = await Promise.all([
    home.command('show', '41'),
    command(['status', '--home', '/no/such/folder']),
    command(['rerun', '41', '--home', '/']),
    home.command('status', '--debug'),
  ]);

  for (const { code, stdout } of [ofHome, noHome, noConfig, debug])
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  expect(ofHome.stderr).toBe(
    `blog-bridge: ${home.path}/config.json: telegram.userIds: expected a list, found "7001"\nCorrect that key; README.md lists them all.\n`,
  );
  expect(noHome.stderr).toMatch(
    /^blog-bridge: \/no\/such\/folder: expected the folder of a home, found none.*\nLet "blog-bridge init.*--home\.\n$/u,
  );
  expect(noConfig.stderr).toMatch(
    /^blog-bridge: \/config\.json: expected the settings of this home, found no such file\n.*\n$/u,
  );
  expect(debug.stderr, 'where it came from is told on request').toMatch(/^\s+at .*settings/mu);
});

test.for([
  { what: 'no token', env: {}, words: /TELEGRAM_BOT_TOKEN: expected a bot token .* found none/u },
  {
    what: 'a token that is none',
    env: { TELEGRAM_BOT_TOKEN: 'hush-hush' },
    words: /TELEGRAM_BOT_TOKEN: .* found another text/u,
  },
  {
    what: 'an address that is none',
    env: { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_API_ROOT: 'nowhere' },
    words: /TELEGRAM_API_ROOT: expected an address/u,
  },
  {
    what: 'a file where a folder should be',
    env: { TELEGRAM_BOT_TOKEN: '1:x' },
    spool: 'a file',
    words: /spool: expected a folder/u,
  },
])('with $what bot, consumer and start end with 78, and with --service with 0', async ({ env, words, spool }) => {
  const home = new HomeOnDisk();
  if (spool !== undefined) home.write('spool', spool);
  const args = ['--home', home.path];

  const ends = await Promise.all([
    command(['bot', ...args], env),
    command(['start', ...args], env),
    command(['consumer', '--service', ...args], env),
  ]);

  expect(ends.map(({ code }) => code)).toEqual([78, 78, 0]);
  for (const { stderr } of ends) {
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('hush-hush');
  }
});

test('.env gives the token where the environment does not; a folder in its place is refused', async () => {
  const home = new HomeOnDisk();
  home.write('.env', 'TELEGRAM_BOT_TOKEN="7:of-the-file"\nTELEGRAM_API_ROOT=nowhere\n');
  const other = new HomeOnDisk();
  mkdirSync(join(other.path, '.env'));

  const [ofFile, ofEnvironment, ofFolder] = await Promise.all([
    home.command('bot'),
    command(['bot', '--home', home.path], { TELEGRAM_BOT_TOKEN: 'none' }),
    other.command('bot'),
  ]);

  expect(ofFile.stderr, 'the token was taken, and only the address is wrong').toMatch(
    /TELEGRAM_API_ROOT: .* found "nowhere"/u,
  );
  expect(ofEnvironment.stderr).toMatch(/TELEGRAM_BOT_TOKEN: .* found another text/u);
  expect(ofFolder).toMatchObject({ code: 78, stderr: expect.stringContaining('.env: expected a regular file') });
});
