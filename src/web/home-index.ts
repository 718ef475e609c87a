/**
 * Owns: the index of one home while its page is served.
 * Guarantees: a page never waits for it: names come first, files after, in slices, what is open and what is new before the
 *   rest. Nothing is written.
 * Fails: never; what cannot be read is a row that says so.
 */
import { opendir } from 'node:fs/promises';
import { errorCode } from '../core/failure.ts';
import { requestIdOf } from '../core/request.ts';
import { pause } from '../platform/clock.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { ReceiptIndex } from './receipt-index.ts';
import { type Stores, readStory, rowOf } from './story.ts';

/** How long other work waits at most, and how long it then gets: half of one processor, and no more. */
const SLICE_MS = 8;
const REST_MS = 8;
/** The page is not held up for a longer queue. */
const READ_AT_ONCE = 500;

export class HomeIndex {
  rows = new ReceiptIndex();
  readonly #folders: HomeFolders;
  #stores: Stores;

  constructor(folders: HomeFolders, stores: Stores) {
    this.#folders = folders;
    this.#stores = stores;
  }

  /** The home was bound anew: nothing that was known holds. */
  forget(stores: Stores): void {
    this.#stores = stores;
    this.rows = new ReceiptIndex();
  }

  get isComplete(): boolean {
    const { read, total } = this.rows.progress;
    return read === total;
  }

  /** What the first page needs: how many there are, and what is open. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.listNames();
    const open: string[] = [];
    for await (const name of namesOf(this.#folders.pending)) {
      const id = requestIdOf(name);
      if (id !== null && open.length < READ_AT_ONCE) open.push(id);
    }
    await this.readNow(open, signal);
  }

  /** Names only; true where one was new. */
  async listNames(): Promise<boolean> {
    const { rows } = this;
    let isNew = false;
    for (const folder of [this.#folders.requests, this.#folders.state]) {
      for await (const name of namesOf(folder)) {
        const id = requestIdOf(name);
        if (id !== null && rows.addName(Number(id))) isNew = true;
      }
    }
    return isNew;
  }

  /** Reads what was not read yet. `onSlice` is told now and then, so that a page can show how far it is. */
  async readRest(signal: AbortSignal, onSlice: () => void): Promise<void> {
    const { rows } = this;
    await inSlices(
      [...rows.unreadIds()],
      (id) => this.refresh(String(id)),
      signal,
      () => {
        if (this.rows !== rows) return false;
        onSlice();
        return true;
      },
    );
  }

  /** Reads these first. */
  async readNow(ids: readonly string[], signal: AbortSignal): Promise<void> {
    await inSlices(
      ids,
      (id) => this.refresh(id),
      signal,
      () => true,
    );
  }

  refresh(id: string): void {
    const story = readStory(id, this.#stores);
    if (story !== null) this.rows.set(rowOf(story));
    else if (this.rows.has(Number(id))) this.rows.set(vanished(Number(id)));
  }
}

/** Its name was there a moment ago: a person moves files by hand. */
function vanished(id: number): Parameters<ReceiptIndex['set']>[0] {
  return { id, conversation: id, state: 'unreadable', needsPerson: false, acceptedMs: NaN, agentMs: NaN, text: '' };
}

async function inSlices<T>(
  items: readonly T[],
  work: (item: T) => void,
  signal: AbortSignal,
  between: () => boolean,
): Promise<void> {
  let begun = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - begun < SLICE_MS) continue;
    await pause(REST_MS, signal);
    if (signal.aborted || !between()) return;
    begun = performance.now();
  }
}

/** A folder that is not there has no names. */
export async function* namesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder, { bufferSize: 1024 })) yield name;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
