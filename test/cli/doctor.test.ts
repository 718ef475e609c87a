/** `doctor`: what can be wrong with a home, each thing with its mend. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';
import { parseSettings } from '../../src/core/settings.ts';
import { findingsOf } from '../../src/cli/doctor/checks.ts';
import { homeFolders } from '../../src/platform/home-folders.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { removeFolder } from '../harness/remove-folder.ts';

interface Finding {
  what: string;
  wrong: string | null;
  note: string;
  mend: string;
}

async function examine(world: World, ...args: string[]): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, stdout, stderr } = await world.command('doctor', '--json', ...args);
  expect(stderr).toBe('');
  expect(stdout, 'no token').not.toContain(world.telegram.token.split(':')[1]);
  return { code, findings: JSON.parse(stdout) as Finding[] };
}

/** The same looks without a process of their own, which costs more than they do. */
async function findingsIn(world: World): Promise<Finding[]> {
  const { token, apiRoot } = world.telegram;
  if (!existsSync(world.path('.env')))
    writeFileSync(world.path('.env'), `TELEGRAM_BOT_TOKEN=${token}\nTELEGRAM_API_ROOT=${apiRoot}\n`, { mode: 0o600 });
  const settings = parseSettings(readFileSync(world.path('config.json'), 'utf8'), 'config.json');
  const access = { token, apiRoot };
  return findingsOf({ folders: homeFolders(world.home), settings, access, service: null, thorough: false });
}

/** What is wrong, by name; each has a mend. */
async function wrongIn(world: World): Promise<Record<string, string>> {
  return wrongOf(await findingsIn(world));
}

function wrongOf(findings: Finding[]): Record<string, string> {
  const wrong = findings.filter((finding) => finding.wrong !== null);
  expect(wrong.filter(({ mend }) => mend === '')).toEqual([]);
  return Object.fromEntries(wrong.map((finding) => [finding.what, finding.wrong as string]));
}

/** An update that waits, so that the question for other pollers is answered at once. */
async function worldWithMail(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  const world = await openWorld(options);
  world.telegram.say('waits');
  return world;
}

test('a home in order is told of line by line, and ends with 0; asking changes nothing at Telegram or on disk', async () => {
  const world = await worldWithMail();
  const before = readdirSync(world.home);

  const { code, stdout, stderr } = await world.command('doctor');

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ok {5}config\.json: /u);
  expect(stdout).toMatch(/^ok {5}Telegram takes the token: @blog_bridge_bot$/mu);
  expect(stdout).toMatch(/^ok {5}nobody else polls with this token: something waits for the bot$/mu);
  expect(stdout).toMatch(/^ok {5}chat 7001: private$/mu);
  expect(stdout).toMatch(/^note {3}service: not installed: .*\n {7}blog-bridge service install$/mu);
  expect(stdout).not.toContain('WRONG');
  expect(readdirSync(world.home)).toEqual(before);
  expect(world.telegram.updatesWaiting).toHaveLength(1);
  expect(world.telegram.confirmedOffset).toBeUndefined();
  const [poll] = world.telegram.calls.filter(({ method }) => method === 'getUpdates');
  expect(Object.keys(poll?.params ?? {}).sort(), 'no offset, no allowed_updates').toEqual(['limit', 'timeout']);
});

