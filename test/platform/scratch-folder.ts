import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for one test, gone after it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blog-bridge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A real file system in memory with room for `kilobytes`; null, with the reason printed, where mounting is not permitted. */
export function smallFileSystem(kilobytes: number, options = ''): string | null {
  const folder = scratchFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k${options}`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    console.warn(`no small file system here: ${mounted.error?.message ?? mounted.stderr}`);
    return null;
  }
  // Runs before the folder is removed: the last one registered goes first.
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

export function subfolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
