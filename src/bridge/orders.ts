/**
 * Owns: carrying out what persons ordered, from `spool/decisions/` to `state/decisions/`.
 * Guarantees: an order is taken up before any effect, has its effect at most once, and its outcome is recorded. Its first
 *   effect is a receipt that names it, so an order that a crash left without outcome is judged by the receipt.
 * Fails: with the disk's error; the order is then looked at again.
 */
import {
  type Order,
  type OrderOutcome,
  type Refusal,
  byAge,
  isCarriedOut,
  refusalOf,
  takesItsTurn,
} from '../core/order.ts';
import { errorWords } from '../core/failure.ts';
import type { Receipt } from '../core/receipt.ts';
import type { OrderMark } from '../core/receipt-machine.ts';
import type { Request } from '../core/request.ts';
import type { Log } from '../platform/log.ts';
import type { OrderInbox } from '../spool/order-inbox.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { OrderLog } from '../state/order-log.ts';
import { type ReceiptBook, UnclearReceipt } from './receipt-book.ts';
import type { DecisionNews } from './decision-news.ts';
import type { Questions } from './questions.ts';
import type { Runner } from './run-request.ts';

export interface OrderPorts {
  inbox: OrderInbox;
  taken: OrderLog;
  requests: RequestStore;
  book: ReceiptBook;
  runner: Runner;
  questions: Questions;
  log: Log;
  now: () => string;
  /** Sends the rest of a reply while other work goes on. */
  deliverAside: (request: Request, receipt: Receipt) => void;
  news: Pick<DecisionNews, 'applied' | 'concluded'>;
  /** The request's place among waiting and parked ones must be looked at again. */
  onChanged: (requestId: string) => void;
}

export class Orders {
  readonly #ports: OrderPorts;
  readonly #underWay = new Set<string>();

  constructor(ports: OrderPorts) {
    this.#ports = ports;
  }

  /** Carries out all that act at once; returns those that wait for their turn, the oldest first. */
  takeUp(): Order[] {
    const { inbox } = this.#ports;
    const orders: Order[] = [];
    for (const id of inbox.ids()) {
      if (this.#underWay.has(id)) continue;
      try {
        const order = this.#open(id);
        if (order !== null) orders.push(order);
      } catch (error) {
        // One file that cannot be read must not hold up the others, nor the queue.
        this.#ports.log.error({ order: id, cause: errorWords(error) }, 'order will be tried again');
      }
    }
    const waiting = orders.sort(byAge).filter((order) => takesItsTurn(order.verb));
    for (const order of orders) if (!takesItsTurn(order.verb)) this.#start(order);
    return waiting;
  }

  /** The order as it was taken up, or as it was given; null where nothing is left to do for it. */
  #open(id: string): Order | null {
    const { inbox, taken, now } = this.#ports;
    const former = taken.read(id);
    if (former?.outcome != null) {
      inbox.remove(id);
      return null;
    }
    const order = former?.order ?? inbox.read(id);
    if (order === null) this.#conclude(id, null, { result: 'refused', reason: 'unreadable', at: now() });
    return order;
  }

  /** For an order that takes its turn. */
  async carryOut(order: Order): Promise<void> {
    this.#underWay.add(order.id);
    try {
      await this.#carryOut(order);
    } finally {
      this.#underWay.delete(order.id);
    }
  }

