/**
 * Owns: telling who asked, once, how many requests come before theirs.
 * Guarantees: a request that is delivered again tells nothing; what was accepted within a second is told in one message, and
 *   what does not wait any more by then in none.
 * Fails: never; a place that does not arrive is not told again.
 */
import { oneLine } from '../core/one-line.ts';
import type { Destination } from '../core/ports.ts';
import type { Request } from '../core/request.ts';
import { type Settings, languageOf } from '../core/settings.ts';
import { wordsIn } from '../core/words.ts';
import { pause } from '../platform/clock.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';

/** A request whose turn comes at once needs no words. */
const TOLD_AFTER_MS = 1_000;
/** Of more that come before, the receipts are not read: they count as waiting. */
const LOOKED_AT = 200;
const LINES = 10;

export interface PlacePorts {
  settings: Settings;
  requests: RequestStore;
  receipts: ReceiptStore;
  isConsumerAlive: () => boolean;
  /** Says it without a sound. */
  say: (to: Destination, text: string) => Promise<void>;
  signal: AbortSignal;
}

export class QueuePlaces {
  readonly #ports: PlacePorts;
  #accepted: Request[] = [];

  constructor(ports: PlacePorts) {
    this.#ports = ports;
  }

  /** Resolves when the places of all that came within the same second are told. */
  async accepted(request: Request): Promise<void> {
    this.#accepted.push(request);
    if (this.#accepted.length > 1) return;
    const { signal } = this.#ports;
    await pause(TOLD_AFTER_MS, signal);
    const requests = this.#accepted.splice(0);
    if (signal.aborted) return;
    for (const group of perAsker(requests)) await this.#tell(group);
  }

  async #tell(requests: readonly Request[]): Promise<void> {
    const { settings, isConsumerAlive, say } = this.#ports;
    const queue = placesOf(new Set(requests.map(({ id }) => id)), this.#ports);
    const places = requests.flatMap((request) => {
      const ahead = queue.get(request.id) ?? 0;
      return ahead === 0 ? [] : [{ request, text: oneLine(request.text, 40), ahead }];
    });
    const last = places.at(-1);
    if (last === undefined) return;
    const { chatId, messageId, threadId, from } = last.request;
    const words = wordsIn(languageOf(settings, from.language));
    const lines = [
      places.length === 1 ? words.queuePlace(last.ahead) : words.queuePlaces(places.slice(-LINES)),
      ...(isConsumerAlive() ? [] : [words.consumerSilent]),
    ];
    await say({ chatId, replyTo: messageId, threadId }, lines.join('\n'));
  }
}

/** How many come before each of them that waits. One look at the queue serves all: a hundred may come at once. */
function placesOf(asked: ReadonlySet<string>, ports: PlacePorts): Map<string, number> {
  const places = new Map<string, number>();
  let ahead = 0;
  for (const [index, id] of ports.requests.pendingIds().entries()) {
    if (asked.has(id) && ports.receipts.read(id).kind === 'none') places.set(id, ahead);
    if (index >= LOOKED_AT || !isParked(id, ports)) ahead += 1;
  }
  return places;
}

function isParked(id: string, { requests, receipts }: PlacePorts): boolean {
  const stored = receipts.read(id);
  if (stored.kind === 'none') return !requests.has(id);
  return stored.kind !== 'receipt' || !isAtWork(stored.receipt);
}

function isAtWork({ state, attention }: { state: string; attention: string | null }): boolean {
  return (state === 'submitted' || state === 'sending') && attention === null;
}

function perAsker(requests: readonly Request[]): Request[][] {
  const groups = new Map<string, Request[]>();
  for (const request of requests) {
    const key = `${request.threadId} ${request.from.id}`;
    groups.set(key, [...(groups.get(key) ?? []), request]);
  }
  return [...groups.values()];
}
