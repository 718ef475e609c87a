/** The services of a home under a real systemd user manager: started, killed, brought back, stopped. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, expect, onTestFinished, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';
import { openUserManager } from '../harness/user-manager.ts';
import { removeFolder } from '../harness/remove-folder.ts';

interface Service {
  part: string;
  file: string;
  enabled: boolean;
  running: boolean;
  pid: number | null;
  path: string;
}

/** Each mark in it means something to systemd, a shell or XML. */
const ODD_NAME = `a b%h $HOME 'c' "d" & <e> 한글`;

async function worldWithManager(context: TestContext, agent?: object): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-service-')));
  // Said before the manager is opened, so that it is done after its end: the services write there while it lives.
  onTestFinished(() => removeFolder(folder));
  const home = join(folder, ODD_NAME);
  mkdirSync(home);
  const env = await openUserManager((note) => context.skip(note));
  const world = await openWorld({ home, env, ...(agent === undefined ? {} : { agent }) });
  const { token, apiRoot } = world.telegram;
  writeFileSync(world.path('.env'), `TELEGRAM_BOT_TOKEN=${token}\nTELEGRAM_API_ROOT=${apiRoot}\n`, { mode: 0o600 });
  return world;
}

async function servicesOf(world: World): Promise<Service[]> {
  const { stdout } = await world.command('service', 'status', '--json');
  return (JSON.parse(stdout) as { services: Service[] }).services;
}

/** Both, once they run as other processes than before. */
async function running(world: World, former: readonly Service[] = []): Promise<Service[]> {
  const find = (): number[] | undefined => {
    const pids = [pidIn(world, 'spool', 'bot.lock'), pidIn(world, 'state', 'consumer.lock')];
    return pids.some((pid) => former.some((service) => service.pid === pid)) ? undefined : pids;
  };
  const pids = await world.eventually(find, 'two new owners', 40_000);
  const services = await servicesOf(world);
  expect(services.map(({ pid }) => pid)).toEqual(pids);
  return services;
}

function pidIn(world: World, ...names: string[]): number {
  return world.json<{ pid: number }>(...names).pid;
}

const systemctl = (world: World, ...args: string[]): string =>
  execFileSync('systemctl', ['--user', ...args], { env: world.env, encoding: 'utf8' });

/** Real restarts take their time, and a slow machine takes it many times over. */
const PATIENCE_MS = 240_000;

test(
  'both services start from a home with an odd name, come back after kill -9, and stop cleanly',
  async (context) => {
    const world = await worldWithManager(context, { kind: 'command', command: ['cat'] });

    const installed = await world.command('service', 'install');
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    expect(installed.stdout).toMatch(
      /^bot: +installed and started +pid \d+ .*\nconsumer: +installed and started +pid \d+ /u,
    );
    const first = await running(world);
    expect(first).toEqual(
      ['bot', 'consumer'].map((part) => expect.objectContaining({ part, file: 'as-planned', enabled: true })),
    );
    for (const { path } of first) {
      expect(readFileSync(path, 'utf8'), 'the token stays in .env').not.toContain(world.telegram.token.split(':')[1]);
    }
    expect((await world.settled(world.telegram.say('/blog one').message_id)).reply?.markdown).toBe('one');

    const again = await world.command('service', 'install');
    expect(again.stdout).toMatch(/^bot: +unchanged; runs already .*\nconsumer: +unchanged; runs already /u);
    expect((await servicesOf(world)).map(({ pid }) => pid)).toEqual(first.map(({ pid }) => pid));

    const healthy = await world.command('doctor');
    expect(healthy.stdout).toMatch(
      /^ok {5}service of the bot: runs \(pid \d+\)\nok {5}service of the consumer: runs \(pid \d+\)$/mu,
    );
    expect(healthy.code).toBe(0);

    for (const { pid } of first) process.kill(pid as number, 'SIGKILL');
    const second = await running(world, first);
    expect((await world.settled(world.telegram.say('/blog two').message_id)).reply?.markdown).toBe('two');

    expect(await world.command('service', 'uninstall')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(world.path('bot.log'), 'utf8')).toMatch(/"event":"bot stopped"\}\n$/u);
    expect(readFileSync(world.path('consumer.log'), 'utf8')).toMatch(/"event":"consumer stopped"\}\n$/u);
    expect([...world.names('spool'), ...world.names('state')].filter((name) => name.endsWith('.lock'))).toEqual([]);
    expect(
      second.every(({ path }) => readdirSync(join(path, '..')).every((name) => !name.startsWith('blog-bridge'))),
    ).toBe(true);
    expect(await world.command('service', 'status')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^bot +not installed .*\nconsumer +not installed /u),
    });
    expect((await world.command('service', 'uninstall')).stdout).toMatch(
      /^No service of .* was installed; nothing was done\.\n$/u,
    );
  },
  PATIENCE_MS,
);

