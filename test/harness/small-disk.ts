/** A disk of its own for a test: small enough to be filled, and mounted read-only at will. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

export interface SmallDisk {
  path: string;
  /** Takes every byte that is left. */
  fill(): void;
  free(): void;
  setReadOnly(isReadOnly: boolean): Promise<void>;
}

/** Skips the test where this user may not mount (root may). Ask for it before `openWorld`: it is unmounted after the processes ended. */
export function mountSmallDisk(kilobytes: number, skip: (note: string) => never): SmallDisk {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-disk-')));
  if (!mounts('-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=0700`, 'none', path)) {
    rmdirSync(path);
    return skip('mounting a disk is not permitted here');
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', path]);
    rmdirSync(path);
  });
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: () => fillWith(ballast),
    free: () => rmSync(ballast, { force: true }),
    async setReadOnly(isReadOnly) {
      const options = ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path];
      // Refused for as long as a file is open for writing, such as a heartbeat under way.
      await vi.waitUntil(() => mounts(...options), { timeout: 45_000, interval: 20 });
    },
  };
}

function mounts(...args: string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fillWith(ballast: string): void {
  const file = openSync(ballast, 'a');
  try {
    for (const size of [4096, 1]) {
      try {
        for (;;) if (writeSync(file, Buffer.alloc(size)) === 0) break;
      } catch {
        // full for pieces of this size
      }
    }
  } finally {
    closeSync(file);
  }
}
