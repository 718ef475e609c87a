/**
 * Owns: ending a process group that we started with a session of its own, its leader gone or not.
 * Guarantees: on `ended` no process of it runs any more; a group that only has the same number is not touched.
 * Fails: `internal` when members outlive SIGKILL for several seconds; the system's error when processes cannot be read.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeError, errorCode } from '../core/failure.ts';
import { ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { type ProcessEntry, processTable } from './process-table.ts';

const POLL_MS = 30;
const KILL_LIMIT_MS = 5_000;

/**
 * SIGTERM, and SIGKILL for what is left after `graceMs`.
 * `gone`: nothing of it was left (all processes of an earlier boot are). `not-ours`: its number belongs to others now.
 */
export async function endGroup(
  leader: Pick<ProcessIdentity, 'pid' | 'startTime' | 'bootId'>,
  { graceMs }: { graceMs: number },
): Promise<'ended' | 'not-ours' | 'gone'> {
  // kill(-1) would reach every process of this user, kill(0) our own group.
  if (!Number.isInteger(leader.pid) || leader.pid <= 1) {
    throw new BridgeError('internal', `${leader.pid} is no process group of ours`);
  }
  if (leader.bootId !== ownIdentity().bootId) return 'gone';
  // Mostly nothing is left, and reading every process of a machine takes milliseconds.
  if (hasNobody(leader.pid) && processTable().find(leader.pid)?.startTime !== leader.startTime) return 'gone';
  const entries = processTable().list();
  const holder = entries.find((entry) => entry.pid === leader.pid);
  if (holder !== undefined && holder.startTime !== leader.startTime) return 'not-ours';
  const members = membersAmong(entries, leader.pid);
  if (members.includes(process.pid)) return 'not-ours';
  if (holder !== undefined && !holder.zombie && !members.includes(leader.pid)) {
    throw new BridgeError('internal', `process ${leader.pid} lives, but was not started as the leader of a session`);
  }
  if (members.length === 0) return 'gone';

  signalGroup(leader.pid, 'SIGTERM');
  signalGroup(leader.pid, 'SIGCONT'); // a stopped process takes its SIGTERM only once it goes on
  if (await emptiesWithin(leader.pid, graceMs)) return 'ended';
  // A member may start another one while it is being killed: the signal is repeated until the group is empty.
  if (await emptiesWithin(leader.pid, KILL_LIMIT_MS, () => signalGroup(leader.pid, 'SIGKILL'))) return 'ended';
  throw new BridgeError('internal', `processes ${groupMembers(leader.pid).join(', ')} do not end, even by SIGKILL`, {
    hint: 'They may hang in a disk or network call: look at them with ps, or restart the machine.',
  });
}

/** Pids of what runs in the group; zombies do not. */
export function groupMembers(groupId: number): number[] {
  return membersAmong(processTable().list(), groupId);
}

// Every group of ours has a session of its own, of the same number: a group without one has only reused the number.
function membersAmong(entries: ProcessEntry[], groupId: number): number[] {
  return entries
    .filter((entry) => entry.groupId === groupId && !entry.zombie && (entry.sessionId ?? groupId) === groupId)
    .map((entry) => entry.pid);
}

async function emptiesWithin(groupId: number, limitMs: number, press: () => void = () => {}): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    if (groupMembers(groupId).length === 0) return true;
    if (performance.now() >= deadline) return false;
    press();
    await sleep(POLL_MS);
  }
}

/** True where the system knows no process of this group, not even a zombie. */
function hasNobody(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

// EPERM: macOS says so for a group of zombies. Who is left, not the signal's result, decides.
const NOBODY_REACHED = new Set(['ESRCH', 'EPERM']);

function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    if (!NOBODY_REACHED.has(errorCode(error) ?? '')) throw error;
  }
}
