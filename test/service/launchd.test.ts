/** The agents of a home under a stand-in for launchd, which starts what the property lists say. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';
import { needsTool } from '../harness/required-tool.ts';
import { removeFolder } from '../harness/remove-folder.ts';

const FAKE = fileURLToPath(new URL('../harness/fake-launchctl.sh', import.meta.url));
const START = fileURLToPath(new URL('../harness/start-plist.mjs', import.meta.url));

interface Mac {
  world: World;
  agents: string;
  service: (...args: string[]) => ReturnType<World['command']>;
  /** The calls since the last time that were more than looking. */
  calls: () => string[];
}

async function macWorld(): Promise<Mac> {
  const user = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-mac-')));
  const bin = join(user, 'bin');
  const loaded = join(user, 'launchd');
  const home = join(user, `<b> & 'c' "d" 한글 @HOME@ $x`);
  for (const folder of [bin, loaded, home]) mkdirSync(folder);
  copyFileSync(FAKE, join(bin, 'launchctl'));
  const env = { HOME: user, LAUNCHD_FOLDER: loaded, NODE: process.execPath, START, PATH: `${bin}:/usr/bin:/bin` };
  onTestFinished(async () => {
    for (const name of readdirSync(loaded).filter((one) => one.endsWith('.job'))) {
      endQuietly(Number(readFileSync(join(loaded, name), 'utf8')));
    }
    removeFolder(user);
  });
  const world = await openWorld({ home, env, agent: { kind: 'command', command: ['cat'] } });
  const { token, apiRoot } = world.telegram;
  writeFileSync(world.path('.env'), `TELEGRAM_BOT_TOKEN=${token}\nTELEGRAM_API_ROOT=${apiRoot}\n`, { mode: 0o600 });
  const log = join(loaded, 'calls');
  return {
    world,
    agents: join(user, 'Library', 'LaunchAgents'),
    service: (...args) => world.command('service', ...args, '--manager', 'launchd'),
    calls: () => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      rmSync(log, { force: true });
      return lines.filter((line) => !line.startsWith('print '));
    },
  };
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

test('both agents are loaded and run with the PATH of the shell; twice changes nothing; a new PATH loads them anew; uninstall stops them', async () => {
  const { world, agents, service, calls } = await macWorld();
  const domain = `gui/${process.getuid?.()}`;

  const installed = await service('install');
  expect(installed).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^bot: +installed and started/u),
  });
  const [bot = '', consumer = ''] = readdirSync(agents).sort();
  const labels = [bot, consumer].map((name) => name.replace(/\.plist$/u, ''));
  expect(calls()).toEqual(
    labels.flatMap((label) => [`enable ${domain}/${label}`, `bootstrap ${domain} ${join(agents, label)}.plist`]),
  );
  const owners = await world.eventually(() => ownersOf(world), 'both locks');
  expect(readFileSync(`/proc/${owners[1]}/environ`, 'utf8').split('\0').sort()).toEqual(
    ['', `HOME=${world.env['HOME']}`, `PATH=${world.env['PATH']}`].sort(),
  );
  expect((await world.settled(world.telegram.say('/blog hello').message_id)).reply?.markdown).toBe('hello');
  for (const name of [bot, consumer])
    expect(readFileSync(join(agents, name), 'utf8')).not.toContain(world.telegram.token.split(':')[1]);

  expect((await service('install')).stdout).toMatch(
    /^bot: +unchanged; runs already .*\nconsumer: +unchanged; runs already /u,
  );
  expect(calls()).toEqual([]);
  expect(await service('status')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^bot +running +pid \d+ /u) });

  world.env['PATH'] = `${world.env['PATH']}:/opt/homebrew/bin`;
  expect((await service('install')).stdout).toMatch(/^bot: +changed and restarted/u);
  expect(calls().map((line) => line.split(' ')[0])).toEqual([
    'bootout',
    'bootout',
    'enable',
    'bootstrap',
    'enable',
    'bootstrap',
  ]);

  const [newBot = 0] = await world.eventually(() => ownersOf(world, owners), 'two new owners');
  process.kill(newBot, 'SIGTERM');
  await world.eventually(() => (lives(newBot) ? undefined : true), 'the bot gone');
  expect((await service('install')).stdout, 'what has ended is started again').toMatch(
    /^bot: +unchanged; started .*\nconsumer: +unchanged; runs/u,
  );

  expect((await service('uninstall')).stdout).toMatch(/^Stopped and removed:\n/u);
  expect(readdirSync(agents)).toEqual([]);
  await world.eventually(() => (ownersOf(world) === undefined ? true : undefined), 'no owners');
  expect(readFileSync(world.path('consumer.log'), 'utf8')).toMatch(/"event":"consumer stopped"\}\n$/u);
}, 240_000);

/** Pids of bot and consumer; undefined until both run, as others than before. */
function ownersOf(world: World, former: readonly number[] = []): number[] | undefined {
  const pids = [world.path('spool', 'bot.lock'), world.path('state', 'consumer.lock')].map((path) =>
    existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { pid: number }).pid : 0,
  );
  return pids.includes(0) || pids.some((pid) => former.includes(pid)) ? undefined : pids;
}

test('a Mac on which nobody is logged in is told of, and nothing is written', async () => {
  const { world, agents, service } = await macWorld();
  writeFileSync(
    join(world.env['HOME'] ?? '', 'bin', 'launchctl'),
    '#!/bin/sh\necho "Domain does not support specified action" >&2\nexit 125\n',
  );

  const { code, stderr } = await service('install');

  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^blog-bridge: launchctl print gui\/\d+: expected your session, found: Domain does not support .*\nLog in at the screen/u,
  );
  expect(existsSync(agents)).toBe(false);
});

test('the property lists are ones that plistutil takes, and hold every path as it is', async (context) => {
  needsTool('plistutil', 'libplist-utils', (note) => context.skip(note));
  const { world, service } = await macWorld();

  const { stdout } = await service('install', '--dry-run');

  const lists = stdout.split(/^# .*\.plist$/mu).slice(1);
  expect(lists).toHaveLength(2);
  for (const list of lists) {
    const binary = execFileSync('plistutil', ['-i', '-', '-f', 'bin'], { input: list.trim() });
    expect(binary.subarray(0, 8).toString()).toBe('bplist00');
    const again = execFileSync('plistutil', ['-i', '-', '-f', 'xml'], { input: binary, encoding: 'utf8' });
    const strings = [...again.matchAll(/<string>([^<]*)<\/string>/gu)].map(([, text = '']) =>
      text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    );
    expect(strings).toContain(world.home);
    expect(strings).toContain(world.env['PATH']);
    expect(again).toMatch(/<key>ExitTimeOut<\/key>\s*<integer>30<\/integer>/u);
    expect(again).toMatch(/<key>ThrottleInterval<\/key>\s*<integer>10<\/integer>/u);
  }
  for (const part of ['bot', 'consumer']) {
    execFileSync('plistutil', [
      '-i',
      fileURLToPath(new URL(`../../launchd/blog-bridge.${part}.plist`, import.meta.url)),
      '-f',
      'bin',
    ]);
  }
});
