/**
 * Owns: what becomes of one update: a request, an order, an answer, or a log line.
 * Guarantees: each step may be repeated as a whole; words are spoken only after what they are about is durable.
 * Fails: with the system's error; `chat-migrated`; a TypeError for what it cannot digest.
 */
import type { Update } from 'grammy/types';
import {
  type Admission,
  type AdmissionRules,
  type ConversationLink,
  type IncomingMessage,
  decideAdmission,
  decideEdit,
  dependsOnLink,
} from '../core/admission.ts';
import { type Order, type Wish, orderSchema, parseButtonData } from '../core/order.ts';
import { BridgeError, errorCode } from '../core/failure.ts';
import { type Receipt, isSettled } from '../core/receipt.ts';
import { candidateOf } from '../core/candidate-request.ts';
import { faultWords } from '../core/json.ts';
import { type Request, requestSchema } from '../core/request.ts';
import { monotonicMs, pause } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { OrderInbox } from '../spool/order-inbox.ts';
import type { Draft, RequestStore } from '../spool/request-store.ts';
import type { PartStore } from '../spool/part-store.ts';
import type { LinkStore } from '../state/link-store.ts';
import type { ReceiptStore, StoredReceipt } from '../state/receipt-store.ts';
import type { Incoming } from '../telegram/decode.ts';
import type { BotTalk } from './bot-talk.ts';
import type { Gathering } from './gathering.ts';
import { sealRipe } from './group-sealer.ts';
import { isOfTheSystem } from './persistence.ts';

/** A reply may come before the link of the message that it answers is written (contract §4). */
const LINK_PATIENCE_MS = 5_000;
const LINK_LOOK_EVERY_MS = 50;

/** What became of an update: dealt with; left to Telegram, since the process stops; or steps that go on beside the batch. */
export type Verdict = 'done' | 'stopped' | (() => Promise<Verdict>);

export interface TakePorts {
  rules: AdmissionRules;
  decode: (update: Update) => Incoming;
  requests: RequestStore;
  inbox: OrderInbox;
  receipts: ReceiptStore;
  links: LinkStore;
  parts: PartStore;
  gathering: Gathering;
  keepUnread: (update: Update, cause: string) => void;
  talk: BotTalk;
  log: Log;
  now: () => string;
  signal: AbortSignal;
}

export class UpdateTaker {
  readonly #ports: TakePorts;
  /** Of the batch that is being taken; by request id. */
  #drafts = new Map<string, Draft>();
  /** What its updates say: who drafts has read them already. */
  readonly #decoded = new Map<Update, Incoming>();
  readonly #placed: Request[] = [];

  constructor(ports: TakePorts) {
    this.#ports = ports;
  }

  async take(update: Update): Promise<Verdict> {
    const { decode, log } = this.#ports;
    if (!Number.isSafeInteger(update?.update_id)) {
      log.error({}, 'an update without an id was passed over');
      return 'done';
    }
    const incoming = this.#decoded.get(update) ?? decode(update);
    switch (incoming.kind) {
      case 'message':
        return this.#message(update, incoming.message);
      case 'edited':
        return this.#edited(update, incoming.message);
      case 'press':
        return this.#press(incoming);
      case 'migrated':
        return this.#migrated(incoming);
      case 'other':
        break;
    }
    log.info({ update: update.update_id, what: incoming.what }, 'passed over');
    return 'done';
  }

