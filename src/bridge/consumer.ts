/**
 * Owns: the one loop that takes requests to their ends, in the order of their message ids.
 * Guarantees: one agent at a time; orders come before claims; one bad request never stops the others; an owner whose lock
 *   is gone stops before its next step.
 * Fails: throws `lock-lost`; whatever else goes wrong with one request is logged, told in the heartbeat, and tried again.
 */
import type { Order } from '../core/order.ts';
import { BridgeError, errorWords } from '../core/failure.ts';
import type { Destination, Sender } from '../core/ports.ts';
import type { Receipt } from '../core/receipt.ts';
import { type Request, byId } from '../core/request.ts';
import { type Settings, languageOf } from '../core/settings.ts';
import { wordsIn } from '../core/words.ts';
import { Bell } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { OrderInbox } from '../spool/order-inbox.ts';
import type { LinkStore } from '../state/link-store.ts';
import type { OrderLog } from '../state/order-log.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';
import type { RunFiles } from '../state/run-files.ts';
import { DecisionNews } from './decision-news.ts';
import { Notices } from './notices.ts';
import { Orders } from './orders.ts';
import { isPassing, untilStored } from './persistence.ts';
import type { Questions } from './questions.ts';
import type { Reactions } from './reactions.ts';
import type { ReceiptBook } from './receipt-book.ts';
import { type RecoveryPorts, endLeftoverRun, endLeftoverRuns, makeOpenLinksGood } from './recovery.ts';
import { type Runner, destinationOf } from './run-request.ts';
import { survey } from './survey.ts';
import { type Judgement, judge } from './triage.ts';

/** Events are hints; this often the folders themselves are read. */
const LOOK_EVERY_MS = 2_000;
/** How long a request that met a passing fault (a full disk, say) is left alone. */
const REST_MS = 3_000;

export interface ConsumerPorts {
  settings: Settings;
  requests: RequestStore;
  inbox: OrderInbox;
  receipts: ReceiptStore;
  links: LinkStore;
  taken: OrderLog;
  files: RunFiles;
  book: ReceiptBook;
  runner: Runner;
  questions: Questions;
  sender: Sender;
  reactions: Reactions;
  log: Log;
  assertOwner: () => void;
  now: () => string;
  onScan: () => void;
  /** Told of the ids with the latest receipts, the latest first. */
  onLatest: (ids: string[]) => void;
  onTrouble: (words: string | null) => void;
  /** In words, what troubles single requests; null while nothing does. */
  onFaults: (words: string | null) => void;
  /** Called when the process has to end: what waits on the signal stops waiting. */
  onFatal: () => void;
  signal: AbortSignal;
}

export class Consumer {
  readonly #ports: ConsumerPorts;
  readonly #bell = new Bell();
  readonly #notices: Notices;
  readonly #orders: Orders;
  readonly #news: DecisionNews;
  /** Requests that somebody is at just now, and how many works; what their receipts say is not judged meanwhile. */
  readonly #busy = new Map<string, number>();
  /** Requests that wait for a person; nothing about them changes without an order. */
  readonly #parked = new Set<string>();
  /** Judged runnable; only a claim or an order changes that. */
  readonly #waiting = new Map<string, Request>();
  /** What troubles which request (`''`: the folders as a whole), in words. */
  readonly #faults = new Map<string, string>();
  readonly #aside = new Set<Promise<void>>();
  readonly #restUntil = new Map<string, number>();
  /** Runs of a dead consumer that are being looked into. */
  #lookedInto = 0;
  #turns: Order[] = [];
  #worker: Promise<void> | null = null;
  #fatal: unknown = null;