  #start(order: Order): void {
    this.carryOut(order).catch((error: unknown) => {
      this.#ports.log.error({ order: order.id, cause: errorWords(error) }, 'order will be tried again');
    });
  }

  async #carryOut(given: Order): Promise<void> {
    const { taken, runner, now, log } = this.#ports;
    const order: Order =
      given.requestId === null ? { ...given, requestId: runner.runningId ?? runner.readyingId } : given;
    taken.take(order.id, order, now());
    log.info({ order: order.id, verb: order.verb, request: order.requestId }, 'order taken up');
    const refusal = await this.#effect(order);
    const at = now();
    this.#conclude(
      order.id,
      order,
      refusal === null ? { result: 'applied', at } : { result: 'refused', reason: refusal, at },
    );
    if (order.requestId !== null) this.#ports.onChanged(order.requestId);
  }

  async #effect(order: Order): Promise<Refusal | null> {
    const { requests, book, questions } = this.#ports;
    if (order.requestId === null) return 'nothing-running';
    if (order.verb === 'permit' || order.verb === 'deny') {
      return questions.answer(order) ? null : 'moved-on';
    }
    const receipt = this.#receiptOf(order.requestId, book);
    if (receipt === 'unclear') return 'not-now';
    if (isCarriedOut(order, receipt)) {
      this.#ports.news.applied(order, null);
      return null;
    }
    // A rerun that is being readied has begun nothing: it is given up, and the receipt stays as it is.
    if (order.verb === 'cancel' && receipt !== null && this.#ports.runner.readyingId === order.requestId) {
      this.#ports.runner.dropWaiting(order.requestId);
      return null;
    }
    const refusal = refusalOf(order, receipt);
    if (refusal !== null) return receipt === null && !requests.has(order.requestId) ? 'unknown-request' : refusal;
    const request = requests.read(order.requestId);
    // A person may close what has no valid request any more; all else needs to know where the request came from.
    if (!request.ok)
      return order.verb === 'dismiss' && receipt !== null ? this.#dismiss(order, receipt) : 'unknown-request';
    return this.#apply(order, request.request, receipt);
  }

  async #apply(order: Order, request: Request, receipt: Receipt | null): Promise<Refusal | null> {
    const { book, runner, requests, deliverAside } = this.#ports;
    const mark: OrderMark = { id: order.id, verb: order.verb, by: order.by.name };
    switch (order.verb) {
      case 'cancel': {
        if (runner.runningId === request.id) return (await runner.cancel(request.id, mark)) ? null : 'moved-on';
        const step = book.advance(request, { type: 'cancelled', order: mark });
        if (!step.ok) return 'moved-on';
        runner.dropWaiting(request.id);
        this.#ports.news.applied(order, receipt);
        return null;
      }
      case 'dismiss':
        return this.#dismiss(order, receipt as Receipt);
      case 'arrived': {
        const step = book.advance(request, { type: 'arrived', order: mark });
        if (!step.ok) return 'moved-on';
        this.#ports.news.applied(order, receipt);
        deliverAside(request, step.receipt);
        return null;
      }
      case 'resend': {
        requests.ensurePending(request.id);
        const step = book.advance(request, { type: 'resent', order: mark });
        if (!step.ok) return 'moved-on';
        this.#concludeEarly(order, receipt as Receipt);
        await runner.deliver(request, step.receipt);
        return null;
      }
      case 'rerun': {
        requests.ensurePending(request.id);
        const result = await runner.run(request, mark, () => this.#concludeEarly(order, receipt as Receipt));
        if (result.kind === 'unavailable') return 'agent-unavailable';
        return result.kind === 'taken' ? 'moved-on' : null;
      }
      default:
        return 'not-now';
    }
  }

  #dismiss(order: Order, receipt: Receipt): Refusal | null {
    const mark: OrderMark = { id: order.id, verb: order.verb, by: order.by.name };
    const step = this.#ports.book.advance(receipt, { type: 'dismissed', order: mark });
    if (!step.ok) return 'moved-on';
    this.#ports.news.applied(order, receipt);
    return null;
  }

  /** A rerun or resend is applied once its receipt is durable; who ordered it need not wait for its end. */
  #concludeEarly(order: Order, before: Receipt): void {
    try {
      this.#conclude(order.id, order, { result: 'applied', at: this.#ports.now() });
    } catch (error) {
      // The agent is at work by now; the outcome is recorded once more when it has ended.
      this.#ports.log.warn({ order: order.id, cause: errorWords(error) }, 'outcome not recorded yet');
    }
    this.#ports.news.applied(order, before);
  }

  #conclude(id: string, order: Order | null, outcome: OrderOutcome): void {
    const { taken, inbox, now, log } = this.#ports;
    if (taken.read(id)?.outcome != null) return;
    taken.take(id, order, now());
    taken.conclude(id, order, taken.read(id)?.takenAt ?? now(), outcome);
    inbox.remove(id);
    log.info({ order: id, ...outcome }, 'order concluded');
    if (order !== null) this.#tell(order, outcome);
  }

  #tell(order: Order, outcome: OrderOutcome): void {
    const now = order.requestId === null ? null : this.#receiptOf(order.requestId, this.#ports.book);
    this.#ports.news.concluded(order, outcome, now === 'unclear' ? null : now);
  }

  #receiptOf(id: string, book: ReceiptBook): Receipt | null | 'unclear' {
    try {
      return book.current(id);
    } catch (error) {
      if (error instanceof UnclearReceipt) return 'unclear';
      throw error;
    }
  }
}
