/** A disk in memory that is small enough to be filled, and filling one: any but for its last bytes. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  rmdirSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MemoryDisk {
  path: string;
  remount(options: string): void;
  close(): void;
}

/** @throws where mounting is not permitted */
export function openMemoryDisk(kibibytes: number): MemoryDisk {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'proof-memory-')));
  const run = (program: string, ...args: string[]): void =>
    void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=0700`, 'none', path);
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  return {
    path,
    remount: (options) => run('mount', '-o', `remount,${options}`, path),
    close() {
      run('umount', '-l', path);
      rmdirSync(path);
    },
  };
}

export interface Ballast {
  /** Takes all that is left but for so many bytes. */
  fill(leftBytes: number): void;
  free(): void;
}

export function ballastIn(folder: string): Ballast {
  const path = join(folder, 'ballast');
  return {
    fill(leftBytes) {
      const file = openSync(path, 'a');
      try {
        for (const size of [65_536, 4096, 1]) fillBy(file, size);
        ftruncateSync(file, Math.max(0, fstatSync(file).size - leftBytes));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(path, { force: true }),
  };
}

function fillBy(file: number, size: number): void {
  try {
    for (;;) if (writeSync(file, Buffer.alloc(size)) < size) return;
  } catch {
    // full for pieces of this size
  }
}
