/**
 * Owns: the index of one home while its page is served.
 * Guarantees: a page never waits for it: names come first, files after, in slices, what is open and what is new before the
 *   rest. Nothing is written.
 * Fails: never; what cannot be read is a row that says so.
 */
import { errorCode } from '../core/failure.ts';
import { requestIdOf } from '../core/request.ts';
import { pause } from '../platform/clock.ts';
import { slicesOfNames } from '../platform/folder-names.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { ReceiptIndex } from './receipt-index.ts';
import { type Stores, readStory, rowOf } from './story.ts';

/** How long a page waits at most for what is read in the background, and how long that then rests. */
const SLICE_MS = 8;
const REST_MS = 3;
/** The page is not held up for a longer queue. */
const READ_AT_ONCE = 500;

export class HomeIndex {
  rows = new ReceiptIndex();
  readonly #folders: HomeFolders;
  #stores: Stores;

  /** Resolves when the first page can tell what is there. */
  readonly begun: Promise<void>;
  #markBegun: () => void = () => undefined;
  #isBegun = false;

  constructor(folders: HomeFolders, stores: Stores) {
    this.begun = new Promise((resolve) => {
      this.#markBegun = () => {
        this.#isBegun = true;
        resolve();
      };
    });
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
    return this.#isBegun && read === total;
  }

  /** What the first page needs: how many there are, and what is open. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.listNames();
    const open: string[] = [];
    for await (const names of namesOf(this.#folders.pending))
      open.push(...names.flatMap((name) => requestIdOf(name) ?? []));
    await this.readNow(open.slice(0, READ_AT_ONCE), signal);
    this.#markBegun();
  }

  /** Names only; true where one was new. */
  async listNames(): Promise<boolean> {
    const { rows } = this;
    let isNew = false;
    for (const folder of [this.#folders.requests, this.#folders.state]) {
      for await (const names of namesOf(folder)) {
        for (const name of names) {
          const id = requestIdOf(name);
          if (id !== null && rows.addName(Number(id))) isNew = true;
        }
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
export async function* namesOf(folder: string): AsyncGenerator<string[]> {
  try {
    yield* slicesOfNames(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
