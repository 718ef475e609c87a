/**
 * Owns: finding out, before anything is promised, whether a folder's file system can keep the promises.
 * Guarantees: what passes can link from the temporary folder into the folder and sync both; nothing stays behind.
 * Fails: `home-unusable`, naming the folder, the call that failed and the system's code. There is no second way: a
 *   rename instead of a link would replace a request that is already there.
 */
import { linkSync, readFileSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BridgeError, errorCode, errorWords } from '../core/failure.ts';
import { syncFolder, writeTemporary } from './durable-file.ts';

const CONTENT = 'blog-bridge looks whether files can be linked here\n';

export function probeFileSystem(folder: string, temporaryFolder: string): void {
  const temporary = attempt('write', temporaryFolder, () => writeTemporary(CONTENT, temporaryFolder));
  // No reader of the home takes a name with a dot in front for anything of its own.
  const linked = join(folder, `.probe-${basename(temporary)}`);
  try {
    attempt('hard link', folder, () => linkSync(temporary, linked));
    try {
      attempt('read', folder, () => checkContent(linked));
    } finally {
      attempt('unlink', folder, () => unlinkSync(linked));
    }
  } finally {
    attempt('unlink', temporaryFolder, () => unlinkSync(temporary));
  }
  attempt('folder sync', temporaryFolder, () => syncFolder(temporaryFolder));
  attempt('folder sync', folder, () => syncFolder(folder));
}

type Call = 'write' | 'hard link' | 'read' | 'unlink' | 'folder sync';

function attempt<Result>(call: Call, folder: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const code = errorCode(error) ?? errorWords(error);
    throw new BridgeError('home-unusable', `${folder}: ${call} failed (${code})`, {
      hint: hintFor(call, code, folder),
      cause: error,
    });
  }
}

function checkContent(path: string): void {
  const found = readFileSync(path, 'utf8');
  if (found !== CONTENT) throw new Error(`expected ${CONTENT.length} characters, found ${found.length}`);
}

const HINT_OF: Readonly<Record<string, string>> = {
  ENOENT: 'Create the folder, or give another --home.',
  ENOTDIR: 'Something else stands where a folder should be: move it away.',
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'Your quota is used up: free some space.',
  EROFS: 'The file system is mounted read-only: mount it writable, or give another --home.',
  EXDEV: 'Keep the whole home on one file system: nothing in it may be a mount or a link to another disk.',
  EACCES: 'Let the whole home belong to the user that runs this, with folders of mode 0700.',
};

function hintFor(call: Call, code: string, folder: string): string {
  const hint = HINT_OF[code];
  if (hint !== undefined) return hint;
  if (call === 'write') return 'Check that the user that runs this may write here, and that the disk is healthy.';
  const where = `Put the home on a local file system with hard links (APFS, ext4, xfs, btrfs); ${folder} is not on one`;
  return code === 'EPERM' ? `${where}, or holds files of another user.` : `${where}.`;
}