  constructor(ports: ConsumerPorts) {
    this.#ports = ports;
    const { signal, onTrouble, links } = ports;
    const stored = <T>(step: () => T): Promise<T> => untilStored(step, signal, onTrouble);
    this.#news = new DecisionNews(ports);
    this.#notices = new Notices({
      sender: ports.sender,
      book: ports.book,
      stored,
      link: (botMessageId, receipt) =>
        stored(() => links.write(botMessageId, { requestId: receipt.id, conversation: receipt.conversation })),
      overtaken: (messageId, before) => this.#news.overtaken(messageId, before, ports.book.current(before.id)),
    });
    this.#orders = new Orders({
      ...ports,
      deliverAside: (request, receipt) => this.#beside(request.id, () => ports.runner.deliver(request, receipt)),
      news: this.#news,
      onChanged: (id) => this.#reconsider(id),
    });
    signal.addEventListener('abort', () => this.wake());
  }

  /** Something may have changed on disk. */
  wake(): void {
    this.#bell.ring();
  }

  /** Until the signal; throws only what ends the process. */
  async run(): Promise<void> {
    const { signal, log } = this.#ports;
    await this.#recover();
    log.info({}, 'consumer ready');
    this.#surveyBeside();
    while (!signal.aborted && this.#fatal === null) {
      await this.#look();
      this.#startNext();
      await this.#bell.wait(LOOK_EVERY_MS);
    }
    if (this.#fatal !== null) this.#ports.runner.abandon();
    await this.#worker;
    await Promise.all(this.#aside);
    if (this.#fatal !== null) throw this.#fatal;
    await this.#notices.settled();
    await this.#news.settled();
    await this.#ports.reactions.settled();
  }

  async #recover(): Promise<void> {
    const { requests, receipts, links, log, signal, onTrouble } = this.#ports;
    const ports: RecoveryPorts = { requests, receipts, links, log };
    await endLeftoverRuns(ports);
    // Orders of the time in between come before the marks: a `/cancel` must meet the receipt that the person saw.
    this.#takeUpOrders();
    await untilStored(() => makeOpenLinksGood(ports), signal, onTrouble);
  }

  /** It grows with what is kept, so nothing waits for it; what it finds becomes pending. */
  #surveyBeside(): void {
    const underWay = this.#survey()
      .catch((error: unknown) => this.#survive(error, ''))
      .finally(() => {
        this.#aside.delete(underWay);
        this.wake();
      });
    this.#aside.add(underWay);
  }

  async #survey(): Promise<void> {
    const { signal, onTrouble, log } = this.#ports;
    const startedAt = performance.now();
    await untilStored(() => survey(this.#ports), signal, onTrouble);
    if (!signal.aborted)
      log.info({ tookMs: Math.round(performance.now() - startedAt) }, 'all that is kept was looked over');
  }

  /** One look at everything: orders first, then each pending name. */
  async #look(): Promise<void> {
    const { requests, onScan, onFaults, assertOwner } = this.#ports;
    try {
      assertOwner();
      this.#takeUpOrders();
      const ids = requests.pendingIds();
      this.#forgetAllBut(new Set(ids));
      for (const id of ids) if (this.#isOfInterest(id)) this.#judge(id);
      this.#faults.delete('');
      onScan();
    } catch (error) {
      this.#survive(error, '');
    }
    onFaults([...this.#faults.values()].at(-1) ?? null);
  }

  #takeUpOrders(): void {
    this.#turns = this.#orders.takeUp();
  }

  #isOfInterest(id: string): boolean {
    if (this.#busy.has(id) || this.#notices.isBusy(id)) return false;
    return !this.#parked.has(id) && !this.#waiting.has(id) && this.#isRested(id);
  }

  /** What takes its turn also waits until nobody else is at the same request. */
  #isFree(id: string): boolean {
    return !this.#busy.has(id) && this.#isRested(id);
  }

  #isRested(id: string): boolean {
    return (this.#restUntil.get(id) ?? 0) <= performance.now();
  }

  #judge(id: string): void {
    try {
      const judgement = judge(id, this.#ports);
      if (judgement.kind !== 'not-ours') this.#faults.delete(id);
      this.#sort(id, judgement);
    } catch (error) {
      this.#survive(error, id);
    }
  }

  #sort(id: string, judgement: Judgement): void {
    const { requests, log, reactions } = this.#ports;
    switch (judgement.kind) {
      case 'runnable':
        this.#waiting.set(id, judgement.request);
        reactions.show(judgement.request.chatId, judgement.request.messageId, '👀');
        return;
      case 'settled':
        requests.removePending(id);
        return;
      case 'not-ours':
        if (this.#faults.get(id) !== judgement.why) log.warn({ request: id, why: judgement.why }, 'request left alone');
        this.#faults.set(id, judgement.why);
        this.#restUntil.set(id, performance.now() + REST_MS);
        return;
      case 'abandoned':
        this.#lookedInto += 1;
        this.#beside(id, () => this.#handOver(judgement.receipt));
        return;
      case 'owes-notice':
        this.#tell(judgement.receipt);
        return;
      case 'doubtful-notice':
        this.#beside(id, () => this.#notices.closeDoubtful(judgement.receipt));
        return;
      case 'parked':
        this.#parked.add(id);
    }
  }

  /** Neither run nor sent again: a person decides. */
  async #handOver(receipt: Receipt): Promise<void> {
    let request: Request | null = null;
    let recorded: Receipt | null = null;
    try {
      const read = this.#ports.requests.read(receipt.id);
      request = read.ok ? read.request : null;
      recorded = await this.#lookInto(receipt, request);
    } finally {
      this.#lookedInto -= 1;
    }
    if (recorded !== null && request !== null) await this.#ports.runner.deliver(request, recorded);
  }

  /** The receipt with the answer that the agent's history held; null where a person must decide, as the receipt then says. */
  async #lookInto(receipt: Receipt, request: Request | null): Promise<Receipt | null> {
    const { book, log, runner } = this.#ports;
    // Once more, since a receipt that could not be read at start has been passed over there.
    await endLeftoverRun(receipt, log);
    if (receipt.state === 'submitted' && request !== null) return runner.recover(request, receipt);
    const step = book.advance(receipt, { type: receipt.state === 'submitted' ? 'interrupted' : 'doubtful' });
    if (step.ok) log.warn({ request: receipt.id, attention: step.receipt.attention }, 'request needs a person');
    return null;
  }

  #tell(receipt: Receipt): void {
    const { request, destination } = this.#whereTo(receipt.id);
    const words = wordsIn(languageOf(this.#ports.settings, request?.from.language));
    void this.#notices
      .announce(receipt, destination, words)
      ?.catch((error: unknown) => this.#survive(error, receipt.id))
      .finally(() => this.wake());
  }

  /** Also for a request whose file tells nothing: its name is the message that it came from. */
  #whereTo(id: string): { request: Request | null; destination: Destination } {
    const read = this.#ports.requests.read(id);
    if (read.ok) return { request: read.request, destination: destinationOf(read.request) };
    const { chatId } = this.#ports.settings.telegram;
    return { request: null, destination: { chatId, replyTo: Number(id), threadId: null } };
  }

  #startNext(): void {
    // A session that is being looked into must not be prompted meanwhile.
    if (this.#worker !== null || this.#lookedInto > 0 || this.#ports.signal.aborted) return;
    const next = this.#nextOrder() ?? this.#nextRequest();
    if (next === null) return;
    this.#worker = this.#occupied(next.id, next.work).finally(() => {
      this.#worker = null;
      this.wake();
    });
  }

  #nextOrder(): { id: string; work: () => Promise<unknown> } | null {
    const order = this.#turns.find(({ requestId }) => this.#isFree(requestId ?? ''));
    return order === undefined ? null : { id: order.requestId ?? '', work: () => this.#orders.carryOut(order) };
  }

  #nextRequest(): { id: string; work: () => Promise<unknown> } | null {
    const id = [...this.#waiting.keys()].sort(byId).find((one) => this.#isFree(one));
    const request = id === undefined ? undefined : this.#waiting.get(id);
    return request === undefined ? null : { id: request.id, work: () => this.#ports.runner.run(request, null) };
  }

  async #occupied(id: string, work: () => Promise<unknown>): Promise<void> {
    this.#busy.set(id, (this.#busy.get(id) ?? 0) + 1);
    this.#waiting.delete(id);
    try {
      await work();
      this.#restUntil.delete(id);
      this.#faults.delete(id);
    } catch (error) {
      this.#survive(error, id);
    } finally {
      const others = (this.#busy.get(id) ?? 1) - 1;
      if (others > 0) this.#busy.set(id, others);
      else this.#busy.delete(id);
      this.#parked.delete(id);
    }
  }

  /** While other work goes on. */
  #beside(id: string, work: () => Promise<unknown>): void {
    const underWay = this.#occupied(id, work).finally(() => {
      this.#aside.delete(underWay);
      this.wake();
    });
    this.#aside.add(underWay);
  }

  #reconsider(id: string): void {
    this.#parked.delete(id);
    this.#waiting.delete(id);
    this.wake();
  }

  #forgetAllBut(pending: ReadonlySet<string>): void {
    for (const known of [this.#parked, this.#waiting, this.#faults]) {
      for (const id of known.keys()) if (id !== '' && !pending.has(id) && !this.#busy.has(id)) known.delete(id);
    }
    for (const id of this.#restUntil.keys()) if (this.#isRested(id)) this.#restUntil.delete(id);
  }

  /** What time may mend is tried again; a lost lock ends the process. */
  #survive(error: unknown, id: string): void {
    if (error instanceof BridgeError && error.code === 'lock-lost') {
      this.#fatal ??= error;
      this.#ports.onFatal();
      this.wake();
      return;
    }
    const words = errorWords(error);
    this.#restUntil.set(id, performance.now() + REST_MS);
    if (this.#faults.get(id) !== words)
      this.#ports.log.error({ request: id, cause: words, passing: isPassing(error) }, 'trouble; trying again');
    this.#faults.set(id, words);
  }
}
