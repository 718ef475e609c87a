/**
 * Owns: one watch a folder, by the system's own means: what reads a folder at each event costs with what is in it.
 * Guarantees: a folder that comes later, or is made anew, is watched from the next `renew` on. Events are hints: some get lost.
 * Fails: never; what cannot be watched is told once, and only looked at.
 */
import { type FSWatcher, statSync, watch } from 'node:fs';

export type Hint = (folder: string, name: string | null) => void;

export class FolderWatch {
  readonly #folders: readonly string[];
  readonly #hint: Hint;
  readonly #onFailure: (error: unknown) => void;
  readonly #open = new Map<string, { watcher: FSWatcher | null; inode: number }>();

  constructor(folders: readonly string[], hint: Hint, onFailure: (error: unknown) => void = () => undefined) {
    this.#folders = folders;
    this.#hint = hint;
    this.#onFailure = onFailure;
  }

  /** The folders that came, went, or were replaced since the last time. */
  renew(): string[] {
    return this.#folders.filter((folder) => {
      const inode = inodeOf(folder);
      const former = this.#open.get(folder);
      if ((former?.inode ?? 0) === inode) return false;
      former?.watcher?.close();
      if (inode === 0) this.#open.delete(folder);
      else this.#open.set(folder, { watcher: this.#watch(folder), inode });
      return true;
    });
  }

  close(): void {
    for (const { watcher } of this.#open.values()) watcher?.close();
    this.#open.clear();
  }

  #watch(folder: string): FSWatcher | null {
    try {
      const watcher = watch(folder, (_event, name) => this.#hint(folder, name));
      watcher.on('error', (error) => {
        watcher.close();
        this.#onFailure(error);
      });
      return watcher;
    } catch (error) {
      this.#onFailure(error);
      return null;
    }
  }
}

function inodeOf(folder: string): number {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.ino ?? 0;
  } catch {
    return 0;
  }
}
