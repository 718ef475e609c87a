/**
 * Owns: everything the demo needs: a home of its own, the stand-in for Telegram, the real bot and the real consumer.
 * Guarantees: nothing outside the demo's folder is touched, one demo at a time uses it, and no process of it is left when
 *   `close` has resolved.
 * Fails: with words where the folder belongs to something else (78) or to a running demo (75).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../platform/clock.ts';
import { type HomeFolders, homeFolders } from '../platform/home-folders.ts';
import { ownProgram } from '../platform/own-files.ts';
import { readHeartbeat } from '../state/heartbeat.ts';
import { type StandIn, openStandIn } from '../stand-in/stand-in.ts';
import { claimDemoFolder } from './demo-folder.ts';

const MAIN = ownProgram('cli/main.js');
/** How long a fresh process takes at most until it can be asked to end. */
const START_MS = 30_000;

export interface DemoStage {
  folders: HomeFolders;
  telegram: StandIn;
  start(part: Part): void;
  /** kill -9, as a crash would. */
  kill(part: Part): Promise<void>;
  close(): Promise<void>;
}

export type Part = 'bot' | 'consumer';

/** A part that ended though nobody asked it to. */
export interface LostPart {
  part: Part;
  code: number | null;
  lastWords: string;
}

/** @param named folder for the demo; else a new one in the system's temporary folder */
export async function openDemoStage(named: string | undefined, onLost: (lost: LostPart) => void): Promise<DemoStage> {
  const { home, release } = await claimDemoFolder(named);
  const folders = homeFolders(home);
  const telegram = await openStandIn({ firstMessageId: nextMessageId(folders) });
  const env = { ...process.env, TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
  const parts = new Map<Part, ChildProcess>();

  const start = (part: Part): void => {
    const logPath = join(home, `${part}.log`);
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn(process.execPath, [MAIN, part, '--home', home], { env, stdio: ['ignore', 'ignore', log] });
    closeSync(log);
    parts.set(part, child);
    child.once('exit', (code) => {
      if (parts.get(part) === child) onLost({ part, code, lastWords: lastWordsOf(logPath) });
    });
  };
  const end = async (part: Part, signal: NodeJS.Signals): Promise<void> => {
    const child = parts.get(part);
    parts.delete(part);
    if (child === undefined || hasEnded(child)) return;
    const exit = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    // Asked before it is at work it would leave at once, and leave the run of its killed predecessor behind.
    if (signal !== 'SIGKILL') await isAtWork(child, part === 'bot' ? folders.botHeartbeat : folders.consumerHeartbeat);
    child.kill(signal);
    await exit;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all([end('bot', 'SIGTERM'), end('consumer', 'SIGTERM')]);
    await telegram.close();
    await release();
  };
  let closing: Promise<void> | undefined;

  start('bot');
  start('consumer');
  return { folders, telegram, start, kill: (part) => end(part, 'SIGKILL'), close: () => (closing ??= closeAll()) };
}

/** A process that tells of itself has taken its home, and looks after what a predecessor left before it obeys. */
async function isAtWork(child: ChildProcess, heartbeatPath: string): Promise<void> {
  const until = performance.now() + START_MS;
  while (!hasEnded(child) && readHeartbeat(heartbeatPath)?.pid !== child.pid && performance.now() < until)
    await pause(20);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** What it said in words, not as log lines. */
function lastWordsOf(logPath: string): string {
  const lines = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-2);
  return lines.filter((line) => line !== '' && !line.startsWith('{')).join('\n');
}

/** In a folder that was used before, message ids go on where they ended: a message's id must never come twice. */
function nextMessageId({ requests, members, orders, links, takenOrders }: HomeFolders): number {
  const names = [requests, members, orders, links, takenOrders].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder) : [],
  );
  const used = names.map((name) => Number(/^m?([1-9]\d{0,15})\.json$/u.exec(name)?.[1] ?? 0));
  return Math.max(40, ...used) + 1;
}
