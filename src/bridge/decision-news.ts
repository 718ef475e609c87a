/**
 * Owns: what the chat shows of orders: who decided what and when, under the notice or question that asked; and, to who gave
 *   an order, what became of it where the bot could not tell it at once.
 * Guarantees: a decided notice loses its buttons, by repeated edits, which do no harm; also one whose buttons a crash left
 *   behind, once they are pressed. Each late outcome is told at most once.
 * Fails: never; what Telegram does not take is given up.
 */
import { type Order, type OrderOutcome, isCurrent, isLate, messageOf } from '../core/order.ts';
import type { Destination, SendOutcome, Sender } from '../core/ports.ts';
import type { Receipt } from '../core/receipt.ts';
import { type Settings, languageOf } from '../core/settings.ts';
import { noticeWords, wordsIn } from '../core/words.ts';
import { localMinute } from '../platform/local-time.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { OrderLog } from '../state/order-log.ts';
import { editPatiently, sendPatiently } from './patient-send.ts';

export interface NewsPorts {
  settings: Settings;
  sender: Sender;
  requests: RequestStore;
  taken: OrderLog;
  signal: AbortSignal;
}

export class DecisionNews {
  readonly #ports: NewsPorts;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(ports: NewsPorts) {
    this.#ports = ports;
  }

  /** @param before the receipt whose notice asked; null where a crash came between the order's effect and this */
  applied(order: Order, before: Receipt | null): void {
    const messageId = order.pressed?.messageId ?? before?.notice?.messageId ?? null;
    const asked = before?.notice == null ? (order.pressed?.text ?? null) : this.#noticeText(before);
    if (messageId !== null && asked !== null) this.#replace(messageId, `${asked}\n\n${this.#decidedWords(order)}`);
  }

  /** @param now the receipt as it stands; null where it is not known, or there is none */
  concluded(order: Order, outcome: OrderOutcome, now: Receipt | null): void {
    const isRefused = outcome.result === 'refused';
    const { pressed } = order;
    if (isRefused && pressed !== undefined) this.#closeStale(order, pressed, now);
    const replyTo = messageOf(order) ?? (isRefused ? (pressed?.messageId ?? null) : null);
    if (replyTo === null || !isLate(order, outcome)) return;
    const words = wordsIn(languageOf(this.#ports.settings, order.by.language));
    const text = isRefused ? words.refused[outcome.reason] : words.applied[order.verb];
    const to = { chatId: this.#ports.settings.telegram.chatId, replyTo, threadId: order.threadId ?? null };
    this.#say(to, text);
  }

  /** A notice that arrived when its question was decided already. */
  overtaken(messageId: number, before: Receipt, now: Receipt | null): void {
    if (now !== null) this.#close(messageId, this.#noticeText(before), now, before.history.length);
  }

  /** Resolves when all is said, or given up. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** A question of the agent is no part of the receipt: whatever was answered stands under it already. */
  #closeStale(order: Order, { messageId, text }: NonNullable<Order['pressed']>, now: Receipt | null): void {
    const isQuestion = order.question !== undefined;
    if (!isQuestion && (now === null || isCurrent(order, now))) return;
    if (!isQuestion && text !== null && now !== null) this.#close(messageId, text, now, order.historyLength ?? 0);
    else this.#edit((sender, chatId) => sender.removeButtons(chatId, messageId));
  }

  /** Under a message whose buttons decide nothing any more: what was decided instead, where a person did. */
  #close(messageId: number, asked: string, now: Receipt, seenLength: number): void {
    const mark = now.history.slice(seenLength).find((entry) => entry.order !== undefined)?.order;
    const order = mark === undefined ? null : (this.#ports.taken.read(mark.id)?.order ?? null);
    const said = order === null ? '' : `\n\n${this.#decidedWords(order)}`;
    this.#replace(messageId, said !== '' && asked.includes(said.trim()) ? asked : `${asked}${said}`);
  }

  #noticeText(receipt: Receipt): string {
    return noticeWords(wordsIn(this.#languageAbout(receipt.id)), receipt);
  }

  #decidedWords(order: Order): string {
    const language = this.#languageAbout(order.requestId ?? '');
    const words = wordsIn(language);
    const { name, terminal } = order.by;
    const who = terminal === undefined ? name : words.atTerminal(terminal);
    return words.decided(order.verb, who, localMinute(order.at, language));
  }

  /** That of who asked: the notice speaks it, and so do the words under it. */
  #languageAbout(requestId: string): ReturnType<typeof languageOf> {
    const read = this.#ports.requests.read(requestId);
    return languageOf(this.#ports.settings, read.ok ? read.request.from.language : undefined);
  }

  #replace(messageId: number, text: string): void {
    this.#edit((sender, chatId) => sender.editText(chatId, messageId, text));
  }

  #edit(attempt: (sender: Sender, chatId: number) => Promise<SendOutcome>): void {
    const { sender, settings, signal } = this.#ports;
    this.#beside(editPatiently(() => attempt(sender, settings.telegram.chatId), signal));
  }

  #say(to: Destination, text: string): void {
    const { sender, signal } = this.#ports;
    this.#beside(sendPatiently((where) => sender.sendText(where, { text, entities: [] }), to, signal));
  }

  #beside(work: Promise<unknown>): void {
    const running = work.catch(() => undefined).finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
  }
}
