/**
 * Owns: reading a file that anybody may have put there.
 * Guarantees: never follows a link, never waits on a pipe, never takes in more than `maxBytes`.
 * Fails: by its result for what is no such file; the system's error unchanged for the rest (EACCES, EIO, EMFILE).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { errorCode } from '../core/failure.ts';

export type RegularFile =
  | { kind: 'file'; bytes: Buffer }
  | { kind: 'absent' }
  | { kind: 'not-a-file' }
  | { kind: 'too-large'; bytes: number };

export function readRegularFile(path: string, maxBytes: number): RegularFile {
  // An open that fails costs ten times this look, and what is asked for is mostly not there.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { kind: 'absent' };
    // A symbolic link (ELOOP, on BSD EMLINK) or a socket (ENXIO, EOPNOTSUPP).
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' || code === 'EOPNOTSUPP')
      return { kind: 'not-a-file' };
    throw error;
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { kind: 'not-a-file' };
    if (status.size > maxBytes) return { kind: 'too-large', bytes: status.size };
    return { kind: 'file', bytes: readAll(descriptor, status.size) };
  } finally {
    closeSync(descriptor);
  }
}

function readAll(descriptor: number, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, buffer, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