test('settings, files and agent that are wrong are named, each with its mend', async () => {
  const world = await worldWithMail({
    agent: { kind: 'command', command: ['no-such-agent'], cwd: '..' },
    config: { telegram: { chatId: 7001, userIds: [5] } },
  });
  writeFileSync(world.path('.env'), 'TELEGRAM_BOT_TOKEN=1:x\n');
  chmodSync(world.path('.env'), 0o644);
  for (const folder of ['requests', 'pending'])
    mkdirSync(world.path('spool', folder), { recursive: true, mode: 0o700 });
  mkdirSync(world.path('state'), { mode: 0o755 });
  writeFileSync(world.path('spool', 'home.json'), JSON.stringify({ version: 1, botId: 5, chatId: 7001 }));
  writeFileSync(world.path('spool', 'requests', '42 2.json'), '{}');
  writeFileSync(world.path('spool', 'pending', '.DS_Store'), '');
  for (const folder of ['requests', 'pending']) writeFileSync(world.path('spool', folder, '43.json'), '{"id":"43"}');
  writeFileSync(world.path('spool', 'bot (conflicted copy).lock'), '');
  for (const name of ['._41.json', '41 (1).json', 'an-index.json', 'bot.json.271828'])
    writeFileSync(world.path('state', name), '');
  writeFileSync(world.path('state', '41.json'), '{"sta');
  writeFileSync(world.path('state', '44.json'), '{"version":2}');
  writeFileSync(world.path('state', 'consumer.lock'), 'nonsense');

  const { code, findings } = await examine(world);

  expect(code).toBe(1);
  expect(wrongOf(findings)).toEqual({
    '.env is yours alone': 'others may read it (mode 644)',
    'telegram.userIds': '7001 is a private chat, in which only user 7001 writes, and that one is not in the list',
    'agent.cwd': expect.stringMatching(/ holds this home, so the agent can read and change requests and receipts$/u),
    'agent.command': expect.stringMatching(
      /^in the environment of this shell: agent\.command no-such-agent: expected an executable program, found none of that name on PATH /u,
    ),
    'the home is yours and closed to others': `others may look into or change ${world.path('state')}`,
    'spool/home.json': expect.stringMatching(
      /^this home is bound to bot 5 and chat 7001, the settings name bot \d+ and chat 7001$/u,
    ),
    'names in spool/requests': 'not made by the bridge, and never read: 42 2.json',
    'names in spool/pending': 'not made by the bridge, and never read: .DS_Store',
    'names in spool': 'not made by the bridge, and never read: bot (conflicted copy).lock',
    'names in state': 'not made by the bridge, and never read: ._41.json, 41 (1).json',
    'waiting requests': expect.stringMatching(/^cannot be used: 43\.json: /u),
    receipts: expect.stringMatching(/^cannot be read: 44 \(version 2\), 41 \(.*\) \(all 2 read\)$/u),
    consumer: expect.stringMatching(/consumer\.lock is no lock of this version/u),
  });
});

test.for([777000, 1087968824, 136817688])(
  'a user list with Telegram’s shared account %i is refused, in words, with 78',
  async (id) => {
    const world = await openWorld({ config: { telegram: { chatId: -100, userIds: [7001, id] } } });

    const { code, findings } = await examine(world);

    expect(code).toBe(78);
    expect(findings).toEqual([
      {
        what: 'config.json',
        wrong: `${world.path('config.json')}: telegram.userIds.1: expected the id of one person; this account is shared by many, found ${id}`,
        note: '',
        mend: expect.stringContaining('Correct that key'),
      },
    ]);
  },
);

test('a token that Telegram refuses, and one that there is not, are told apart', async () => {
  const world = await openWorld();
  world.env['TELEGRAM_BOT_TOKEN'] = '110201543:wrong';
  const refused = await examine(world);
  delete world.env['TELEGRAM_BOT_TOKEN'];
  const none = await examine(world);

  expect([refused.code, none.code]).toEqual([1, 1]);
  expect(wrongOf(refused.findings)).toEqual({ 'Telegram takes the token': 'it is answered 401 Unauthorized' });
  expect(wrongOf(none.findings)).toEqual({
    'bot token': expect.stringMatching(/^TELEGRAM_BOT_TOKEN: expected a bot token .* found none$/u),
  });
});

test('where Telegram cannot be reached, doctor looks at the rest all the same and ends with 69', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['no-such-agent'] } });
  await world.telegram.goOffline();

  const { code, findings } = await examine(world);

  expect(code).toBe(69);
  expect(findings.filter(({ wrong }) => wrong !== null).map(({ what, wrong }) => [what, wrong])).toEqual([
    ['Telegram can be reached', expect.stringMatching(/^127\.0\.0\.1:\d+: ECONNREFUSED$/u)],
    ['agent.command', expect.any(String)],
  ]);
});

test('a left-over webhook is named by its host; then nobody is asked for updates', async () => {
  const world = await openWorld();
  const { token, apiRoot } = world.telegram;
  await fetch(`${apiRoot}/bot${token}/setWebhook?url=https://example.org/hook-s3cret`);

  const { stdout } = await world.command('doctor');

  expect(stdout).toMatch(/^WRONG {2}no webhook is set: what people write goes to example\.org instead of here$/mu);
  expect(stdout).not.toContain('s3cret');
  expect(world.telegram.calls.map(({ method }) => method)).not.toContain('getUpdates');
});