  /**
   * Writes the requests that this batch makes, as far as that can be told beforehand: written together, they share the
   * disk's commits. Nothing depends on it; what cannot be written now is written when its update is taken.
   */
  async draft(updates: readonly Update[]): Promise<void> {
    const requests = updates.flatMap((update) => this.#likelyRequest(update) ?? []);
    if (requests.length < 2) return;
    try {
      this.#drafts = await this.#ports.requests.draft(requests);
    } catch (error) {
      if (!isOfTheSystem(error)) throw error;
    }
  }

  /** Makes durable what the batch has placed so far; only then it is spoken of. */
  async syncNames(): Promise<void> {
    const placed = this.#placed.splice(0);
    try {
      await this.#ports.requests.syncNames();
    } catch (error) {
      this.#placed.unshift(...placed);
      throw error;
    }
    for (const request of placed) this.#ports.talk.accepted(request);
  }

  /** Drafts that no update of the batch has used. */
  discardDrafts(): void {
    for (const draft of this.#drafts.values()) this.#ports.requests.discard(draft);
    this.#drafts.clear();
    this.#decoded.clear();
  }

  #likelyRequest(update: Update): Request | null {
    try {
      const incoming = this.#ports.decode(update);
      this.#decoded.set(update, incoming);
      if (incoming.kind !== 'message') return null;
      const { message } = incoming;
      const { rules, gathering } = this.#ports;
      const link =
        message.replyTo !== null && dependsOnLink(message, rules) ? this.#linkOf(message.replyTo.messageId) : null;
      const admission = decideAdmission(message, link, rules);
      if (admission.kind !== 'request' || (gathering.groupOf(message) ?? gathering.opens(message)) !== null)
        return null;
      return this.#requestFrom(message, admission);
    } catch {
      // It is met again, and named, when the update is taken.
      return null;
    }
  }

  /** Makes requests of the groups that nothing can join any more. */
  seal(askedAtMs: number): Promise<void> {
    return sealRipe(askedAtMs, {
      ...this.#ports,
      awaitLink: ({ replyTo }) => this.#linkInTime(replyTo),
      accept: async (request) => {
        const outcome = this.#accept(request);
        await this.syncNames();
        return outcome;
      },
      answer: (whole, admission) => void this.#answered(null, whole, admission),
      unread: (name) => this.#ports.talk.sayUnread(name),
    });
  }

  #message(update: Update, message: IncomingMessage): Verdict {
    const { rules, parts, gathering } = this.#ports;
    const alone = decideAdmission(message, null, rules);
    if (alone.kind === 'stranger' || message.from?.isBot === true) return this.#admitted(update, message, alone);
    // A command outside an album opens whatever group it is in, whose request has its own id and is found by that.
    const mayFollow = message.command === null || message.mediaGroupId !== null;
    const member = mayFollow ? parts.requestOf(message.messageId) : null;
    if (member !== null) return this.#duplicate(message, member);
    const group = gathering.groupOf(message);
    return group === null ? this.#single(update, message, alone) : this.#gather(message, group);
  }

