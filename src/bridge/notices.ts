/**
 * Owns: telling a person, once, that a request needs a decision or came to a bad end.
 * Guarantees: a notice is recorded before it is sent; one that may have arrived is never sent again, one that certainly did
 *   not is tried again.
 * Fails: by the notice's state in the receipt; throws only `lock-lost` and what the disk will not mend.
 */
import { buttonData, ordersFor } from '../core/order.ts';
import type { Button, Destination, SendOutcome, Sender } from '../core/ports.ts';
import type { Notice, Receipt } from '../core/receipt.ts';
import { type Words, noticeWords } from '../core/words.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { ReceiptBook } from './receipt-book.ts';

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;

export interface NoticePorts {
  sender: Sender;
  book: ReceiptBook;
  link: (botMessageId: number, receipt: Receipt) => Promise<void>;
  /** Told of a notice that arrived when a person had decided already. */
  overtaken: (botMessageId: number, before: Receipt) => void;
  /** Runs a durable step, waiting for the disk if it must. */
  stored: <T>(step: () => T) => Promise<T>;
}

export class Notices {
  readonly #ports: NoticePorts;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #next = new Map<string, { atMs: number; waitMs: number }>();

  constructor(ports: NoticePorts) {
    this.#ports = ports;
  }

  /** Sends the notice that the receipt owes; null where it is under way, or its next try is not due. */
  announce(receipt: Receipt, to: Destination, words: Words): Promise<void> | null {
    if (this.#busy.has(receipt.id) || (this.#next.get(receipt.id)?.atMs ?? 0) > monotonicMs()) return null;
    const work = this.#send(receipt, to, words).finally(() => this.#busy.delete(receipt.id));
    this.#busy.set(receipt.id, work);
    return work;
  }

  isBusy(id: string): boolean {
    return this.#busy.has(id);
  }

  /** A notice that nobody is at any more may have arrived: it is not sent again. */
  closeDoubtful(receipt: Receipt): Promise<Receipt | null> {
    return this.#mark(receipt, 'unknown', null);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#busy.values());
  }

  async #send(receipt: Receipt, to: Destination, words: Words): Promise<void> {
    const marked = await this.#mark(receipt, 'sending', null);
    // What it was about has moved on: there is nothing to tell any more.
    if (marked === null) return;
    const outcome = await this.#attempt(receipt, to, words);
    switch (outcome.kind) {
      case 'accepted': {
        const [messageId = null] = outcome.messageIds;
        if (messageId !== null) await this.#ports.link(messageId, receipt);
        const noted = await this.#mark(marked, 'sent', messageId);
        if (noted === null && messageId !== null) this.#ports.overtaken(messageId, marked);
        this.#next.delete(receipt.id);
        return;
      }
      case 'unknown':
        await this.#mark(marked, 'unknown', null);
        this.#next.delete(receipt.id);
        return;
      default:
        await this.#mark(marked, 'waiting', null);
        this.#postpone(receipt.id, outcome);
    }
  }

  async #attempt(receipt: Receipt, to: Destination, words: Words): Promise<SendOutcome> {
    const content = { text: noticeWords(words, receipt), entities: [] };
    const buttons = ordersFor(receipt).map((verb): Button[] => [
      { label: words.button[verb], data: buttonData(verb, receipt) },
    ]);
    const send = (where: Destination): Promise<SendOutcome> =>
      this.#ports.sender.sendText(where, content, buttons.length === 0 ? undefined : buttons);
    const outcome = await send(to);
    // Whatever was wrong with the place (a topic that is closed, say): a person must hear of it all the same.
    return outcome.kind === 'refused' && outcome.code === 400
      ? send({ ...to, replyTo: null, threadId: null })
      : outcome;
  }

  /** Null, and nothing written, where another event has replaced the notice meanwhile. */
  async #mark(receipt: Receipt, state: Notice['state'], messageId: number | null): Promise<Receipt | null> {
    const { book, stored } = this.#ports;
    return stored(() => {
      const current = book.current(receipt.id);
      if (current?.history.length !== receipt.history.length || current.notice?.for !== receipt.notice?.for)
        return null;
      const step = book.advance(receipt, { type: 'notice', state, messageId });
      return step.ok ? step.receipt : null;
    });
  }

  #postpone(id: string, outcome: SendOutcome): void {
    const waitMs = Math.min((this.#next.get(id)?.waitMs ?? FIRST_WAIT_MS / 2) * 2, LONGEST_WAIT_MS);
    const toldMs = outcome.kind === 'not-arrived' ? (outcome.retryAfterMs ?? 0) : 0;
    this.#next.set(id, { atMs: monotonicMs() + Math.max(waitMs, toldMs), waitMs });
  }
}
