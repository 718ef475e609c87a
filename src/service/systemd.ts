/**
 * Owns: the two user units of a home, `~/.config/systemd/user/blog-bridge-<tag>-<part>.service`, through `systemctl --user`.
 * Guarantees: nothing of the system's own units, nor of other homes, is touched.
 * Fails: `service-failed`, with what systemctl said.
 */
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { BridgeError } from '../core/failure.ts';
import { type ServiceFile, type ServiceManager, type ToolResult, bareEnvironment, runTool } from './service-manager.ts';
import { PARTS, homeTag } from './service-plan.ts';
import { readUnit, systemdUnit } from './systemd-unit.ts';

export function systemd(env: NodeJS.ProcessEnv): ServiceManager {
  const folder = join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd', 'user');
  return {
    kind: 'systemd',
    files: (plan) =>
      PARTS.map((part) => {
        const name = `blog-bridge-${homeTag(plan.home)}-${part}.service`;
        return { part, name, path: join(folder, name), text: systemdUnit(plan, part) };
      }),
    async assertReachable() {
      const { code, words } = await systemctl('show-environment');
      if (code !== 0) throw unreachable(words);
    },
    async stateOf({ name }) {
      const shown = await systemctl('show', name, '--property=ActiveState,SubState,MainPID,UnitFileState,Result');
      const facts = propertiesIn(shown.stdout);
      const pid = Number(facts['MainPID'] ?? 0);
      const state = `${facts['ActiveState'] ?? 'unknown'} (${facts['SubState'] ?? shown.words})`;
      const result = facts['Result'] ?? 'success';
      return {
        enabled: facts['UnitFileState'] === 'enabled',
        running: facts['ActiveState'] === 'active' && pid > 0,
        pid: pid > 0 ? pid : null,
        words: result === 'success' ? state : `${state}, ${result}`,
      };
    },
    async start(files) {
      await demand('daemon-reload');
      await demand('enable', '--now', ...names(files));
    },
    async restart(files) {
      await demand('daemon-reload');
      await demand('enable', ...names(files));
      await demand('restart', ...names(files));
    },
    async stop(files) {
      await demand('stop', ...names(files));
      // Refused where somebody removed the file: then nothing is enabled either.
      await systemctl('disable', ...names(files));
    },
    async forget() {
      await demand('daemon-reload');
    },
    async environment() {
      const { code, stdout } = await systemctl('show-environment');
      return code === 0 ? variablesIn(stdout) : bareEnvironment(env);
    },
    readBack: readUnit,
    hint: lingerHint,
  };
}

/** After `su` or `sudo` the variable is missing, though the manager may be there. */
function systemctl(...args: string[]): Promise<ToolResult> {
  const { XDG_RUNTIME_DIR: named = `/run/user/${userInfo().uid}` } = process.env;
  return runTool('systemctl', ['--user', '--no-pager', ...args], { ...process.env, XDG_RUNTIME_DIR: named });
}

async function demand(...args: string[]): Promise<void> {
  const { code, words } = await systemctl(...args);
  if (code === 0) return;
  throw new BridgeError('service-failed', `systemctl --user ${args.join(' ')}: expected success, found: ${words}`, {
    hint: 'Look at it with: systemctl --user status. "blog-bridge service install" may be repeated.',
  });
}

function unreachable(words: string): BridgeError {
  return new BridgeError('service-failed', `systemctl --user: expected a running user manager, found: ${words}`, {
    hint: 'Log in as the user that shall run it (not by su or sudo), or run "blog-bridge start" under what starts programs here.',
  });
}

function names(files: readonly ServiceFile[]): string[] {
  return files.map(({ name }) => name);
}

function propertiesIn(text: string): Record<string, string> {
  return Object.fromEntries(text.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
}

/** `systemctl show-environment` quotes what a shell would misread, as `$'…'`. */
export function variablesIn(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/u.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const [, inner] = /^\$'(.*)'$/u.exec(value) ?? [];
    variables[name] =
      inner === undefined ? value : inner.replaceAll(/\\(.)/gu, (_, mark: string) => ESCAPED[mark] ?? mark);
  }
  return variables;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Without lingering, a user's services end with the last session. */
function lingerHint(): string | null {
  const { username } = userInfo();
  if (existsSync(join('/var/lib/systemd/linger', username))) return null;
  return `It runs while you are logged in. To let it run always: loginctl enable-linger ${username}`;
}
