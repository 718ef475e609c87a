/** What stands in the files of a service, before any manager reads them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PLAIN_PATH, capturedPath, lastingNode } from '../../src/service/captured-path.ts';
import { launchdPlist, readPlist } from '../../src/service/launchd-plist.ts';
import { homeTag } from '../../src/service/service-plan.ts';
import { variablesIn } from '../../src/service/systemd.ts';
import { readUnit, systemdUnit } from '../../src/service/systemd-unit.ts';
import { HomeOnDisk, command } from '../cli/home-on-disk.ts';
import { needsTool } from '../harness/required-tool.ts';

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-files-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const ODD = String.raw`/x/a b%h $HOME $$ 'c' "d" \e & <f> @PATH@ 한글`;

test.for(['bot', 'consumer'] as const)('the unit of the %s is one that systemd-analyze takes', (part, context) => {
  needsTool('systemd-analyze', 'systemd', (note) => context.skip(note));
  const folder = scratch();
  const home = join(folder, `a b%h $HOME 'c' "d" & 한글`);
  mkdirSync(home);
  const path = join(folder, `blog-bridge-${homeTag(home)}-${part}.service`);
  const main = join(home, 'main.js');
  writeFileSync(path, systemdUnit({ home, node: process.execPath, main, path: `/usr/bin:${home}/bin` }, part));

  const env = { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder };
  const words = execFileSync('systemd-analyze', ['--user', 'verify', path], { env, encoding: 'utf8', stdio: 'pipe' });

  expect(words).toBe('');
});

test('systemd-analyze is asked about what it can find wrong', (context) => {
  needsTool('systemd-analyze', 'systemd', (note) => context.skip(note));
  const folder = scratch();
  const path = join(folder, 'x.service');
  writeFileSync(path, systemdUnit({ home: folder, node: '/no/such/node', main: '/m', path: '/p' }, 'bot'));
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder };

  expect(() => execFileSync('systemd-analyze', ['--user', 'verify', path], { env, stdio: 'pipe' })).toThrow(
    /no\/such\/node/u,
  );
});

test('program and PATH are read back from both kinds of file as they were', () => {
  const plan = { home: '/h', node: `${ODD}/node`, main: '/m', path: `${ODD}/bin:/usr/bin` };
  const wanted = { node: plan.node, path: plan.path };

  expect(readUnit(systemdUnit(plan, 'bot'))).toEqual(wanted);
  expect(readPlist(launchdPlist(plan, 'bot', 'label'))).toEqual(wanted);
  expect([readUnit('[Service]\nExecStart=/bin/true\n'), readPlist('<plist/>')]).toEqual([null, null]);
});

test.for(['/h\nExecStart=/bin/evil', '/h\u0000', '/h\u001B[2J', '/h\uD800'])(
  'a home whose path no file can hold is refused: %j',
  (home) => {
    const plan = { home, node: '/n', main: '/m', path: '/p' };

    expect(() => systemdUnit(plan, 'bot')).toThrow(/expected a path without control characters/u);
    expect(() => launchdPlist(plan, 'bot', 'label')).toThrow(/expected a path without control characters/u);
  },
);

test.for(['/h ', '/h\\'])('a home whose path would join the next line of a unit is refused: %j', (home) => {
  expect(() => systemdUnit({ home, node: '/n', main: '/m', path: '/p' }, 'bot')).toThrow(
    /does not end with a space or a backslash/u,
  );
});

test('the name of a service is that of its folder, and of this folder only', () => {
  expect(homeTag('/Users/me/My Blog')).toMatch(/^my-blog-[0-9a-f]{8}$/u);
  expect(homeTag('/Users/me/My Blog')).toBe(homeTag('/Users/me/My Blog'));
  expect(homeTag('/Users/me/My Blog')).not.toBe(homeTag('/Users/you/My Blog'));
  expect(homeTag('/집/블로그')).toMatch(/^[0-9a-f]{8}$/u);
});

test('of the shell’s PATH a service gets what stays: no folders of one command, of one shell, or relative ones', () => {
  const folder = scratch();
  const real = join(folder, 'versions', 'bin');
  mkdirSync(real, { recursive: true });
  mkdirSync(join(folder, 'fnm_multishells'));
  symlinkSync(join(folder, 'versions'), join(folder, 'fnm_multishells', '17_42'));

  expect(
    capturedPath(
      `/p/node_modules/.bin:/x/node-gyp-bin:.:bin::/usr/bin/:/usr/bin:${folder}/fnm_multishells/17_42/bin:/bin`,
    ),
  ).toBe(`/usr/bin:${real}:/bin`);
  expect([capturedPath(undefined), capturedPath(''), capturedPath('bin:.')]).toEqual([
    PLAIN_PATH,
    PLAIN_PATH,
    PLAIN_PATH,
  ]);
});

test('node is named as PATH names it, which an upgrade keeps, where that is this very node', () => {
  const folder = scratch();
  for (const name of ['cellar', 'bin', 'other']) mkdirSync(join(folder, name));
  const running = join(folder, 'cellar', 'node');
  writeFileSync(running, '');
  writeFileSync(join(folder, 'other', 'node'), '');
  symlinkSync(running, join(folder, 'bin', 'node'));

  expect(lastingNode(running, `${folder}/other:${folder}/bin`)).toBe(join(folder, 'bin', 'node'));
  expect(lastingNode(running, `${folder}/other`)).toBe(running);
});

test('what systemd quotes for a shell is read as it is', () => {
  expect(variablesIn("LANG=ko_KR.UTF-8\nODD=$'a \\'b\\' \\\\ c\\nd'\nEMPTY=\n")).toEqual({
    LANG: 'ko_KR.UTF-8',
    ODD: "a 'b' \\ c\nd",
    EMPTY: '',
  });
});

test.for([
  {
    what: 'a token that only this shell holds',
    config: undefined,
    code: 78,
    words: /\.env: expected TELEGRAM_BOT_TOKEN as in this shell/u,
  },
  { what: 'a wrong configuration', config: {}, code: 78, words: /telegram: expected an object, found nothing/u },
])('install refuses $what', async ({ config, code, words }) => {
  const home = new HomeOnDisk(config);

  const ended = await command(['service', 'install', '--home', home.path], { TELEGRAM_BOT_TOKEN: '1:x' });

  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(words) });
});

test('where no user manager runs, install says so and writes nothing', async () => {
  const home = new HomeOnDisk();
  home.write('.env', 'TELEGRAM_BOT_TOKEN=1:x\n');
  const user = scratch();

  const ended = await command(['service', 'install', '--home', home.path, '--manager', 'systemd'], {
    HOME: user,
    XDG_RUNTIME_DIR: join(user, 'run'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${user}/run/bus`,
  });

  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(
    /^blog-bridge: systemctl --user: expected a running user manager, found: .*\nLog in as the user/u,
  );
  expect(
    (await command(['service', 'status', '--home', home.path, '--manager', 'systemd'], { HOME: user })).stdout,
  ).toMatch(/^bot +not installed/u);
});
