/**
 * Owns: `state/files/<messageId>/`: what went to the agent, what it printed, what goes back.
 * Guarantees: a folder that is handed out exists; `keepReply` is durable on return.
 * Fails: the system's error unchanged.
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceDurably, syncFile, syncFolder } from '../platform/durable-file.ts';
import { LEAST_ROOM_BYTES, roomAt } from '../platform/disk-room.ts';
import type { HomeFolders } from '../platform/home-folders.ts';

export class RunFiles {
  readonly #home: HomeFolders;

  constructor(home: HomeFolders) {
    this.#home = home;
  }

  folder(requestId: string): string {
    return join(this.#home.files, requestId);
  }

  inFolder(requestId: string): string {
    return join(this.folder(requestId), 'in');
  }

  /** `out/`; that of a rerun lies in it, so that nothing of the former run goes back once more. */
  outFolder(requestId: string, run: number): string {
    const folder = join(this.folder(requestId), 'out');
    return run === 1 ? folder : join(folder, `run-${run}`);
  }

  /** Throws ENOSPC where what an agent prints would be cut: it is better not begun. */
  assertRoom(): void {
    const room = roomAt(this.#home.files);
    if (room >= LEAST_ROOM_BYTES) return;
    const words = `${this.#home.files}: expected room for at least ${LEAST_ROOM_BYTES} bytes, found ${room}`;
    throw Object.assign(new Error(words), { code: 'ENOSPC' });
  }

  /**
   * Makes what a run needs; the outputs themselves are opened by the run. Not synced: a folder that a power cut takes away
   * held nothing that a receipt names.
   */
  prepare(requestId: string, run: number): { outFolder: string; outputPath: string; errorPath: string } {
    const folder = this.folder(requestId);
    const outFolder = this.outFolder(requestId, run);
    mkdirSync(outFolder, { recursive: true, mode: 0o700 });
    return { outFolder, outputPath: join(folder, `run-${run}.out`), errorPath: join(folder, `run-${run}.err`) };
  }

  keepReply(requestId: string, name: string, markdown: string): void {
    replaceDurably(join(this.folder(requestId), name), markdown, this.#home.stateTemporary);
  }

  /** A file that goes back to the chat is on disk before the receipt says so; its size in bytes. */
  sync(requestId: string, name: string): number {
    const path = join(this.folder(requestId), name);
    syncFile(path);
    return statSync(path).size;
  }

  /** Makes the names durable under which the request's files lie. */
  syncNames(requestId: string): void {
    syncFolder(this.folder(requestId));
    syncFolder(this.#home.files);
  }

  /** The highest run whose output lies here; 0 where none does. For a request whose receipt tells nothing any more. */
  lastRun(requestId: string): number {
    let names: string[] = [];
    try {
      names = readdirSync(this.folder(requestId));
    } catch {
      return 0;
    }
    return Math.max(0, ...names.map((name) => Number(/^run-(\d{1,6})\.out$/u.exec(name)?.[1] ?? 0)));
  }
}
