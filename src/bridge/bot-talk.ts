/**
 * Owns: what the bot itself says: ordinary answers, outcomes of orders, trouble with the store.
 * Guarantees: nothing said here holds up an update; each thing is said at most once by this process.
 * Fails: never; an answer that does not arrive is logged.
 */
import type { Update } from 'grammy/types';
import type { IncomingMessage, OrdinaryAnswer } from '../core/admission.ts';
import { ANSWERED_AT_ONCE_MS, type Order, isLate } from '../core/order.ts';
import { errorWords } from '../core/failure.ts';
import type { Destination, SendOutcome, Sender } from '../core/ports.ts';
import { type Settings, languageOf } from '../core/settings.ts';
import { type Words, ordinaryWords, wordsIn } from '../core/words.ts';
import { monotonicMs, pause } from '../platform/clock.ts';
import { type LinkedAbort, linkedAbort } from '../platform/linked-abort.ts';
import type { Log } from '../platform/log.ts';
import type { Request } from '../core/request.ts';
import type { MigrationNote } from '../spool/migration-note.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';
import type { OrderLog } from '../state/order-log.ts';
import { sendPatiently } from './patient-send.ts';
import { QueuePlaces } from './queue-places.ts';

/** A little longer than an outcome may take, since it is read a moment after it was written. */
const OUTCOME_PATIENCE_MS = ANSWERED_AT_ONCE_MS + 300;
const OUTCOME_LOOK_EVERY_MS = 50;
const LAST_WORD_MS = 3_000;

export interface TalkPorts {
  settings: Settings;
  sender: Sender;
  taken: OrderLog;
  requests: RequestStore;
  receipts: ReceiptStore;
  /** The bot's ordinary flow: middleware over the update. */
  flow(update: Update, answer: OrdinaryAnswer): Promise<void>;
  migration: MigrationNote;
  isConsumerAlive: () => boolean;
  now: () => string;
  log: Log;
  signal: AbortSignal;
}

export class BotTalk {
  readonly #ports: TalkPorts;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #places: QueuePlaces;
  /** While an outage of the store lasts; aborted when it is over, since then the words would be wrong. */
  #outage: LinkedAbort | undefined;

  constructor(ports: TalkPorts) {
    this.#ports = ports;
    const say = async (to: Destination, text: string): Promise<void> =>
      void (await ports.sender.sendSilently(to, text));
    this.#places = new QueuePlaces({ ...ports, say });
  }

  ordinary(update: Update, answer: OrdinaryAnswer): void {
    this.#beside(() => this.#ports.flow(update, answer));
  }

  /** The same for a group of messages, which no single update stands for. */
  plain(message: IncomingMessage, answer: OrdinaryAnswer): void {
    this.#beside(() => this.#say(placeOf(message), ordinaryWords(this.#wordsFor(message.from?.language), answer)));
  }

  /** Where others come first, the person sees it; told of a request that was just accepted, never of a duplicate. */
  accepted(request: Request): void {
    this.#beside(() => this.#places.accepted(request));
  }

  tooLate(message: IncomingMessage): void {
    this.#beside(() => this.#say(placeOf(message), this.#wordsFor(message.from?.language).cameTooLate));
  }

  /** What became of an order that came as a message. */
  outcomeInChat(message: IncomingMessage, order: Order): void {
    this.#beside(async () =>
      this.#say(placeOf(message), await this.#outcomeWords(order, this.#wordsFor(message.from?.language))),
    );
  }

  /** What became of a press; `order` null for a button that nobody knows any more. */
  outcomeOfPress(callbackId: string, order: Order | null, language: string | null): void {
    const words = this.#wordsFor(language);
    this.#beside(async () => {
      const text = order === null ? words.refused['moved-on'] : await this.#outcomeWords(order, words);
      await this.#ports.sender.answerPress(callbackId, text);
    });
  }

  /** Once an outage, however many messages wait. */
  sayOnceThatItWaits(to: Destination, language: string | null): void {
    if (this.#outage !== undefined) return;
    const outage = linkedAbort(this.#ports.signal);
    this.#outage = outage;
    this.#beside(() => this.#say(to, this.#wordsFor(language).messageWaits, outage.signal));
  }

  storingWorks(): void {
    this.#outage?.abort();
    this.#outage?.unlink();
    this.#outage = undefined;
  }

  /** In the new group, the only one in which the bot can still speak; once, however often the bot is started again. */
  async sayMigrated(toChatId: number): Promise<void> {
    const { migration, settings, now } = this.#ports;
    if (!migration.put(settings.telegram.chatId, toChatId, now())) return;
    const to = { chatId: toChatId, replyTo: null, threadId: null };
    this.#beside(async () => {
      const outcome = await this.#say(to, this.#wordsFor(null).chatMigrated(toChatId));
      if (outcome.kind === 'not-arrived' || outcome.kind === 'refused') migration.takeBack();
    });
    await Promise.race([this.settled(), pause(LAST_WORD_MS, this.#ports.signal)]);
  }

  sayUnread(updateId: number): void {
    const to = { chatId: this.#ports.settings.telegram.chatId, replyTo: null, threadId: null };
    this.#beside(() => this.#say(to, this.#wordsFor(null).unread(updateId)));
  }

  /** Resolves when all is said, or given up. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** What is concluded later than this waits, the consumer tells (`DecisionNews`). */
  async #outcomeWords(order: Order, words: Words): Promise<string> {
    const { taken, isConsumerAlive, signal } = this.#ports;
    const until = monotonicMs() + OUTCOME_PATIENCE_MS;
    for (let isFirstLook = true; ; isFirstLook = false) {
      const outcome = taken.read(order.id)?.outcome ?? null;
      // What was concluded before this look began is told again to who asks again.
      if (outcome !== null && !isFirstLook && isLate(order, outcome)) break;
      if (outcome?.result === 'applied') return words.applied[order.verb];
      if (outcome?.result === 'refused') return words.refused[outcome.reason];
      if (signal.aborted || monotonicMs() >= until) break;
      await pause(OUTCOME_LOOK_EVERY_MS, signal);
    }
    return isConsumerAlive() ? words.orderWaits[order.verb] : `${words.orderWaits[order.verb]} ${words.consumerSilent}`;
  }

  async #say(to: Destination, text: string, signal = this.#ports.signal): Promise<SendOutcome> {
    const { sender, log } = this.#ports;
    const outcome = await sendPatiently((where) => sender.sendText(where, { text, entities: [] }), to, signal);
    if (outcome.kind !== 'accepted') log.warn({ outcome: outcome.kind }, 'an answer did not arrive for certain');
    return outcome;
  }

  #wordsFor(language: string | null | undefined): Words {
    return wordsIn(languageOf(this.#ports.settings, language ?? undefined));
  }

  #beside(work: () => Promise<unknown>): void {
    const running = work()
      .catch((error: unknown) => this.#ports.log.warn({ cause: errorWords(error) }, 'an answer failed'))
      .finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
  }
}

function placeOf(message: IncomingMessage): Destination {
  return { chatId: message.chatId, replyTo: message.messageId, threadId: message.threadId };
}
