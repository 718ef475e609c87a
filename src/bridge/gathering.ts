/**
 * Owns: which groups are open, and when one may be sealed.
 * Guarantees: a group is ripe only when its quiet time is over and a poll that was asked after its last part has come back
 *   without another. It is told of a part after that part is durable, so a restart knows all that it knew.
 * Fails: never; what it knows is on disk.
 */
import { albumKey, continues, mayContinue, pasteKey } from '../core/group.ts';
import type { IncomingMessage } from '../core/admission.ts';
import type { StoredPart } from '../spool/part-store.ts';

interface OpenGroup {
  messages: Map<number, IncomingMessage>;
  lastPartAtMs: number;
}

export class Gathering {
  readonly #quietMs: number;
  readonly #now: () => number;
  readonly #open = new Map<string, OpenGroup>();

  /** @param now monotonic, in ms */
  constructor(quietMs: number, now: () => number) {
    this.#quietMs = quietMs;
    this.#now = now;
  }

  /** After a restart: how long ago the parts came is not known, so their quiet time begins anew. */
  load(parts: readonly StoredPart[]): void {
    for (const { group, message } of parts) this.touched(group, message);
  }

  /** The group that this message belongs to: its album, or the open paste that it goes on with. */
  groupOf(message: IncomingMessage): string | null {
    const album = albumKey(message);
    if (album !== null) return album;
    for (const [group, { messages }] of this.#open) {
      if (messages.has(message.messageId)) return group;
      const last = [...messages.values()].at(-1);
      if (last?.mediaGroupId === null && continues(message, last)) return group;
    }
    return null;
  }

  /**
   * The group that an order opens: a long one, which may have a continuation, and any that comes while an older group is
   * open, which it must not overtake. Null where it can be a request at once.
   */
  opens(message: IncomingMessage): string | null {
    const isAfterOthers = [...this.#open.values()].some(({ messages }) =>
      [...messages.keys()].some((id) => id < message.messageId),
    );
    return isAfterOthers || mayContinue(message) ? pasteKey(message.messageId) : null;
  }

  touched(group: string, message: IncomingMessage): void {
    const open = this.#open.get(group) ?? { messages: new Map<number, IncomingMessage>(), lastPartAtMs: 0 };
    open.messages.set(message.messageId, message);
    open.lastPartAtMs = this.#now();
    this.#open.set(group, open);
  }

  /** How the next poll is asked; null where nothing is open. A poll of 0 s comes at the end of the quiet time. */
  nextPoll(): { delayMs: number; seconds: number } | null {
    if (this.#open.size === 0) return null;
    const ends = [...this.#open.values()].map((open) => open.lastPartAtMs + this.#quietMs);
    const leftMs = Math.max(0, Math.min(...ends) - this.#now());
    return leftMs >= 1_000 ? { delayMs: 0, seconds: Math.floor(leftMs / 1_000) } : { delayMs: leftMs, seconds: 0 };
  }

  /**
   * Groups that nothing can join any more, given a completed poll that was asked at `askedAtMs`; in the order in which they
   * were opened, and none before an older one.
   */
  ripe(askedAtMs: number): { group: string; messages: IncomingMessage[] }[] {
    const isRipe = (open: OpenGroup): boolean =>
      askedAtMs > open.lastPartAtMs && this.#now() >= open.lastPartAtMs + this.#quietMs;
    const open = [...this.#open];
    const firstUnripe = open.findIndex(([, group]) => !isRipe(group));
    return open
      .slice(0, firstUnripe === -1 ? open.length : firstUnripe)
      .map(([group, { messages }]) => ({ group, messages: [...messages.values()] }));
  }

  sealed(group: string): void {
    this.#open.delete(group);
  }
}
