/** The ground that a home stands on: whose it is, what the file system can do, who else copies it, how much room is left. */
import { type Stats, accessSync, constants, existsSync, lstatSync, statfsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BridgeError, errorCode, errorWords } from '../../core/failure.ts';
import { roomAt } from '../../platform/disk-room.ts';
import { probeFileSystem } from '../../platform/file-system-probe.ts';
import { syncedBy } from '../../platform/synced-folder.ts';
import type { Examined } from './examined.ts';
import { type Finding, advice, fine, someOf, wrong } from './finding.ts';

/** An album of ten photos, and what an agent may make of it. */
const LEAST_BYTES = 200 * 1024 * 1024;
const LEAST_FILES = 1_000;

/** The same look that bot and consumer take before they start; it leaves nothing behind. */
export function fileSystem({ folders }: Examined): Finding {
  const what = 'hard links and folder sync';
  const pairs = [
    [folders.requests, folders.spoolTemporary],
    [folders.state, folders.stateTemporary],
  ] as const;
  const there = pairs.filter((pair) => pair.every((folder) => existsSync(folder)));
  try {
    for (const [folder, temporary] of there.length === 0 ? [[folders.root, folders.root] as const] : there) {
      probeFileSystem(folder, temporary);
    }
    return fine(what);
  } catch (error) {
    return wrong(what, errorWords(error), error instanceof BridgeError ? error.hint : '');
  }
}

export function notSynced({ folders }: Examined): Finding {
  const what = 'no program copies the home elsewhere';
  const synced = syncedBy(folders.root, homedir());
  if (synced === null) return fine(what);
  const mend = 'Stop bot and consumer and move the home to a folder that stays here, such as ~/blog-bridge.';
  if (synced.certainty === 'perhaps') {
    return advice(what, `${folders.root} is copied if “Desktop & Documents Folders” of ${synced.by} is on`, mend);
  }
  const words = `${folders.root} lies in ${synced.by}, which brings removed files back, and makes doubles of changed ones`;
  return wrong(what, words, mend);
}

export function ownership({ folders }: Examined): Finding {
  const what = 'the home is yours and closed to others';
  const uid = process.geteuid?.() ?? 0;
  const inner = [folders.spool, folders.state].flatMap((folder) => [folder, ...foldersIn(folder)]);
  const found = [folders.root, folders.config, folders.env, ...inner].flatMap((path) => {
    const status = lstatSync(path, { throwIfNoEntry: false });
    return status === undefined ? [] : [{ path, status }];
  });
  const strange = found.filter(({ status }) => status.uid !== uid);
  if (strange[0] !== undefined) {
    const { path, status } = strange[0];
    const words = `${path} belongs to user ${status.uid}, and you are user ${uid}`;
    return wrong(what, words, 'Run this as its owner, or give the whole home to one user: chown -R');
  }
  const open = found.filter(({ path, status }) => (status.mode & closedBits(path, status, inner)) !== 0);
  if (open.length > 0) {
    const words = `others may look into or change ${someOf(open.map(({ path }) => path))}`;
    return wrong(
      what,
      words,
      `chmod -R go-rwx ${[folders.spool, folders.state].join(' ')}; chmod go-w ${folders.root}`,
    );
  }
  const shut = [folders.root, ...inner].filter((path) => !isWritable(path));
  return shut.length === 0
    ? fine(what)
    : wrong(what, `may not be written: ${someOf(shut)}`, 'chmod u+rwx, or mount the file system writable.');
}

/** What lies in spool and state is nobody else's to read; the rest only nobody else's to change. */
function closedBits(path: string, status: Stats, inner: readonly string[]): number {
  if (status.isSymbolicLink()) return 0;
  return inner.includes(path) ? 0o077 : 0o022;
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  try {
    const names = [
      'requests',
      'pending',
      'parts',
      'members',
      'seals',
      'decisions',
      'unread',
      'tmp',
      'links',
      'files',
      'damaged',
    ];
    return names
      .map((name) => join(folder, name))
      .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
  } catch (error) {
    if (errorCode(error) === 'EACCES') return [];
    throw error;
  }
}

function isWritable(path: string): boolean {
  if (!existsSync(path)) return true;
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function freeSpace({ folders }: Examined): Finding {
  const what = 'room on the disk';
  const bytes = roomAt(folders.root);
  const { files, ffree } = statfsSync(folders.root);
  const words = `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  if (bytes < LEAST_BYTES) {
    return wrong(
      what,
      `only ${Math.floor(bytes / 1024 ** 2)} MiB are left`,
      'Free some; with none, messages wait at Telegram, for 24 hours at most.',
    );
  }
  // Some file systems have no such number.
  if (files > 0 && ffree < LEAST_FILES)
    return wrong(what, `only ${ffree} files can still be made`, 'Remove files that nobody needs.');
  return fine(what, words);
}