test(
  'a changed PATH restarts both; a wrong configuration ends them once and for all, without a spin',
  async (context) => {
    const world = await worldWithManager(context);
    await world.command('service', 'install');
    const first = await running(world);

    world.env['PATH'] = `${world.env['PATH']}:/opt/further`;
    const changed = await world.command('service', 'install');
    expect(changed.stdout).toMatch(/^bot: +changed and restarted .*\nconsumer: +changed and restarted /u);
    const second = await running(world, first);
    for (const { path } of second)
      expect(readFileSync(path, 'utf8')).toMatch(/^Environment="PATH=.*:\/opt\/further"$/mu);

    writeFileSync(world.path('config.json'), '{}');
    const names = second.map(({ path }) => path.split('/').at(-1) as string);
    systemctl(world, 'restart', ...names);
    await world.eventually(
      () => (services(world).every((state) => state === 'inactive') ? true : undefined),
      'both at rest',
    );
    expect(
      systemctl(world, 'show', '--property=NRestarts', ...names)
        .trim()
        .split(/\n+/u),
    ).toEqual(['NRestarts=0', 'NRestarts=0']);
    expect(readFileSync(world.path('bot.log'), 'utf8')).toContain(
      'config.json: telegram: expected an object, found nothing',
    );

    function services(of: World): string[] {
      return systemctl(of, 'show', '--property=ActiveState', '--value', ...names)
        .trim()
        .split(/\n+/u);
    }
  },
  PATIENCE_MS,
);

test(
  'where the service’s PATH knows no node, the services start all the same',
  async (context) => {
    const world = await worldWithManager(context, { kind: 'command', command: ['cat'] });
    const bin = world.path('bin');
    mkdirSync(bin);
    for (const name of ['cat', 'systemctl']) {
      symlinkSync(
        execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).trim(),
        join(bin, name),
      );
    }
    world.env['PATH'] = bin;

    expect(await world.command('service', 'install')).toMatchObject({ code: 0, stderr: '' });
    const [bot] = await running(world);

    expect(readFileSync(`/proc/${bot?.pid}/environ`, 'utf8').split('\0')).toContain(`PATH=${bin}`);
    expect((await world.settled(world.telegram.say('/blog hello').message_id)).reply?.markdown).toBe('hello');

    const config = world.json<{ agent: object }>('config.json');
    const agent = world.program('agent', '#!/usr/bin/env node\nconsole.log("agent 1");\n');
    writeFileSync(
      world.path('config.json'),
      JSON.stringify({ ...config, agent: { kind: 'command', command: [agent] } }),
    );
    world.env['PATH'] = `${bin}:${process.env['PATH']}`;
    const { code, stdout } = await world.command('doctor');
    expect(code).toBe(1);
    expect(stdout, 'by the service’s PATH, though this shell knows node').toMatch(
      /^WRONG {2}agent\.command: in the environment of the service: .* begins with “#!\/usr\/bin\/env node”: expected a program node, found none/mu,
    );
  },
  PATIENCE_MS,
);
