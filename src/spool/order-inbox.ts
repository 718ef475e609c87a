/**
 * Owns: `spool/decisions/`, the orders of persons that are not settled.
 * Guarantees: an order stands whole and durable under its cause's id, once.
 * Fails: the system's error unchanged.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ORDER_ID, type Order, orderSchema } from '../core/order.ts';
import { createDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';

const MAX_ORDER_BYTES = 64 * 1024;

export class OrderInbox {
  readonly #home: HomeFolders;

  constructor(home: HomeFolders) {
    this.#home = home;
  }

  put(order: Order): 'created' | 'exists' {
    return createDurably(this.#path(order.id), jsonText(order), this.#home.spoolTemporary);
  }

  ids(): string[] {
    return readdirSync(this.#home.orders)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((id) => ORDER_ID.test(id));
  }

  /** Null for a file that is no order. */
  read(id: string): Order | null {
    const order = readJsonFile(this.#path(id), orderSchema, MAX_ORDER_BYTES);
    return order?.id === id ? order : null;
  }

  /** After its outcome is durable in `state/decisions/`. */
  remove(id: string): void {
    rmSync(this.#path(id), { force: true, recursive: true });
  }

  #path(id: string): string {
    return join(this.#home.orders, `${id}.json`);
  }
}