test('another program that polls with the token is told of, and takes its updates all the same', async () => {
  const world = await openWorld();
  const { token, apiRoot } = world.telegram;
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const poll = async (): Promise<void> => {
    while (!leave.signal.aborted) {
      await fetch(`${apiRoot}/bot${token}/getUpdates?timeout=30`, { signal: leave.signal }).then(
        (answer) => answer.text(),
        () => '',
      );
    }
  };
  void poll();
  await world.telegram.waitFor((telegram) => telegram.isPolled);

  expect(await wrongIn(world)).toEqual({
    'nobody else polls with this token': 'another program asked for updates meanwhile',
  });
});

test('while the bot of this home runs, its poll is not disturbed, and what troubles it is told', async () => {
  const world = await openWorld();
  const bot = await world.bot();
  await world.telegram.waitFor((telegram) => telegram.isPolled);
  const polls = (): number => world.telegram.calls.filter(({ method }) => method === 'getUpdates').length;
  const before = polls();

  expect(await wrongIn(world)).toEqual({});
  expect(polls()).toBe(before);

  world.telegram.fault(
    { method: 'getUpdates', times: 1_000 },
    { refuse: { code: 409, description: 'Conflict: terminated by other getUpdates request' } },
  );
  world.telegram.say('ends the poll');
  await bot.logged('trouble with Telegram');
  await world.eventually(() => world.json('state', 'bot.json')['lastError'] ?? undefined, 'the heartbeat tells');
  expect(await wrongIn(world)).toEqual({
    bot: expect.stringMatching(/^runs \(pid \d+\), but: another program polls with the same bot token/u),
  });
});

test('of a group: who is in it, who remains anonymous, and the privacy flag where it matters', async () => {
  const config = { telegram: { chatId: -1005, userIds: [7001, 8, 9] } };
  const world = await worldWithMail({ config, standIn: { chat: { id: -1005 } } });
  world.telegram.setMember({ id: 9, first_name: 'Boss' }, 'anonymous');

  expect(await wrongIn(world)).toEqual({
    'privacy mode': 'on: of an album only the photo with the caption arrives, of a long paste only its first part',
    'user 8': 'is not in the group (Bad Request: user not found)',
    'user 9': 'writes as an anonymous administrator, so Telegram does not say that it is them',
  });

  for (const id of [8, 9]) world.telegram.setMember({ id, first_name: 'Friend' }, 'member');
  world.telegram.setMember({ id: world.telegram.botId, first_name: 'Bot', is_bot: true }, 'administrator');
  expect(await wrongIn(world)).toEqual({});

  world.telegram.setMember({ id: world.telegram.botId, first_name: 'Bot', is_bot: true }, 'kicked');
  expect(await wrongIn(world)).toMatchObject({ 'the bot is in the group': 'its status is “kicked”' });

  world.telegram.upgradeToSupergroup(-1006);
  expect(await wrongIn(world)).toMatchObject({ 'chat -1005': 'this group became the supergroup -1006' });
});

test('a group whose messages all reach the bot needs nothing; a chat that it does not know is named', async () => {
  const standIn = { chat: { id: -1005 }, readsAllMessages: true };
  const known = await worldWithMail({ config: { telegram: { chatId: -1005, userIds: [7001] } }, standIn });
  const unknown = await worldWithMail({ config: { telegram: { chatId: 4, userIds: [4] } } });

  expect(await wrongIn(known)).toEqual({});
  expect(await wrongIn(unknown)).toEqual({ 'chat 4': 'the bot does not know it (Bad Request: chat not found)' });
});

test('a clock that differs from Telegram’s by more than a minute is told of', async () => {
  const world = await worldWithMail({ standIn: { now: () => Math.floor(Date.now() / 1000) - 3 * 3600 } });

  expect(await wrongIn(world)).toEqual({
    clock: expect.stringMatching(/^this machine’s clock is 3 h 0 min ahead of Telegram’s$/u),
  });
});

