/** A systemd user manager for one test, apart from any that runs here. */
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { needsTool } from './required-tool.ts';
import { removeFolder } from './remove-folder.ts';

const SCRIPT = fileURLToPath(new URL('./user-manager.sh', import.meta.url));

/** The environment of a user whose manager it is; skips the test where none can be started. */
export async function openUserManager(
  skip: (note: string) => never,
): Promise<{ HOME: string; XDG_RUNTIME_DIR: string }> {
  needsTool('systemctl', 'systemd', skip);
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-user-')));
  const env = { HOME: home, XDG_RUNTIME_DIR: join(home, 'run') };
  const options = { env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env } };
  const manager = spawn('unshare', ['--mount', 'sh', SCRIPT, `blog-bridge-${basename(home)}`], options);
  let said = '';
  manager.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  manager.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    manager.once('error', () => resolve());
    manager.once('close', () => resolve());
  });
  onTestFinished(async () => {
    manager.stdin.end();
    await ended;
    removeFolder(home);
  });
  const ready = new Promise<boolean>((resolve) => {
    createInterface({ input: manager.stdout }).once('line', () => resolve(true));
    void ended.then(() => resolve(false));
  });
  if (!(await ready)) skip(`no systemd user manager can be started here (root can): ${said.trim()}`);
  return env;
}
