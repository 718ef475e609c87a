/**
 * Owns: the reaction under each request's message, by which a person sees at a glance where it stands.
 * Guarantees: the last one asked for is the last one tried; at most one call a message is under way.
 * Fails: never; a chat that allows no reactions changes nothing.
 */
import type { Reaction, Sender } from '../core/ports.ts';
import type { Receipt } from '../core/receipt.ts';
import { pause } from '../platform/clock.ts';

/** What led to a reaction, a claim and the start of its agent perhaps, goes on first: a call takes 2 ms of this process. */
const AFTER_MS = 30;

export class Reactions {
  readonly #sender: Sender;
  /** Those still to be shown under each message, in the order in which they were asked for. */
  readonly #wanted = new Map<number, Reaction[]>();
  readonly #busy = new Map<number, Promise<void>>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  show(chatId: number, messageId: number, reaction: Reaction): void {
    this.#wanted.set(messageId, [...(this.#wanted.get(messageId) ?? []), reaction]);
    if (!this.#busy.has(messageId)) this.#busy.set(messageId, this.#work(chatId, messageId));
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  async #work(chatId: number, messageId: number): Promise<void> {
    await pause(AFTER_MS);
    for (let next = this.#next(messageId); next !== undefined; next = this.#next(messageId)) {
      await this.#sender.react(chatId, messageId, next);
    }
    this.#wanted.delete(messageId);
    this.#busy.delete(messageId);
  }

  #next(messageId: number): Reaction | undefined {
    return this.#wanted.get(messageId)?.shift();
  }
}

/** What a receipt's state looks like; null before there is one. */
export function reactionTo(receipt: Receipt | null): Reaction | null {
  if (receipt === null) return null;
  if (receipt.attention !== null || receipt.state === 'failed' || receipt.state === 'rejected') return '💔';
  return receipt.state === 'sent' ? '👍' : '✍';
}
