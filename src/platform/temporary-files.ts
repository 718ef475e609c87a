/**
 * Owns: names of files being written (`<pid>-<start time>-<machine>-<random, counted>.tmp`), and clearing left-over ones away.
 * Guarantees: a name is used once; a file of a living process, or of another machine or container, is never removed.
 * Fails: the system's error unchanged, but for files that are gone already.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../core/failure.ts';
import { ownerState, ownIdentity } from './process-identity.ts';

export function temporaryName(): string {
  const { pid, startTime } = ownIdentity();
  named += 1;
  return `${pid}-${startTime}-${machineTag()}-${BEGINNING}${named.toString(16).padStart(8, '0')}.tmp`;
}

/** By chance once a process, since chance costs as much as a system call; then counted. */
const BEGINNING = randomBytes(4).toString('hex');
let named = 0;

/**
 * Removes what dead processes left in `folder`; returns the names removed. Unlinked, never truncated: a left-over name
 * may be a second link to a published file.
 */
export function sweepTemporaries(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .filter((name) => isLeftOver(name) && remove(join(folder, name)));
}

const NAME = /^(\d{1,10})-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}\.tmp$/u;

function isLeftOver(name: string): boolean {
  const [, pid, startTime = '', machine] = NAME.exec(name) ?? [];
  if (machine !== machineTag()) return false;
  return ownerState({ ...ownIdentity(), pid: Number(pid), startTime }) === 'dead';
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The machine and pid namespace, shortened: a pid read from a name means nothing in another one. */
function machineTag(): string {
  tag ??= createHash('sha256').update(ownIdentity().machineId).digest('hex').slice(0, 8);
  return tag;
}

/** The same for as long as this process lives. */
let tag: string | undefined;
