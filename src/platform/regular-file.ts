/**
 * Owns: reading a file that anybody may have put there.
 * Guarantees: never follows a link, never waits on a pipe, never takes in more than `maxBytes`. On a disk of this machine
 *   it does not wait either; where a program may hold content back, `readThrough` puts a limit to it.
 * Fails: by its result for what is no such file; the system's error unchanged for the rest (EACCES, EIO, EMFILE).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { errorCode } from '../core/failure.ts';

export type RegularFile =
  | { kind: 'file'; bytes: Buffer }
  | { kind: 'absent' }
  | { kind: 'not-a-file' }
  | { kind: 'too-large'; bytes: number };

export type Read = (path: string, maxBytes: number) => RegularFile;

let readPresent: Read = readHere;

export function readRegularFile(path: string, maxBytes: number): RegularFile {
  // An open that fails costs ten times this look, and what is asked for is mostly not there. It never waits for content.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
  return readPresent(path, maxBytes);
}

/** From now on this process reads whatever is there in another way. */
export function readThrough(read: Read): void {
  readPresent = read;
}

export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What an open that failed tells of the file. @throws the error where it tells nothing */
export function refusedFile(error: unknown): RegularFile {
  const code = errorCode(error);
  if (code === 'ENOENT') return { kind: 'absent' };
  // A symbolic link (ELOOP, on BSD EMLINK) or a socket (ENXIO, EOPNOTSUPP).
  if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' || code === 'EOPNOTSUPP') return { kind: 'not-a-file' };
  throw error;
}

function readHere(path: string, maxBytes: number): RegularFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, READ_FLAGS);
  } catch (error) {
    return refusedFile(error);
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
