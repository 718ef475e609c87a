/**
 * Owns: `state/decisions/<id>.json`: that an order was taken up, and what became of it.
 * Guarantees: of all that try to take up an order, exactly one does; the file stays for ever.
 * Fails: the system's error unchanged.
 */
import { join } from 'node:path';
import { type Order, type OrderOutcome, type TakenOrder, takenOrderSchema } from '../core/order.ts';
import { createDurably, replaceDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';

export class OrderLog {
  readonly #home: HomeFolders;

  constructor(home: HomeFolders) {
    this.#home = home;
  }

  take(id: string, order: Order | null, takenAt: string): 'created' | 'exists' {
    const taken: TakenOrder = { version: 1, order, takenAt, outcome: null };
    return createDurably(this.#path(id), serialise(taken), this.#home.stateTemporary);
  }

  /** Null where the order was never taken up, or its file cannot be read. */
  read(id: string): TakenOrder | null {
    return readJsonFile(this.#path(id), takenOrderSchema);
  }

  conclude(id: string, order: Order | null, takenAt: string, outcome: OrderOutcome): void {
    replaceDurably(this.#path(id), serialise({ version: 1, order, takenAt, outcome }), this.#home.stateTemporary);
  }

  #path(id: string): string {
    return join(this.#home.takenOrders, `${id}.json`);
  }
}

function serialise(taken: TakenOrder): string {
  return jsonText(taken);
}
