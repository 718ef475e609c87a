/** The queue of updates for the bot, and the one getUpdates call that may wait for it (https://core.telegram.org/bots/api#getupdates). */
import type { Update } from './bot-api.ts';
import { Refusal } from './refusal.ts';

const NOT_BY_DEFAULT = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);
const OTHER_POLL = 'other getUpdates request; make sure that only one bot instance is running';

export interface PollQuery {
  /** What is below it is confirmed; a negative one keeps only the last updates; 0 confirms nothing. */
  offset: number;
  limit: number;
  timeoutMs: number;
  allowed: string[] | undefined;
}

interface Queued {
  update: Update;
  confirmed: boolean;
  /** Delivered once more whatever the offset says. */
  again: boolean;
}

interface Poll {
  limit: number;
  resolve: (updates: Update[]) => void;
  reject: (refusal: Refusal) => void;
  timer: NodeJS.Timeout;
}

export class UpdateQueue {
  /** The highest offset that the bot has asked for; undefined until the first. */
  confirmedOffset: number | undefined;
  /** Kinds that the last call with `allowed_updates` asked for; undefined means the default. */
  allowed: string[] | undefined;
  readonly #queue: Queued[] = [];
  #nextId: number;
  #poll: Poll | undefined;

  constructor(firstUpdateId: number) {
    this.#nextId = firstUpdateId;
  }

  get waiting(): Update[] {
    return this.#deliverable(Number.POSITIVE_INFINITY).map(({ update }) => update);
  }

  get isPolled(): boolean {
    return this.#poll !== undefined;
  }

  /** Queues the update, unless the bot did not ask for its kind. */
  push(fields: Record<string, unknown>, updateId?: number): Update {
    const update: Update = { update_id: updateId ?? this.#nextId, ...fields };
    this.#nextId = Math.max(this.#nextId, update.update_id + 1);
    if (!this.#isAllowed(update)) return update;
    this.#queue.push({ update, confirmed: false, again: false });
    this.#queue.sort((a, b) => a.update.update_id - b.update.update_id);
    this.#wake();
    return update;
  }

  /** The same update under a new id. */
  redeliver(updateId: number): Update {
    const found = this.#queue.find(({ update }) => update.update_id === updateId);
    if (found === undefined) throw new Error(`no update ${updateId}`);
    const { update_id: _, ...fields } = found.update;
    return this.push(fields);
  }

  /** All updates from this one on are delivered once more under their own ids, whatever offset is asked for next. */
  rewind(updateId: number): void {
    for (const queued of this.#queue) {
      if (queued.update.update_id >= updateId) Object.assign(queued, { confirmed: false, again: true });
    }
    this.#wake();
  }

  clear(): void {
    for (const queued of this.#queue) Object.assign(queued, { confirmed: true, again: false });
  }

  /** Waits up to `timeoutMs` for at least one update; a later call ends this one with 409. */
  poll(query: PollQuery, signal: AbortSignal): Promise<Update[]> {
    this.terminatePoll(OTHER_POLL);
    this.allowed = query.allowed ?? this.allowed;
    this.#confirm(query.offset);
    if (this.#deliverable(1).length > 0 || query.timeoutMs === 0) return Promise.resolve(this.#take(query.limit));
    return this.#wait(query, signal);
  }

  /** Ends the waiting call, if there is one, with 409. */
  terminatePoll(by: string): void {
    this.#poll?.reject(new Refusal(409, `Conflict: terminated by ${by}`));
  }

  #wait({ limit, timeoutMs }: PollQuery, signal: AbortSignal): Promise<Update[]> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', left);
        if (this.#poll === poll) this.#poll = undefined;
      };
      const timer = setTimeout(() => poll.resolve([]), timeoutMs);
      const left = (): void => poll.resolve([]);
      const poll: Poll = {
        limit,
        timer,
        resolve: (updates) => (end(), resolve(updates)),
        reject: (refusal) => (end(), reject(refusal)),
      };
      signal.addEventListener('abort', left);
      this.#poll = poll;
    });
  }

  #wake(): void {
    const poll = this.#poll;
    // What is put in one go, such as an album, comes in one answer.
    queueMicrotask(() => {
      if (poll !== undefined && poll === this.#poll && this.#deliverable(1).length > 0) {
        poll.resolve(this.#take(poll.limit));
      }
    });
  }

  #confirm(offset: number): void {
    if (offset < 0) {
      const kept = new Set(this.#deliverable(Number.POSITIVE_INFINITY).slice(offset));
      for (const queued of this.#queue) queued.confirmed = !kept.has(queued);
    } else if (offset > 0) {
      this.confirmedOffset = Math.max(offset, this.confirmedOffset ?? 0);
      for (const queued of this.#queue) {
        if (queued.update.update_id < offset && !queued.again) queued.confirmed = true;
      }
    }
  }

  #take(limit: number): Update[] {
    const taken = this.#deliverable(limit);
    for (const queued of taken) queued.again = false;
    return taken.map(({ update }) => structuredClone(update));
  }

  #deliverable(limit: number): Queued[] {
    return this.#queue.filter(({ confirmed }) => !confirmed).slice(0, limit);
  }

  #isAllowed(update: Update): boolean {
    const kind = Object.keys(update).find((key) => key !== 'update_id') ?? '';
    if (this.allowed === undefined || this.allowed.length === 0) return !NOT_BY_DEFAULT.has(kind);
    return this.allowed.includes(kind);
  }
}
