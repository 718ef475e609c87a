/**
 * Owns: learning of every change in the home while its page is served.
 * Guarantees: a change is known at its event, and without one within seconds where it can still happen (open requests,
 *   processes), within a minute anywhere else.
 * Fails: never.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { requestIdOf } from '../core/request.ts';
import { Bell, monotonicMs, pause } from '../platform/clock.ts';
import { FolderWatch } from '../platform/folder-watch.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { type HomeIndex, namesOf } from './home-index.ts';
import type { Stores } from './story.ts';

const LOOK_MS = 2_000;
const LIST_MS = 60_000;
/** A receipt changes three times in a moment: one look is enough. */
const GATHER_MS = 60;
/** Of a long queue so many are looked at each time. */
const CHECKED_AT_ONCE = 200;

export interface FollowOptions {
  folders: HomeFolders;
  index: HomeIndex;
  /** For a home that was bound anew. */
  openStores: () => Stores;
  /** Changes when a process comes or goes, also one that was killed and so changed no file. */
  living: () => string;
  /** Told after each change. */
  onChange: () => void;
  signal: AbortSignal;
}

export async function followHome(options: FollowOptions): Promise<void> {
  const { folders, index, openStores, living, onChange, signal } = options;
  const bell = new Bell();
  const touched = new Set<string>();
  let hasOther = false;
  const { spool, requests, pending, orders, unread, state } = folders;
  const watch = new FolderWatch([spool, requests, pending, orders, unread, state], (folder, name) => {
    const id = name === null || folder === orders || folder === unread ? null : requestIdOf(name);
    if (id === null) hasOther = true;
    else touched.add(id);
    bell.ring();
  });
  signal.addEventListener('abort', () => bell.ring(), { once: true });
  const open = new OpenRequests(folders);
  let listedAt = monotonicMs();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let wasThere = false;
  let others = '';
  watch.renew();
  await index.begin(signal);
  let reading = readRest(index, signal, onChange);
  onChange();
  while (!signal.aborted) {
    let isChanged = hasOther;
    hasOther = false;
    for (const id of touched) {
      index.refresh(id);
      isChanged = true;
    }
    touched.clear();
    if (monotonicMs() - lookedAt >= LOOK_MS) {
      lookedAt = monotonicMs();
      const replaced = watch.renew();
      if (wasThere && replaced.includes(state)) index.forget(openStores());
      wasThere ||= signOf(state) !== '';
      if (replaced.length > 0) listedAt = Number.NEGATIVE_INFINITY;
      const changed = await open.changed();
      await index.readNow(changed, signal);
      const now = otherSigns(folders, living);
      isChanged ||= changed.length > 0 || replaced.length > 0 || now !== others;
      others = now;
    }
    if (monotonicMs() - listedAt >= LIST_MS) {
      listedAt = monotonicMs();
      if (await index.listNames()) isChanged = true;
      reading = reading.then(() => readRest(index, signal, onChange));
    }
    if (isChanged) onChange();
    await bell.wait(LOOK_MS);
    await pause(GATHER_MS, signal);
  }
  watch.close();
  await reading;
}

async function readRest(index: HomeIndex, signal: AbortSignal, onChange: () => void): Promise<void> {
  if (index.isComplete) return;
  await index.readRest(signal, seldom(onChange));
  onChange();
}

/** What is not settled can change at any time, and its name stands in `pending/`. */
class OpenRequests {
  readonly #folders: HomeFolders;
  #signs = new Map<string, string>();
  #next = 0;

  constructor(folders: HomeFolders) {
    this.#folders = folders;
  }

  /** Those that came, that went, and of the others those whose receipt is another. */
  async changed(): Promise<string[]> {
    const ids = new Set<string>();
    for await (const names of namesOf(this.#folders.pending)) {
      for (const name of names) {
        const id = requestIdOf(name);
        if (id !== null) ids.add(id);
      }
    }
    const gone = [...this.#signs.keys()].filter((id) => !ids.has(id));
    const come = [...ids].filter((id) => !this.#signs.has(id));
    for (const id of gone) this.#signs.delete(id);
    const others = this.#turn().filter((id) => this.#signs.get(id) !== signOf(this.#receipt(id)));
    for (const id of [...come, ...others]) this.#signs.set(id, signOf(this.#receipt(id)));
    return [...gone, ...come, ...others];
  }

  #turn(): string[] {
    const ids = [...this.#signs.keys()];
    if (this.#next >= ids.length) this.#next = 0;
    const turn = ids.slice(this.#next, this.#next + CHECKED_AT_ONCE);
    this.#next += CHECKED_AT_ONCE;
    return turn;
  }

  #receipt(id: string): string {
    return join(this.#folders.state, `${id}.json`);
  }
}

/** Locks and heartbeats, orders that wait, updates that could not be read; and whether who holds the locks lives. */
function otherSigns(folders: HomeFolders, living: () => string): string {
  const { botLock, consumerLock, botHeartbeat, consumerHeartbeat, orders, unread } = folders;
  const files = [botLock, consumerLock, botHeartbeat, consumerHeartbeat, orders, unread].map(signOf);
  return [...files, living()].join('|');
}

/** Another file under the same name is another sign; an empty text where there is none, or none that we may see. */
function signOf(path: string): string {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status === undefined ? '' : `${status.ino}:${status.mtimeMs}:${status.size}`;
  } catch {
    return '';
  }
}

/** At most once in two seconds. */
function seldom(act: () => void): () => void {
  let last = monotonicMs();
  return () => {
    if (monotonicMs() - last < LOOK_MS) return;
    last = monotonicMs();
    act();
  };
}