test('the agent of an installed service is asked with the PATH of the service, not that of the shell', async () => {
  const user = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-user-')));
  onTestFinished(() => removeFolder(user));
  const world = await worldWithMail({
    agent: { kind: 'command', command: ['./agent'], cwd: 'desk' },
    env: { HOME: user },
  });
  writeFileSync(
    world.path('.env'),
    `TELEGRAM_BOT_TOKEN=${world.telegram.token}\nTELEGRAM_API_ROOT=${world.telegram.apiRoot}\n`,
    { mode: 0o600 },
  );
  mkdirSync(world.path('desk'));
  world.program('desk/agent', '#!/usr/bin/env node\nconsole.log("agent 1");\n');
  // As a fresh account has it: what is in /usr/bin here, but for node.
  const bin = join(user, 'bin');
  mkdirSync(bin);
  for (const name of ['env', 'sh', 'systemctl']) {
    if (existsSync(`/usr/bin/${name}`)) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  }
  const { stdout } = await world.command('service', 'install', '--dry-run', '--manager', 'systemd');
  const [, unitPath = '', unit = ''] = /^# (\/[^\n]*consumer\.service)\n(.*)$/msu.exec(stdout) ?? [];
  mkdirSync(join(unitPath, '..'), { recursive: true });
  writeFileSync(unitPath, unit.replace(/\n$/u, '').replace(/^Environment=.*$/mu, `Environment="PATH=${bin}"`));

  const { findings } = await examine(world);

  expect(findings.find(({ what }) => what === 'agent.command')).toMatchObject({
    wrong: expect.stringMatching(
      new RegExp(
        `^in the environment of the service: agent\\.command .*/desk/agent begins with “#!/usr/bin/env node”: expected a program node, found none of that name on PATH ${bin}$`,
        'u',
      ),
    ),
    mend: 'In a shell that finds it (and what it needs), run: blog-bridge service install',
  });
  expect(findings.find(({ what }) => what === 'service of the bot')?.wrong).toBe(
    'not installed, though the other one is',
  );
  expect(findings.find(({ what }) => what === 'service of the consumer')?.wrong).toMatch(/^installed, but not /u);
  expect(findings.find(({ what }) => what === 'Node of the service')).toMatchObject({
    wrong: null,
    note: process.versions.node,
  });
});

test('a process that is gone without a word, and one that is stopped, are told apart', async () => {
  const world = await openWorld();
  const bot = await world.bot();
  const consumer = await world.consumer();
  await bot.kill('SIGKILL');
  world.telegram.say('waits');
  const stale = JSON.stringify({
    pid: consumer.pid,
    since: '2020-01-01T00:00:00.000Z',
    lastCompletedAt: '2020-01-01T00:00:00.000Z',
    lastError: null,
  });
  consumer.child.kill('SIGSTOP');
  writeFileSync(world.path('state', 'consumer.json'), stale);

  const wrong = await wrongIn(world);
  consumer.child.kill('SIGCONT');

  expect(wrong).toEqual({
    bot: expect.stringMatching(new RegExp(`^process ${bot.pid}, which ran since .*, is gone without a word`, 'u')),
    consumer: expect.stringMatching(
      new RegExp(
        `^lives \\(pid ${consumer.pid}\\), but has completed nothing for \\d+ d .*: stopped, asleep, or stuck$`,
        'u',
      ),
    ),
  });
});

test('a lock of another machine is told of', async () => {
  const world = await worldWithMail();
  for (const folder of ['spool', 'state']) mkdirSync(world.path(folder), { mode: 0o700 });
  const lock = {
    version: 1,
    pid: 7,
    startTime: '1',
    bootId: 'b',
    machineId: 'other',
    nonce: '0123456789abcdef',
    since: '2026-11-30T09:00:00.000Z',
  };
  writeFileSync(world.path('state', 'consumer.lock'), JSON.stringify(lock), { mode: 0o600 });

  expect(await wrongIn(world)).toEqual({
    consumer: expect.stringMatching(/is held by process 7 of another machine or container since 2026/u),
  });
});

test('a home in a synced folder, of another user, or on a full or read-only disk is told of', async (context) => {
  const disk = mountSmallDisk(2_048, (note) => context.skip(note));
  const home = join(disk.path, 'Dropbox', 'blog');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const world = await worldWithMail({ home });
  const synced = {
    'no program copies the home elsewhere': expect.stringMatching(/ lies in Dropbox, which brings removed files back/u),
  };
  const little = { 'room on the disk': 'only 1 MiB are left' };

  expect(await wrongIn(world)).toEqual({ ...synced, ...little });

  chownSync(world.path('config.json'), 4711, 4711);
  expect(await wrongIn(world)).toMatchObject({
    'the home is yours and closed to others': expect.stringMatching(
      /config\.json belongs to user 4711, and you are user \d+$/u,
    ),
  });

  disk.fill();
  expect(await wrongIn(world)).toMatchObject({
    'hard links and folder sync': expect.stringMatching(/write failed \(ENOSPC\)$/u),
  });
  disk.free();
  await disk.setReadOnly(true);
  expect(await wrongIn(world)).toMatchObject({
    'hard links and folder sync': expect.stringMatching(/write failed \(EROFS\)$/u),
  });
});
