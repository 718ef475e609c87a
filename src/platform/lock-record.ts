/**
 * Owns: the content of a lock file: who holds it.
 * Guarantees: what is read is a whole record of a regular file; a link, a pipe or anything else in its place is refused.
 * Fails: `lock-unreadable`; the system's error unchanged where it says nothing about the file (EMFILE, EIO).
 */
import { unlinkSync } from 'node:fs';
import { z } from 'zod';
import { BridgeError, errorCode } from '../core/failure.ts';
import { type RegularFile, readRegularFile } from './regular-file.ts';

const lockRecord = z.object({
  version: z.literal(1),
  pid: z.int().positive(),
  startTime: z.string(),
  bootId: z.string(),
  machineId: z.string(),
  nonce: z.string().regex(/^[0-9a-f]{16}$/u),
  /** For people only: no clock decides who owns a lock. */
  since: z.string(),
});

export type LockRecord = z.infer<typeof lockRecord>;

/** Who the lock at `path` names, alive or dead; null without one. */
export function readLock(path: string): LockRecord | null {
  const file = readLockFile(path);
  if (file.kind === 'absent') return null;
  if (file.kind !== 'file') throw lockUnreadable(path, 'is no lock, but something else in its place');
  try {
    return lockRecord.parse(JSON.parse(file.bytes.toString('utf8')));
  } catch (error) {
    throw lockUnreadable(path, 'is no lock of this version', error);
  }
}

const MAX_BYTES = 65_536;

function readLockFile(path: string): RegularFile {
  try {
    return readRegularFile(path, MAX_BYTES);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EACCES' || code === 'EPERM') throw lockUnreadable(path, `may not be read (${code})`, error);
    throw error;
  }
}

function lockUnreadable(path: string, finding: string, cause?: unknown): BridgeError {
  return new BridgeError('lock-unreadable', `${path} ${finding}, so nobody knows who owns it`, {
    hint: `Make sure that no other process uses this home, then delete ${path}.`,
    cause,
  });
}

/** Null: nothing there, or nothing that is a lock. */
export function nonceOf(path: string): string | null {
  try {
    return readLock(path)?.nonce ?? null;
  } catch (error) {
    if (errorCode(error) === 'lock-unreadable') return null;
    throw error;
  }
}

export function removeIfOwn(path: string, nonce: string): void {
  if (nonceOf(path) !== nonce) return;
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
