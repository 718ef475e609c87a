/** A disk of its own in a file, mounted through a loop device; and what would be left of it if the power went now. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type FileSystem = 'ext4' | 'xfs';

export interface DiskImage {
  /** Where it is mounted. */
  path: string;
  /**
   * Calls `look` with a folder that shows what the disk holds at this instant: a copy of the image, mounted. What the file
   * system still keeps in memory is not in the image, and so is lost, as it is when the power goes.
   */
  afterPowerLoss<T>(look: (folder: string) => T): T;
  remount(options: string): void;
  close(): void;
}

/** Journals are committed by syncs alone: 300 s are longer than any story. */
const MAKE: Record<FileSystem, { mebibytes: number; make: string[]; options: string; again: string }> = {
  ext4: { mebibytes: 24, make: ['mkfs.ext4', '-q', '-F', '-J', 'size=4'], options: 'loop,commit=300', again: 'loop' },
  // The smallest that xfs takes. A copy has the same name as the mounted original.
  xfs: { mebibytes: 300, make: ['mkfs.xfs', '-q', '-f'], options: 'loop', again: 'loop,nouuid' },
};

/** @param mebibytes of ext4, for a disk that is soon full */
export function openDiskImage(fileSystem: FileSystem, mebibytes: number = MAKE[fileSystem].mebibytes): DiskImage {
  const { make, options, again } = MAKE[fileSystem];
  const folder = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'proof-disk-')));
  const [image, copy, path, copyPath] = ['image', 'copy', 'mounted', 'copy-mounted'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const one of [path, copyPath]) mkdirSync(one);
  run('truncate', '-s', `${mebibytes}M`, image);
  run(...make, image);
  run('mount', '-o', options, image, path);
  return {
    path,
    afterPowerLoss(look) {
      run('cp', '--sparse=always', image, copy);
      // Not read-only: the journal is played as at the next start.
      run('mount', '-o', again, copy, copyPath);
      try {
        return look(copyPath);
      } finally {
        run('umount', copyPath);
      }
    },
    remount: (how) => run('mount', '-o', `remount,${how}`, path),
    close() {
      run('umount', '-l', path);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Why nothing can be mounted here; null where it can. */
export function unmountable(fileSystem: FileSystem): string | null {
  try {
    openDiskImage(fileSystem).close();
    return null;
  } catch (error) {
    return `${fileSystem} cannot be made or mounted here: ${String(error).split('\n')[0] ?? ''}`;
  }
}

function run(...command: string[]): void {
  const [program = '', ...args] = command;
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
