/**
 * Owns: nothing; reads the home as it stands, for `status`, `show` and the bot's `/status`.
 * Guarantees: changes nothing. What cannot be read is named, not left out.
 * Fails: with the system's error for a home that is none.
 */
import { existsSync, readdirSync } from 'node:fs';
import { errorWords } from '../core/failure.ts';
import type { Receipt } from '../core/receipt.ts';
import { oneLine } from '../core/one-line.ts';
import type { Words } from '../core/words.ts';
import { LatestIds } from '../core/message-ids.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { type LockRecord, readLock } from '../platform/lock-record.ts';
import { ownerState } from '../platform/process-identity.ts';
import type { RequestStore } from '../spool/request-store.ts';
import { type Heartbeat, LATEST, readHeartbeat } from '../state/heartbeat.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';

export interface ProcessView {
  running: boolean;
  pid: number | null;
  since: string | null;
  heartbeat: Heartbeat | null;
}

export interface RequestView {
  id: string;
  /** `waiting`: accepted, no receipt yet. `unreadable`: its receipt tells nothing. `stray`: a name without a request. */
  state: Receipt['state'] | 'waiting' | 'unreadable' | 'stray';
  attention: Receipt['attention'];
  text: string;
  at: string | null;
  receipt: Receipt | null;
  /** Why one of its files cannot be read just now, in words; null where they can. */
  fault: string | null;
}

export interface Overview {
  bot: ProcessView;
  consumer: ProcessView;
  running: RequestView | null;
  waiting: RequestView[];
  /** Names in `spool/pending/` that no request stands behind. */
  stray: string[];
  attention: RequestView[];
  recent: RequestView[];
  unread: string[];
}

/** In the chat; more are only counted. */
const WAITING_NAMED = 5;

export interface OverviewPorts {
  home: HomeFolders;
  requests: RequestStore;
  receipts: ReceiptStore;
}

export function overviewOf(ports: OverviewPorts): Overview {
  const consumer = processView(ports.home.consumerLock, ports.home.consumerHeartbeat);
  // A home that was only configured yet has no folders.
  const open = existsSync(ports.home.pending) ? ports.requests.pendingIds().map((id) => viewOf(id, ports)) : [];
  const atWork = open.filter((view) => isAtWork(view) && consumer.running);
  const needy = open.filter(
    (view) => view.attention !== null || view.state === 'unreadable' || (isAtWork(view) && !consumer.running),
  );
  return {
    bot: processView(ports.home.botLock, ports.home.botHeartbeat),
    consumer,
    running: atWork[0] ?? null,
    waiting: open.filter((view) => view.state === 'waiting'),
    stray: open.filter((view) => view.state === 'stray').map((view) => view.id),
    attention: needy,
    recent: latestWithReceipt(consumer.heartbeat, open, ports).map((id) => viewOf(id, ports)),
    unread: existsSync(ports.home.unread)
      ? readdirSync(ports.home.unread).filter((name) => name.endsWith('.json'))
      : [],
  };
}

/**
 * As the consumer named them last; what it did not live to name is pending. Listing all receipts, where it never named any,
 * takes half a second for each million.
 */
function latestWithReceipt(heartbeat: Heartbeat | null, open: readonly RequestView[], ports: OverviewPorts): string[] {
  const latest = new LatestIds(LATEST);
  const named = heartbeat?.latest ?? (existsSync(ports.home.state) ? ports.receipts.ids() : []);
  for (const id of named) latest.add(id);
  for (const { id, state } of open) if (state !== 'waiting' && state !== 'stray') latest.add(id);
  return latest.list();
}

export function viewOf(id: string, ports: OverviewPorts): RequestView {
  const { value: read, fault: requestFault } = attempt(() => ports.requests.read(id));
  const text = read?.ok === true ? read.request.text : '';
  const { value: stored, fault: receiptFault } = attempt(() => ports.receipts.read(id));
  const fault = receiptFault ?? requestFault;
  if (stored === null || stored.kind === 'damaged' || stored.kind === 'from-the-future') {
    return { id, state: 'unreadable', attention: null, text, at: null, receipt: null, fault };
  }
  if (stored.kind === 'none') {
    const state = read?.ok === false && read.code === 'absent' ? 'stray' : 'waiting';
    const at = read?.ok === true ? read.request.receivedAt : null;
    return { id, state, attention: null, text, at, receipt: null, fault };
  }
  const { receipt } = stored;
  return {
    id,
    state: receipt.state,
    attention: receipt.attention,
    text,
    at: receipt.history.at(-1)?.at ?? null,
    receipt,
    fault,
  };
}

/** What the agent says that it does for this request; null where it does not say. */
export function activityOf(overview: Overview, id: string): string | null {
  const activity = overview.consumer.heartbeat?.activity ?? null;
  return activity?.request === id ? activity.words : null;
}

/** The queue in a few lines of a chat. */
export function statusWords(overview: Overview, words: Words, nowMs: number): string {
  const lines: string[] = [];
  if (!overview.consumer.running) lines.push(words.consumerSilent);
  const { running } = overview;
  if (running !== null)
    lines.push(
      words.statusRunning(
        running.id,
        oneLine(running.text, 40),
        Math.max(0, Math.floor((nowMs - Date.parse(running.at ?? '')) / 60_000)),
        activityOf(overview, running.id),
      ),
    );
  const { waiting } = overview;
  const first = waiting.slice(0, WAITING_NAMED).map(({ text }) => oneLine(text, 40));
  if (waiting.length > 0) lines.push(words.statusWaiting(waiting.length, first));
  if (overview.attention.length > 0)
    lines.push(words.statusNeedsYou(overview.attention.map((view) => view.id).join(', ')));
  return lines.length === 0 ? words.statusIdle : lines.join('\n');
}

/** Cheap enough to be asked again and again. */
export function isConsumerRunning(home: HomeFolders): boolean {
  return processView(home.consumerLock, home.consumerHeartbeat).running;
}

function isAtWork(view: RequestView): boolean {
  return (view.state === 'submitted' || view.state === 'sending') && view.attention === null;
}

function attempt<T>(read: () => T): { value: T; fault: null } | { value: null; fault: string } {
  try {
    return { value: read(), fault: null };
  } catch (error) {
    return { value: null, fault: errorWords(error) };
  }
}

function processView(lockPath: string, heartbeatPath: string): ProcessView {
  const owner = livingOwner(lockPath);
  return {
    running: owner !== null,
    pid: owner?.pid ?? null,
    since: owner?.since ?? null,
    heartbeat: attempt(() => readHeartbeat(heartbeatPath)).value,
  };
}

/** Who holds a lock and lives; null where nobody does, or nobody can tell. */
export function livingOwner(lockPath: string): LockRecord | null {
  try {
    const lock = readLock(lockPath);
    return lock !== null && ownerState(lock) !== 'dead' ? lock : null;
  } catch {
    return null;
  }
}
