/** What a process does to a home before it works in it: folders, a file system that keeps promises, the lock, the binding. */
import { isPassingAtStart, untilStored } from '../bridge/persistence.ts';
import { BridgeError, errorWords } from '../core/failure.ts';
import { probeFileSystem } from '../platform/file-system-probe.ts';
import { type HomeFolders, makeHomeFolders } from '../platform/home-folders.ts';
import { type OwnershipLock, acquireLock } from '../platform/ownership-lock.ts';
import { sweepTemporaries } from '../platform/temporary-files.ts';
import { bindHome } from '../spool/home-binding.ts';

export interface TakeHomeOptions {
  folders: HomeFolders;
  lockPath: string;
  /** Where the process writes its files before they get their names. */
  temporaryFolder: string;
  /** Folder whose names the process makes by links. */
  linkedFolder: string;
  botId: number;
  chatId: number;
  signal: AbortSignal;
  onTrouble: (words: string | null) => void;
}

/**
 * Waits for a disk that is full and for a file that is held back, since a service that ended for it would not come back; null
 * where the signal came first.
 * @throws BridgeError `home-unusable`, `lock-held`, `home-of-another-chat`, …
 */
export async function takeHome(options: TakeHomeOptions): Promise<OwnershipLock | null> {
  const { signal, onTrouble } = options;
  try {
    const lock = await untilStored(() => attempt(options), signal, onTrouble, isPassingAtStart);
    if (!signal.aborted) return lock;
    lock.release();
    return null;
  } catch (error) {
    if (signal.aborted && isPassingAtStart(error)) return null;
    throw error;
  }
}

function makeFolders(folders: HomeFolders): void {
  try {
    makeHomeFolders(folders);
  } catch (error) {
    throw new BridgeError(
      'home-unusable',
      `${folders.root}: expected a folder in which folders can be made, found ${errorWords(error)}`,
      {
        hint: 'Let the whole home be writable for the user that runs this, or give another --home.',
        cause: error,
      },
    );
  }
}

async function attempt({
  folders,
  lockPath,
  temporaryFolder,
  linkedFolder,
  botId,
  chatId,
}: TakeHomeOptions): Promise<OwnershipLock> {
  makeFolders(folders);
  probeFileSystem(linkedFolder, temporaryFolder);
  const lock = await acquireLock(lockPath, { temporaryFolder });
  try {
    bindHome(folders, botId, chatId);
    sweepTemporaries(temporaryFolder);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}
