/**
 * Owns: a lock file, which says who owns a home's bot or consumer, and `<lock>.<nonce>` while a dead owner is replaced.
 * Guarantees: at most one owner; a live one is never robbed, stopped or asleep; a dead one is replaced, by exactly one
 *   of many. (Only a lock removed by hand can leave two; the one robbed of it learns so from `isOwn`.)
 * Fails: `lock-held`, `lock-unreadable`, `lock-lost`; else the system's error unchanged, with no lock left behind.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeError } from '../core/failure.ts';
import { createDurably, replaceDurably } from './durable-file.ts';
import { type LockRecord, nonceOf, readLock, removeIfOwn } from './lock-record.ts';
import { type OwnerState, ownerState, ownIdentity } from './process-identity.ts';

const WAIT_MS = 2_000;
const POLL_MS = 25;

export type OwnershipLock = {
  readonly path: string;
  /** False once the file is gone, unreadable or another's: then no further step may be taken. */
  isOwn(): boolean;
  assertOwn(): void;
  /** Removes the file if it is still ours and lets itself be read. May be called again. */
  release(): void;
};

/** `path` must go through the real path of the home: two names of one home would be two locks. */
export async function acquireLock(
  path: string,
  { temporaryFolder }: { temporaryFolder: string },
): Promise<OwnershipLock> {
  const since = new Date().toISOString();
  const own: LockRecord = { version: 1, ...ownIdentity(), nonce: randomBytes(8).toString('hex'), since };
  const attempt: Attempt = {
    path,
    own,
    temporaryFolder,
    content: `${JSON.stringify(own, null, 2)}\n`,
    deadline: performance.now() + WAIT_MS,
  };
  try {
    if ((await take(path, attempt, () => true)) === 'taken-over') await sweepLeftOvers(path);
  } catch (error) {
    releaseQuietly(path, own.nonce); // the file may be in place though its folder could not be synced
    throw error;
  }
  return openLock(path, own.nonce);
}

function releaseQuietly(path: string, nonce: string): void {
  try {
    removeIfOwn(path, nonce);
  } catch {
    // an error that led here counts more; the file names this process, so it stands only as long as this process lives
  }
}

function openLock(path: string, nonce: string): OwnershipLock {
  let seen: string | null = null;
  // Asked before every step: as long as it is the very file that was read last, it says what it said.
  const isOwn = (): boolean => {
    const sign = signOf(path);
    if (sign !== null && sign === seen) return true;
    const isOurs = nonceOf(path) === nonce;
    seen = isOurs ? sign : null;
    return isOurs;
  };
  return {
    path,
    isOwn,
    assertOwn() {
      if (isOwn()) return;
      throw new BridgeError('lock-lost', `${path} is gone or not ours any more`, {
        hint: 'Something removed or replaced it: find out what, then start again.',
      });
    },
    release: () => releaseQuietly(path, nonce),
  };
}

/** Changes with every change of the file, also with one that puts another file in its place; null where it cannot be told. */
function signOf(path: string): string | null {
  try {
    const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return status === undefined ? null : `${status.dev} ${status.ino} ${status.ctimeNs}`;
  } catch {
    return null;
  }
}

type Attempt = { path: string; own: LockRecord; content: string; temporaryFolder: string; deadline: number };

/**
 * Makes `target` ours: the lock itself, or the guard that must be held to replace a dead owner in another target.
 * A record with a dead nonce is replaced only by the holder of `<lock>.<that nonce>`, who looks again before the rename:
 * of all who saw the same dead owner one acts, and one who comes late finds another nonce. A guard whose holder died is
 * a target in its turn. Nonces never return: once `isNeeded` is false it stays so, and a left-over guard means nothing.
 */
async function take(
  target: string,
  attempt: Attempt,
  isNeeded: () => boolean,
  wanted: readonly string[] = [],
): Promise<'created' | 'taken-over' | 'moot'> {
  while (isNeeded()) {
    const found = readLock(target);
    if (found === null) {
      if (createDurably(target, attempt.content, attempt.temporaryFolder) === 'created') return 'created';
      continue;
    }
    const state = ownerState(found);
    if (state !== 'dead') {
      if (target === attempt.path || performance.now() > attempt.deadline) throw lockHeld(attempt.path, found, state);
      await sleep(POLL_MS);
      continue;
    }
    const guard = `${attempt.path}.${found.nonce}`;
    const targets = [...wanted, target];
    if (targets.includes(guard)) throw guardsInACircle(attempt.path, guard);
    const isStillDead = () => isNeeded() && nonceOf(target) === found.nonce;
    if ((await take(guard, attempt, isStillDead, targets)) === 'moot') continue;
    try {
      if (!isStillDead()) continue;
      replaceDurably(target, attempt.content, attempt.temporaryFolder);
      return 'taken-over';
    } finally {
      removeIfOwn(guard, attempt.own.nonce);
    }
  }
  return 'moot';
}

/** No process leaves this behind; a hand that copies lock files can. */
function guardsInACircle(path: string, guard: string): BridgeError {
  return new BridgeError('lock-unreadable', `${path} cannot be taken over: its guards name each other in a circle`, {
    hint: `Make sure that no other process uses this home, then delete ${guard}.`,
  });
}

function lockHeld(path: string, { pid, since }: LockRecord, state: OwnerState): BridgeError {
  if (state === 'alive') {
    return new BridgeError('lock-held', `${path} is held by process ${pid} since ${since}`, {
      hint: `Only one may own it: stop process ${pid} first, or let it go on.`,
    });
  }
  return new BridgeError(
    'lock-held',
    `${path} is held by process ${pid} of another machine or container since ${since}`,
    {
      hint: `Stop it there first. Only if it is surely gone: delete ${path}.`,
    },
  );
}

/** Guards whose holders died after the lock had moved on. Looked for only after a takeover: nothing else leaves them. */
async function sweepLeftOvers(path: string): Promise<void> {
  try {
    const prefix = `${basename(path)}.`;
    for await (const { name } of await opendir(dirname(path), { bufferSize: 1024 })) {
      if (!name.startsWith(prefix) || !/^[0-9a-f]{16}$/u.test(name.slice(prefix.length))) continue;
      const guard = join(dirname(path), name);
      const found = readLock(guard);
      if (found !== null && ownerState(found) === 'dead') removeIfOwn(guard, found.nonce);
    }
  } catch {
    // they mean nothing any more: no reason to refuse a lock that is ours
  }
}