  /** A part of a group waits, durably, until the group is sealed. */
  #gather(message: IncomingMessage, group: string): Verdict {
    const { parts, gathering, log, talk } = this.#ports;
    const { messageId } = message;
    const seal = parts.sealOf(group);
    if (seal?.messageIds.includes(messageId) === true) return this.#duplicate(message, seal.requestId);
    if (seal !== null) {
      log.info({ message: messageId, group, request: seal.requestId }, 'part came after the seal');
      const isFirst = seal.requestId === null || parts.addMember(messageId, seal.requestId) === 'created';
      if (isFirst && (seal.requestId !== null || message.command !== null)) talk.tooLate(message);
      return 'done';
    }
    if (this.#pastOf(String(messageId)) !== 'none' || this.#ports.requests.has(String(messageId))) {
      return this.#duplicate(message, String(messageId));
    }
    parts.add({ group, message });
    gathering.touched(group, message);
    log.info({ message: messageId, group }, 'part stored');
    return 'done';
  }

  #duplicate(message: IncomingMessage, requestId: string | null): Verdict {
    if (requestId !== null && this.#pastOf(requestId) !== 'settled') this.#ports.requests.ensurePending(requestId);
    this.#ports.log.info({ message: message.messageId, request: requestId }, 'delivered again');
    return 'done';
  }

  /** @param alone what it is without a link */
  #single(update: Update, message: IncomingMessage, alone: Admission): Verdict {
    const { rules, signal } = this.#ports;
    const target = message.replyTo;
    // Who is no one here, and who opens a conversation, costs no look at the disk.
    if (target === null || !dependsOnLink(message, rules)) return this.#admitted(update, message, alone);
    const admit = (link: ConversationLink | null): Verdict =>
      this.#admitted(update, message, decideAdmission(message, link, rules));
    const link = this.#linkOf(target.messageId);
    if (link !== null || !target.fromThisBot) return admit(link);
    return async () => {
      const found = await this.#awaitLink(target.messageId);
      return found === null && signal.aborted ? 'stopped' : admit(found);
    };
  }

  #admitted(update: Update, message: IncomingMessage, admission: Admission): Verdict {
    if (admission.kind !== 'request') return this.#answered(update, message, admission);
    const group = this.#ports.gathering.opens(message);
    return group === null ? this.#store(update, message, admission) : this.#gather(message, group);
  }

  /** @param update null for a group, whose updates are confirmed long since */
  #answered(
    update: Update | null,
    message: IncomingMessage,
    admission: Exclude<Admission, { kind: 'request' }>,
  ): Verdict {
    const { log, talk } = this.#ports;
    const about = { update: update?.update_id, message: message.messageId };
    switch (admission.kind) {
      case 'cancel':
        return this.#cancel(message, admission.link);
      case 'ordinary':
        log.info({ ...about, answer: admission.answer }, 'no request: ordinary');
        if (update === null) talk.plain(message, admission.answer);
        else talk.ordinary(update, admission.answer);
        return 'done';
      case 'stranger':
        log.warn(
          { ...about, userId: admission.userId, chatId: message.chatId },
          'not in telegram.userIds, or another chat',
        );
        return 'done';
      case 'ignored':
        break;
    }
    log.info({ ...about, why: admission.why }, 'no request: ignored');
    return 'done';
  }

  #store(update: Update, message: IncomingMessage, admission: Admission & { kind: 'request' }): Verdict {
    const request = this.#drafts.get(String(message.messageId))?.request ?? this.#requestFrom(message, admission);
    const { id, kind } = request;
    this.#ports.log.info({ update: update.update_id, request: id, kind }, `request ${this.#accept(request)}`);
    return 'done';
  }

  /** @throws TypeError for what our own code made of a message that it did not understand */
  #requestFrom(message: IncomingMessage, admission: Admission & { kind: 'request' }): Request {
    const candidate = candidateOf(message, admission, this.#ports.now());
    const parsed = requestSchema.safeParse(candidate);
    if (parsed.success) return parsed.data;
    throw new TypeError(`message ${message.messageId} makes no valid request: ${faultWords(parsed.error)}`);
  }

  /** Durable with the next `syncNames`. */
  #accept(request: Request): 'accepted' | 'duplicate' {
    const { requests } = this.#ports;
    // A receipt outlives its request file: whoever has one was taken before.
    const past = this.#pastOf(request.id);
    if (past === 'none' && this.#place(request) === 'created') {
      this.#placed.push(request);
      return 'accepted';
    }
    if (past !== 'settled') requests.ensurePending(request.id);
    return 'duplicate';
  }

  #place(request: Request): 'created' | 'exists' {
    const draft = this.#drafts.get(request.id);
    this.#drafts.delete(request.id);
    return this.#ports.requests.place(request, draft);
  }

  /** `unclear`: there is a receipt, or something else in its place, that tells nothing. */
  #pastOf(id: string): 'none' | 'open' | 'settled' | 'unclear' {
    const stored = this.#stored(id);
    if (stored?.kind === 'none') return 'none';
    if (stored?.kind !== 'receipt') return 'unclear';
    return isSettled(stored.receipt) ? 'settled' : 'open';
  }

  /** Null where there is none, or none that tells anything. */
  #receiptOf(id: string): Receipt | null {
    const stored = this.#stored(id);
    return stored?.kind === 'receipt' ? stored.receipt : null;
  }

  /** Null where something else is in its place. */
  #stored(id: string): StoredReceipt | null {
    try {
      return this.#ports.receipts.read(id);
    } catch (error) {
      if (errorCode(error) === 'file-unreadable') return null;
      throw error;
    }
  }

  #cancel(message: IncomingMessage, link: ConversationLink | null): Verdict {
    const seen = link === null ? null : this.#seen(link.requestId);
    const order = { ...this.#order(`m${message.messageId}`, 'cancel', seen, message.from), threadId: message.threadId };
    this.#keep(order);
    this.#ports.talk.outcomeInChat(message, order);
    return 'done';
  }

  #press(press: Incoming & { kind: 'press' }): Verdict {
    const { rules, log, talk } = this.#ports;
    if (!isAllowedPress(press, rules)) {
      log.warn({ callback: press.callbackId, userId: press.from.id }, 'press of a stranger');
      return 'done';
    }
    const wish = parseButtonData(press.data);
    if (wish === null) {
      log.info({ callback: press.callbackId }, 'press of an unknown button');
      talk.outcomeOfPress(press.callbackId, null, press.from.language);
      return 'done';
    }
    const order: Order = {
      ...this.#order(`c${press.callbackId}`, wish.verb, wish, press.from),
      threadId: press.threadId,
      ...(press.messageId === null ? {} : { pressed: { messageId: press.messageId, text: press.messageText } }),
    };
    this.#keep(order);
    talk.outcomeOfPress(press.callbackId, order, press.from.language);
    return 'done';
  }

  #keep(order: Order): void {
    const { inbox, log } = this.#ports;
    const parsed = orderSchema.safeParse(order);
    if (!parsed.success)
      throw new TypeError(`${order.id.slice(0, 80)} makes no valid order: ${faultWords(parsed.error)}`);
    inbox.put(order);
    log.info({ order: order.id, verb: order.verb, request: order.requestId }, 'order stored');
  }

  #order(
    id: string,
    verb: Order['verb'],
    seen: Pick<Wish, 'requestId' | 'run' | 'historyLength' | 'question' | 'option'> | null,
    from: { name: string; language: string | null } | null,
  ): Order {
    return {
      version: 1,
      id,
      verb,
      requestId: seen?.requestId ?? null,
      run: seen?.run ?? null,
      historyLength: seen?.historyLength ?? null,
      ...(seen?.question === undefined ? {} : { question: seen.question, option: seen.option ?? 0 }),
      by: { name: from?.name ?? '', ...(from?.language == null ? {} : { language: from.language }) },
      at: this.#ports.now(),
    };
  }

  /** What stands in the receipt at this moment is what the person could know of it. */
  #seen(requestId: string): { requestId: string; run: number; historyLength: number } {
    const receipt = this.#receiptOf(requestId);
    return { requestId, run: receipt?.run ?? 0, historyLength: receipt?.history.length ?? 0 };
  }

  #edited(update: Update, message: IncomingMessage): Verdict {
    const { rules, requests, parts } = this.#ports;
    const isKnown = (id: number): boolean => requests.has(String(id)) || parts.requestOf(id) !== null;
    const isRequest = decideEdit(message, true, rules).kind === 'ordinary' && isKnown(message.messageId);
    return this.#admitted(update, message, decideEdit(message, isRequest, rules));
  }

  async #migrated(incoming: Incoming & { kind: 'migrated' }): Promise<Verdict> {
    const { rules, log, talk } = this.#ports;
    if (incoming.chatId !== rules.chatId) {
      log.info({ chatId: incoming.chatId }, 'another chat was upgraded');
      return 'done';
    }
    await talk.sayMigrated(incoming.toChatId);
    throw new BridgeError(
      'chat-migrated',
      `telegram.chatId: expected the chat of this home, ${incoming.chatId}, which Telegram has made a supergroup with the new id ${incoming.toChatId}`,
      { hint: `Set telegram.chatId to ${incoming.toChatId}, then run "blog-bridge rebind".` },
    );
  }

  /** For what our own code could not digest. */
  setAside(update: Update, cause: string): Verdict {
    const { keepUnread, log, talk } = this.#ports;
    keepUnread(update, cause);
    log.error({ update: update.update_id, cause }, 'update could not be read; kept in spool/unread');
    talk.sayUnread(update.update_id);
    return 'done';
  }

  #linkOf(messageId: number): ConversationLink | null {
    const link = this.#ports.links.read(messageId);
    if (link !== null) return link;
    const { parts, requests } = this.#ports;
    const requestId = parts.requestOf(messageId) ?? String(messageId);
    const read = requests.read(requestId);
    // Whose request file was damaged by a hand is known by its receipt.
    const known = read.ok ? read.request : this.#receiptOf(requestId);
    return known === null ? null : { requestId, conversation: known.conversation };
  }

  /** Only a message of the bot can get its link later. */
  async #linkInTime(target: IncomingMessage['replyTo']): Promise<ConversationLink | null> {
    if (target === null) return null;
    return target.fromThisBot ? this.#awaitLink(target.messageId) : this.#linkOf(target.messageId);
  }

  async #awaitLink(messageId: number): Promise<ConversationLink | null> {
    const until = monotonicMs() + LINK_PATIENCE_MS;
    for (;;) {
      const link = this.#linkOf(messageId);
      if (link !== null || monotonicMs() >= until || this.#ports.signal.aborted) return link;
      await pause(LINK_LOOK_EVERY_MS, this.#ports.signal);
    }
  }
}

export function isAllowedPress(press: Incoming & { kind: 'press' }, rules: AdmissionRules): boolean {
  return press.chatId === rules.chatId && rules.userIds.includes(press.from.id);
}
