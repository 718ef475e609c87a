/** A command in a real pseudo terminal, made by `script` (on Debian a part of the base system, on macOS too). */
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { MAIN, eventually } from './bridge.ts';

export interface Terminal {
  /** What came to the screen, without its control sequences. */
  readonly screen: string;
  /** Everything, as it came. */
  readonly raw: string;
  /** Waits for words that come after those that were last waited for. */
  sees(words: string | RegExp, timeoutMs?: number): Promise<void>;
  type(keys: string): void;
  /** Waits for a question, and answers it. */
  answers(question: string | RegExp, keys: string): Promise<void>;
  readonly exited: Promise<number | null>;
}

export const KEY = { enter: '\r', down: '\u001B[B', up: '\u001B[A', ctrlC: '\u0003', ctrlD: '\u0004' };

export function openTerminal(args: readonly string[], env: NodeJS.ProcessEnv): Terminal {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const command = `stty cols 100 rows 50; exec ${words}`;
  const how =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', '/bin/sh', '-c', command]
      : ['--quiet', '--flush', '--return', '--command', command, '/dev/null'];
  const child = spawn('script', how, { env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' } });
  const listeners = new Set<() => void>();
  let raw = '';
  let screen = '';
  let seen = 0;
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    screen = stripVTControlCharacters(raw).replaceAll('\r', '');
    for (const listener of listeners) listener();
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
  });

  const terminal: Terminal = {
    get screen() {
      return screen;
    },
    get raw() {
      return raw;
    },
    async sees(wanted, timeoutMs = 20_000) {
      const end = (): number | undefined => {
        const rest = screen.slice(seen);
        const at = typeof wanted === 'string' ? rest.indexOf(wanted) : rest.search(wanted);
        return at < 0 ? undefined : seen + at + 1;
      };
      const listen = (listener: () => void): (() => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      };
      seen = await eventually(end, `on the screen: ${String(wanted)}`, timeoutMs, listen, () => screen);
    },
    type: (keys) => void child.stdin.write(keys),
    async answers(question, keys) {
      await terminal.sees(question);
      terminal.type(keys);
    },
    exited,
  };
  return terminal;
}
