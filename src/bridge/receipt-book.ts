/**
 * Owns: every change of a receipt, as one step: read, decide, write.
 * Guarantees: no step is taken without the consumer's lock; the steps of one receipt never overlap (they are synchronous).
 * Fails: `lock-lost`, or the disk's error. The receipt is then as it was, or changed and perhaps not durable: the same step
 *   tried again makes it good either way.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Receipt } from '../core/receipt.ts';
import { type ReceiptEvent, type Transition, transition } from '../core/receipt-machine.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';

export interface RequestKey {
  id: string;
  conversation: string;
}

export class ReceiptBook {
  readonly #store: ReceiptStore;
  readonly #assertOwner: () => void;
  readonly #now: () => string;
  readonly #onChanged: (receipt: Receipt, before: Receipt | null) => void;
  /** Steps whose writing failed: the file may stand, and only its folder's sync be missing. */
  readonly #unsure = new Map<string, { event: string; receipt: Receipt; before: Receipt | null }>();

  /** @param onChanged told of each change once it is durable */
  constructor(
    store: ReceiptStore,
    assertOwner: () => void,
    now: () => string,
    onChanged: (receipt: Receipt, before: Receipt | null) => void,
  ) {
    this.#store = store;
    this.#assertOwner = assertOwner;
    this.#now = now;
    this.#onChanged = onChanged;
  }

  /** The receipt, or null; one that cannot be understood is thrown as `UnclearReceipt`, and never taken for none. */
  current(id: string): Receipt | null {
    const stored = this.#store.read(id);
    if (stored.kind === 'none') return null;
    if (stored.kind === 'receipt') return stored.receipt;
    throw new UnclearReceipt(id);
  }

  advance(request: RequestKey, event: ReceiptEvent): Transition {
    this.#assertOwner();
    const { id } = request;
    const current = this.current(id);
    const unsure = this.#unsure.get(id);
    if (unsure?.event === JSON.stringify(event) && isDeepStrictEqual(current, unsure.receipt)) {
      this.#store.syncNames();
      return this.#changed(unsure.receipt, unsure.before);
    }
    const next = transition(current, event, request, this.#now());
    if (!next.ok) return next;
    try {
      if (current !== null) this.#store.replace(next.receipt);
      else if (this.#store.create(next.receipt) === 'exists') return { ok: false, reason: 'moved-on' };
    } catch (error) {
      this.#unsure.set(id, { event: JSON.stringify(event), receipt: readBack(next.receipt), before: current });
      throw error;
    }
    return this.#changed(next.receipt, current);
  }

  #changed(receipt: Receipt, before: Receipt | null): Transition {
    this.#unsure.delete(receipt.id);
    this.#onChanged(receipt, before);
    return { ok: true, receipt };
  }

  /** In the place of a receipt that could not be read, once a copy of that is kept. */
  replaceDamaged(receipt: Receipt): void {
    this.#assertOwner();
    this.#store.replace(receipt);
    this.#onChanged(receipt, null);
  }
}

/** As it is when it was written and read. */
function readBack(receipt: Receipt): Receipt {
  return JSON.parse(JSON.stringify(receipt)) as Receipt;
}

/** A receipt that is damaged, or of a later version. */
export class UnclearReceipt extends Error {
  constructor(id: string) {
    super(`state/${id}.json cannot be understood`);
    this.name = 'UnclearReceipt';
  }
}
