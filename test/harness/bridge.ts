/** Real processes over a real home and a stand-in for Telegram: what the tests by behaviour are written with. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import type { Request } from '../../src/core/request.ts';
import { type StandIn, openStandIn } from '../../src/stand-in/stand-in.ts';
import { removeFolder } from './remove-folder.ts';

/** How long anything is waited for: it ends no test that passes, so it is what a machine that stands still for a while keeps. */
const PATIENCE_MS = 45_000;

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class Running {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  /** Its own end, whoever else still holds its output. */
  readonly died: Promise<Exit>;
  stdout = '';
  stderr = '';
  readonly #listeners = new Set<() => void>();

  /** @param wrapper a program, with its arguments, that becomes or starts the process */
  constructor(args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string, wrapper: readonly string[] = []) {
    const [program = process.execPath, ...rest] = [...wrapper, process.execPath, MAIN, ...args];
    this.child = spawn(program, rest, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear('stdout', text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#hear('stderr', text));
    this.exited = new Promise((resolve) => {
      this.child.once('close', (code, signal) => resolve({ code, signal }));
    });
    this.died = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    void this.exited.then(() => this.#notify());
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Parsed log lines. */
  get events(): Record<string, unknown>[] {
    return this.stderr
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
  }

  /** The first log line with this event, come or to come. */
  async logged(
    event: string,
    facts: Record<string, unknown> = {},
    timeoutMs = PATIENCE_MS,
  ): Promise<Record<string, unknown>> {
    const find = (): Record<string, unknown> | undefined =>
      this.events.find(
        (line) => line['event'] === event && Object.entries(facts).every(([key, value]) => line[key] === value),
      );
    return eventually(
      find,
      `log line "${event}"`,
      timeoutMs,
      (listener) => this.#on(listener),
      () => this.stderr,
    );
  }

  /** What it printed so far, or prints from now on, matches. */
  async printed(pattern: RegExp, timeoutMs = PATIENCE_MS): Promise<string> {
    const find = (): string | undefined => (pattern.test(this.stdout + this.stderr) ? this.stdout : undefined);
    return eventually(
      find,
      String(pattern),
      timeoutMs,
      (listener) => this.#on(listener),
      () => this.stdout + this.stderr,
    );
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exited;
  }

  /** When the test is over. A killed process leaves no coverage, so while that is collected it may leave by itself. */
  async end(): Promise<Exit> {
    if (process.env['NODE_V8_COVERAGE'] === undefined) return this.kill();
    const patience = setTimeout(() => void this.kill(), 3_000);
    return this.kill('SIGTERM').finally(() => clearTimeout(patience));
  }

  #hear(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] += text;
    this.#notify();
  }

  #on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export interface WorldOptions {
  /** The `agent` of config.json; the sample agent by default. */
  agent?: object;
  /** Further or other keys of config.json. */
  config?: object;
  standIn?: Parameters<typeof openStandIn>[0];
  env?: NodeJS.ProcessEnv;
  /** An existing folder as home (a small file system, say). */
  home?: string;
  /** Who ends the world: the test that opened it, or (`endedWithFile`) the file whose tests share it. */
  endedBy?: (end: () => Promise<void>) => void;
}

/** One home, one stand-in, and the processes of one test, or of some that share them; all ended with it. */
export class World {
  readonly home: string;
  readonly telegram: StandIn;
  readonly env: NodeJS.ProcessEnv;
  readonly started: Running[] = [];

  constructor(home: string, telegram: StandIn, env: NodeJS.ProcessEnv) {
    this.home = home;
    this.telegram = telegram;
    this.env = env;
  }

  run(...args: string[]): Running {
    const running = new Running([...args, '--home', this.home], this.env);
    this.started.push(running);
    return running;
  }

  runUnder(wrapper: readonly string[], env: NodeJS.ProcessEnv, ...args: string[]): Running {
    const running = new Running([...args, '--home', this.home], { ...this.env, ...env }, undefined, wrapper);
    this.started.push(running);
    return running;
  }

  /** A command that ends by itself. */
  async command(...args: string[]): Promise<Exit & { stdout: string; stderr: string }> {
    const running = this.run(...args);
    const exit = await running.exited;
    return { ...exit, stdout: running.stdout, stderr: running.stderr };
  }

  async bot(): Promise<Running> {
    const bot = this.run('bot');
    await bot.logged('bot ready');
    return bot;
  }

  async consumer(): Promise<Running> {
    const consumer = this.run('consumer');
    await consumer.logged('consumer ready');
    return consumer;
  }

  path(...names: string[]): string {
    return join(this.home, ...names);
  }

  names(...folder: string[]): string[] {
    const path = this.path(...folder);
    return existsSync(path) ? readdirSync(path).sort() : [];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the file holds is for the test to say
  json<T = Record<string, unknown>>(...names: string[]): T {
    return JSON.parse(readFileSync(this.path(...names), 'utf8')) as T;
  }

  request(id: number | string): Request {
    return this.json<Request>('spool', 'requests', `${id}.json`);
  }

  receipt(id: number | string): Receipt | null {
    return existsSync(this.path('state', `${id}.json`)) ? this.json<Receipt>('state', `${id}.json`) : null;
  }

  /** The receipt once it is as wanted. */
  async receiptWhen(
    id: number | string,
    isWanted: (receipt: Receipt) => boolean,
    timeoutMs = PATIENCE_MS,
  ): Promise<Receipt> {
    const find = (): Receipt | undefined => {
      const receipt = this.receipt(id);
      return receipt !== null && isWanted(receipt) ? receipt : undefined;
    };
    return this.eventually(find, `receipt ${id}`, timeoutMs, () => JSON.stringify(this.receipt(id)));
  }

  settled(id: number | string, timeoutMs?: number): Promise<Receipt> {
    return this.receiptWhen(id, (receipt) => receipt.state === 'sent', timeoutMs);
  }

  /** The first truthy value of `probe`, asked at each change of the home's folders. */
  eventually<T>(
    probe: () => T | undefined,
    what: string,
    timeoutMs = PATIENCE_MS,
    dump: () => string = () => '',
  ): Promise<T> {
    const listen = (listener: () => void): (() => void) => {
      const folders = [
        '',
        'spool',
        'spool/requests',
        'spool/pending',
        'spool/decisions',
        'state',
        'state/decisions',
        'state/files',
      ];
      const watchers = folders
        .map((name) => this.path(name))
        .filter((path) => existsSync(path))
        .map((path) => watch(path, listener));
      return () => {
        for (const watcher of watchers) watcher.close();
      };
    };
    return eventually(
      probe,
      what,
      timeoutMs,
      listen,
      () => `${dump()}\n${this.started.map(({ stderr }) => stderr).join('\n---\n')}`,
    );
  }

  /** Puts a program into the home that can be an agent; returns its path. */
  program(name: string, source: string): string {
    const path = this.path(name);
    writeFileSync(path, source);
    chmodSync(path, 0o755);
    return path;
  }

  /** A request as the contract shows it. */
  requestFile(id: number, fields: Partial<Request> = {}): Request {
    return {
      version: 1,
      id: String(id),
      kind: 'blog',
      chatId: this.telegram.chatId,
      messageId: id,
      messageIds: [id],
      threadId: null,
      from: { id: 7001, name: 'Owner' },
      text: `request ${id}`,
      conversation: String(id),
      replyTo: null,
      attachments: [],
      sentAt: '2026-11-30T09:00:00.000Z',
      receivedAt: '2026-11-30T09:00:00.412Z',
      ...fields,
    };
  }
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { world, close } = await openClosableWorld(options);
  const endedBy = options.endedBy ?? onTestFinished;
  endedBy(close);
  return world;
}

/** For who opens many of them within one test, and ends each when it is done with it. */
export async function openClosableWorld(
  options: WorldOptions = {},
): Promise<{ world: World; close: () => Promise<void> }> {
  const home = options.home ?? realpathSync(mkdtempSync(join(tmpdir(), 'bridge-test-')));
  const telegram = await openStandIn(options.standIn ?? { firstMessageId: 41 });
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    ...options.env,
  };
  delete env['BLOG_BRIDGE_HOME'];
  const world = new World(home, telegram, env);
  const config = {
    telegram: { chatId: telegram.chatId, userIds: [7001] },
    agent: options.agent ?? { kind: 'sample' },
    language: 'en',
    ...options.config,
  };
  writeFileSync(world.path('config.json'), JSON.stringify(config));
  const close = async (): Promise<void> => {
    await Promise.all(world.started.map((running) => running.end()));
    endAgents(world);
    await telegram.close();
    if (options.home === undefined) removeFolder(home);
  };
  return { world, close };
}

/** For worlds that tests share. Called while the file is read: an `afterAll` within a hook would never run. */
export function endedWithFile(): (end: () => Promise<void>) => void {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => void (await Promise.all(ends.map((end) => end()))));
  return (end) => void ends.push(end);
}

/** Agents outlive a killed consumer by design; a test leaves none behind. */
function endAgents(world: World): void {
  for (const name of world.names('state')) {
    if (!/^\d+\.json$/u.test(name)) continue;
    try {
      const pid = world.json<Receipt>('state', name).agent?.pid;
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // gone already, or no receipt at all
    }
  }
}

/** Resolves with the first value of `probe` that is not undefined: at once, at each call of the listener, and now and then. */
export async function eventually<T>(
  probe: () => T | undefined,
  what: string,
  timeoutMs: number,
  listen: (listener: () => void) => () => void,
  dump: () => string,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      clearInterval(poll);
      stop();
      act();
    };
    const look = (): void => {
      let value: T | undefined;
      try {
        value = probe();
      } catch {
        return;
      }
      if (value !== undefined) finish(() => resolve(value));
    };
    // The watch may miss a change under load; the poll only makes sure that nothing is waited for in vain.
    const poll = setInterval(look, 100);
    const timer = setTimeout(
      () => finish(() => reject(new Error(`${what}: not seen within ${timeoutMs} ms\n${dump()}`))),
      timeoutMs,
    );
    const stop = listen(look);
    look();
  });
}
