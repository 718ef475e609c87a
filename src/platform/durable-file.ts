/**
 * Owns: bringing a whole file to disk under its final name.
 * Guarantees: on return file and name are durable; a reader, also after a crash or on a full disk, sees the whole new
 *   file or what was there before.
 * Fails: the system's error unchanged (ENOSPC, EROFS, EMFILE, …) or `write-incomplete`; no temporary file stays.
 *   Only the last step, the sync of the folder, can fail with the new file in place: calling again makes it good.
 */
import { closeSync, fstatSync, fsync, fsyncSync, linkSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BridgeError, errorCode } from '../core/failure.ts';
import { temporaryName } from './temporary-files.ts';

/** `exists`: the name was taken and stays as it was; it is durable too, whoever made it. */
export function createDurably(path: string, content: string | Buffer, temporaryFolder: string): 'created' | 'exists' {
  const temporary = writeTemporary(content, temporaryFolder);
  const outcome = linkUnlessTaken(temporary, path);
  syncFolder(dirname(path));
  return outcome;
}

/** The file at `path`, if any, is replaced as a whole. */
export function replaceDurably(path: string, content: string | Buffer, temporaryFolder: string): void {
  const temporary = writeTemporary(content, temporaryFolder);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  syncFolder(dirname(path));
}

/** Those of libuv, unless UV_THREADPOOL_SIZE says otherwise. */
const POOL_THREADS = 4;

/** A complete, synced file of mode 0600 in `temporaryFolder`, under a new name that is not synced; returns its path. */
export function writeTemporary(content: string | Buffer, temporaryFolder: string): string {
  const bytes = bytesOf(content);
  const temporary = join(temporaryFolder, temporaryName());
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeAll(descriptor, bytes, temporary);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor); // may itself report a full disk, on network file systems
    }
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  return temporary;
}

/**
 * As `writeTemporary`, for several at once; the paths in the same order. Their syncs run side by side, in the pool and here,
 * so that the file system's journal takes several with one commit.
 */
export async function writeTemporaries(contents: readonly string[], temporaryFolder: string): Promise<string[]> {
  const open: { path: string; descriptor: number }[] = [];
  const syncs: Promise<void>[] = [];
  let isWhole = false;
  try {
    for (const content of contents) {
      const path = join(temporaryFolder, temporaryName());
      const descriptor = openSync(path, 'wx', 0o600);
      open.push({ path, descriptor });
      writeAll(descriptor, bytesOf(content), path);
    }
    const isForPool = (index: number): boolean => index % (POOL_THREADS + 1) < POOL_THREADS;
    for (const [index, { descriptor }] of open.entries()) if (isForPool(index)) syncs.push(fsyncBeside(descriptor));
    for (const [index, { descriptor }] of open.entries()) if (!isForPool(index)) fsyncSync(descriptor);
    await Promise.all(syncs);
    isWhole = true;
  } finally {
    // None is closed while its sync is under way.
    await Promise.allSettled(syncs);
    for (const { descriptor } of open) closeSync(descriptor);
    if (!isWhole) for (const { path } of open) removeQuietly(path);
  }
  return open.map(({ path }) => path);
}

/** Makes the names in `folder` durable. */
export function syncFolder(folder: string): void {
  syncFile(folder);
}

/** The same beside other work. */
export async function syncFolderBeside(folder: string): Promise<void> {
  const descriptor = openSync(folder, 'r');
  try {
    await fsyncBeside(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function fsyncBeside(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Makes the content of a file durable that another process wrote. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// Not left to the types: content comes from serialisers, and JSON.stringify(undefined) is undefined.
function bytesOf(content: unknown): Buffer {
  if (typeof content === 'string') return Buffer.from(content, 'utf8');
  if (Buffer.isBuffer(content)) return content;
  throw new BridgeError('internal', `a file's content must be text or bytes, but is ${typeof content}`);
}

/** A write may take less than it was given and still succeed, above all on a nearly full disk. */
function writeAll(descriptor: number, bytes: Buffer, path: string): void {
  let written = 0;
  while (written < bytes.length) {
    const count = writeSync(descriptor, bytes, written, bytes.length - written);
    if (count === 0) break;
    written += count;
  }
  const found = fstatSync(descriptor).size;
  if (found === bytes.length) return;
  throw new BridgeError(
    'write-incomplete',
    `${path}: ${bytes.length} bytes were to be written, the file has ${found}`,
    {
      hint: 'Check the disk: is it full, or failing?',
    },
  );
}

function linkUnlessTaken(temporary: string, path: string): 'created' | 'exists' {
  try {
    linkSync(temporary, path);
    return 'created';
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'exists';
    throw error;
  } finally {
    removeQuietly(temporary);
  }
}

/** A temporary file that cannot be removed costs nothing but its name: it is swept once its process is dead. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // the error that led here, or the success, is what counts
  }
}
