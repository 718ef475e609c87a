/**
 * Owns: how far a batch of updates is dealt with.
 * Guarantees: `handle` counts an update only when its request or order is durable, or when it was decided, with a log line,
 *   that it is neither. A store that fails is tried again in place; what our own code cannot digest is set aside.
 * Fails: throws `chat-migrated` and `lock-lost`; a stop in the middle of a batch is told by the count.
 */
import type { Update } from 'grammy/types';
import { decideAdmission } from '../core/admission.ts';
import { BridgeError, errorWords } from '../core/failure.ts';
import type { Destination } from '../core/ports.ts';
import { isOfTheSystem, untilStored } from './persistence.ts';
import { type TakePorts, UpdateTaker, type Verdict, isAllowedPress } from './take-update.ts';

export interface IntakePorts extends TakePorts {
  /** @throws BridgeError `lock-lost` */
  assertOwn: () => void;
  onTrouble: (words: string | null) => void;
}

export class Intake {
  readonly #ports: IntakePorts;
  readonly #taker: UpdateTaker;

  constructor(ports: IntakePorts) {
    this.#ports = ports;
    this.#taker = new UpdateTaker(ports);
  }

  /** Returns how many updates, from the first on, are dealt with. */
  async handle(updates: readonly Update[]): Promise<number> {
    if (updates.length === 0) this.#lookWhoOwns();
    if (updates.length > 1) await this.#taker.draft(updates);
    const later: { index: number; work: Promise<Verdict> }[] = [];
    let handled = 0;
    try {
      for (const update of updates) {
        if (this.#ports.signal.aborted) break;
        const verdict = await this.#persist(update, () => this.#taker.take(update));
        if (verdict === 'stopped') break;
        if (typeof verdict === 'function') {
          const work = this.#persist(update, verdict);
          // Awaited below; until then its failure is no unhandled one.
          work.catch(() => undefined);
          later.push({ index: handled, work });
        }
        handled += 1;
      }
    } finally {
      this.#taker.discardDrafts();
    }
    if (!(await this.#namesAreDurable())) return 0;
    // Replies that wait for a link do not hold up what came after them, only the offset.
    for (const { index, work } of later) if ((await work) === 'stopped') handled = Math.min(handled, index);
    return later.length === 0 || (await this.#namesAreDurable()) ? handled : 0;
  }

  async #namesAreDurable(): Promise<boolean> {
    return (await this.#untilStored(null, () => this.#taker.syncNames())) !== 'stopped';
  }

  /** After a completed poll that was asked at `askedAtMs` (monotonic): groups that it left complete become requests. */
  async polled(askedAtMs: number): Promise<void> {
    // Stopped before: the parts are on disk, and the next start seals them.
    await this.#untilStored(null, () => this.#taker.seal(askedAtMs));
  }

  /** The steps for one update, each of which may be repeated. What our own code cannot digest is set aside instead. */
  async #persist(update: Update, steps: () => Verdict | Promise<Verdict>): Promise<Verdict> {
    try {
      return await this.#untilStored(update, steps);
    } catch (error) {
      if (error instanceof BridgeError) throw error;
      const cause = errorWords(error);
      return this.#untilStored(update, () => this.#taker.setAside(update, cause));
    }
  }

  /** Repeats the step until the disk takes it; `stopped` where the process is to stop before. */
  async #untilStored<T>(update: Update | null, step: () => T | Promise<T>): Promise<T | 'stopped'> {
    const { signal, assertOwn } = this.#ports;
    const owned = (): T | Promise<T> => {
      assertOwn();
      return step();
    };
    try {
      return await untilStored(owned, signal, (words) => this.#tellOfTrouble(update, words), isOfTheSystem);
    } catch (error) {
      if (isOfTheSystem(error)) return 'stopped';
      throw error;
    }
  }

  #tellOfTrouble(update: Update | null, words: string | null): void {
    const { onTrouble, log, talk } = this.#ports;
    onTrouble(words);
    if (words === null) {
      log.info({}, 'storing works again');
      talk.storingWorks();
      return;
    }
    log.error({ update: update?.update_id, cause: words }, 'cannot store; trying again');
    const asker = update === null ? this.#everybody() : this.#askerOf(update);
    if (asker !== null) talk.sayOnceThatItWaits(asker.place, asker.language);
  }

  #everybody(): { place: Destination; language: null } {
    return { place: { chatId: this.#ports.rules.chatId, replyTo: null, threadId: null }, language: null };
  }

  /** Where to speak to who sent the update; null for a stranger, and for what nobody can read. */
  #askerOf(update: Update): { place: Destination; language: string | null } | null {
    const { decode, rules } = this.#ports;
    try {
      const incoming = decode(update);
      if (incoming.kind === 'press' && isAllowedPress(incoming, rules)) {
        return { place: { chatId: rules.chatId, replyTo: null, threadId: null }, language: incoming.from.language };
      }
      if (incoming.kind !== 'message' || decideAdmission(incoming.message, null, rules).kind === 'stranger')
        return null;
      const { chatId, messageId, threadId, from } = incoming.message;
      return { place: { chatId, replyTo: messageId, threadId }, language: from?.language ?? null };
    } catch {
      return null;
    }
  }

  /** A lock that cannot be read just now is looked at again with the next poll. */
  #lookWhoOwns(): void {
    try {
      this.#ports.assertOwn();
    } catch (error) {
      if (!isOfTheSystem(error)) throw error;
    }
  }
}
