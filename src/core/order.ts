/** An order of a person about one request (contract §6): its file, and whether it still applies. Pure. */
import { z } from 'zod';
import { ORDER_VERBS, type OrderVerb, type Receipt } from './receipt.ts';

/** The order's id is its cause: a message, a button press, or a command line. */
export const ORDER_ID = /^[mcx][0-9a-zA-Z-]{1,64}$/u;

export const orderSchema = z.looseObject({
  version: z.literal(1),
  id: z.string().regex(ORDER_ID),
  verb: z.enum(ORDER_VERBS),
  /** Null means: whatever runs when the order is read (`/cancel` without a reply). */
  requestId: z
    .string()
    .regex(/^[1-9]\d{0,15}$/u)
    .nullable(),
  /** What the person saw when giving the order; null where the request was not named. */
  run: z.int().nonnegative().nullable(),
  historyLength: z.int().nonnegative().nullable(),
  /** Of `permit` and `deny`: which question of the agent, and which of its options, counted from 0. */
  question: z.string().optional(),
  option: z.int().nonnegative().optional(),
  /** `terminal`: the user name of who gave it on the command line. */
  by: z.looseObject({ name: z.string(), language: z.string().optional(), terminal: z.string().optional() }),
  /** Topic in which it was given. */
  threadId: z.int().nullable().optional(),
  /** Of a button: the message that it stands under, with the words that the person saw there. */
  pressed: z.looseObject({ messageId: z.int(), text: z.string().nullable() }).optional(),
  at: z.iso.datetime(),
});

export type Order = z.infer<typeof orderSchema>;

export const REFUSALS = [
  'moved-on',
  'not-now',
  'nothing-running',
  'unknown-request',
  'agent-unavailable',
  'unreadable',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export type OrderOutcome = { result: 'applied'; at: string } | { result: 'refused'; reason: Refusal; at: string };

/** `state/decisions/<id>.json`: the order as it was taken up, and what became of it (null until then). */
export const takenOrderSchema = z.looseObject({
  version: z.literal(1),
  order: orderSchema.nullable(),
  takenAt: z.iso.datetime(),
  outcome: z
    .union([
      z.looseObject({ result: z.literal('applied'), at: z.iso.datetime() }),
      z.looseObject({ result: z.literal('refused'), reason: z.enum(REFUSALS), at: z.iso.datetime() }),
    ])
    .nullable(),
});

export type TakenOrder = z.infer<typeof takenOrderSchema>;

/** Orders that need the agent or the line to Telegram for long, and so wait for their turn. */
export function takesItsTurn(verb: OrderVerb): boolean {
  return verb === 'rerun' || verb === 'resend';
}

/** Which orders a person can give about a receipt as it stands; the buttons of its notice are these. */
export function ordersFor(receipt: Receipt): OrderVerb[] {
  if (receipt.attention === 'interrupted-run') return ['rerun', 'arrived', 'dismiss'];
  if (receipt.attention === 'unknown-delivery') return ['arrived', 'resend', 'rerun', 'dismiss'];
  if (receipt.state === 'failed') {
    const verbs: OrderVerb[] =
      receipt.error?.stage === 'send' && receipt.reply !== null ? ['resend', 'rerun'] : ['rerun'];
    return receipt.attention === null ? verbs : [...verbs, 'dismiss'];
  }
  return receipt.state === 'submitted' ? ['cancel'] : [];
}

/** True where the receipt is still the one that the person saw when giving the order. */
export function isCurrent(order: Order, receipt: Receipt | null): boolean {
  if (order.run === null || order.historyLength === null) return true;
  return order.run === (receipt?.run ?? 0) && order.historyLength === (receipt?.history.length ?? 0);
}

/** True where the receipt's history shows that this very order was already carried out. */
export function isCarriedOut(order: Order, receipt: Receipt | null): boolean {
  return receipt?.history.some((entry) => entry.order?.id === order.id) ?? false;
}

/**
 * Whether an order applies to the receipt as it stands.
 * @param receipt null where the request waits and has none
 */
export function refusalOf(order: Order, receipt: Receipt | null): Refusal | null {
  if (!isCurrent(order, receipt)) return 'moved-on';
  if (receipt === null) return order.verb === 'cancel' ? null : 'not-now';
  if (order.verb === 'cancel' && receipt.state === 'submitted') return null;
  return ordersFor(receipt).includes(order.verb) ? null : 'not-now';
}

/**
 * Who gives an order hears at once what became of it, as long as that is known in this time; what is concluded later is told
 * later. Bot and consumer tell each other nothing: this rule says which of them speaks.
 */
export const ANSWERED_AT_ONCE_MS = 1_000;

export function isLate(order: Order, outcome: { at: string }): boolean {
  return Date.parse(outcome.at) - Date.parse(order.at) >= ANSWERED_AT_ONCE_MS;
}

/** The message by which an order was given; null for a button and for the command line. */
export function messageOf(order: Order): number | null {
  const id = /^m(\d{1,15})$/u.exec(order.id)?.[1];
  return id === undefined ? null : Number(id);
}

/** First given, first taken; two of one instant by their ids. */
export function byAge(a: Order, b: Order): number {
  return a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1;
}

/** The data of a button, at most 64 bytes (Bot API, InlineKeyboardButton.callback_data). */
export function buttonData(verb: OrderVerb, receipt: Receipt): string {
  return `order:${verb}:${receipt.id}:${receipt.run}:${receipt.history.length}`;
}

export function parseButtonData(data: string): Wish | null {
  const order = /^order:([a-z]+):([1-9]\d{0,15}):(\d{1,6}):(\d{1,6})$/u.exec(data);
  const verb = ORDER_VERBS.find((known) => known === order?.[1]);
  if (order !== null && verb !== undefined) {
    return { verb, requestId: order[2] as string, run: Number(order[3]), historyLength: Number(order[4]) };
  }
  const answer = /^(permit|deny):([1-9]\d{0,15}):([0-9a-f]{12}):(\d{1,2})$/u.exec(data);
  if (answer === null) return null;
  const [, given, requestId = '', question = '', option] = answer;
  return {
    verb: given === 'permit' ? 'permit' : 'deny',
    requestId,
    run: null,
    historyLength: null,
    question,
    option: Number(option),
  };
}

/** The data of a button under an agent's question. */
export function questionData(verb: 'permit' | 'deny', requestId: string, nonce: string, option: number): string {
  return `${verb}:${requestId}:${nonce}:${option}`;
}

/** What a button asks for. */
export interface Wish {
  verb: OrderVerb;
  requestId: string;
  run: number | null;
  historyLength: number | null;
  question?: string;
  option?: number;
}
