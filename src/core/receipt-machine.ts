/**
 * The receipt's state machine: receipt × event → next receipt, or a refusal. Pure; `at` is an ISO instant that the caller
 * took, and every refusal leaves the receipt as it was.
 *
 * ```
 * (none) ─claimed→ submitted ─recorded→ sending ─part-sent→ sent
 *    │                 │ interrupted        │ doubtful
 *    │                 └─failed─┐           └─failed─┐
 *    ├─failed──────────────→ failed ←────────────────┘
 *    └─rejected→ rejected
 * ```
 * Orders of a person (`dismissed`, `cancelled`, `resent`, `arrived`, `claimed` with an order) lead on from there.
 */
import type {
  AgentProcess,
  Attention,
  Failure,
  HistoryEntry,
  Notice,
  OrderVerb,
  Part,
  Receipt,
  Reply,
} from './receipt.ts';

export interface OrderMark {
  id: string;
  verb: OrderVerb;
  by: string;
}

export type ReceiptEvent =
  /** The agent stands ready, held: from here on the run may have happened. */
  | {
      type: 'claimed';
      agent: AgentProcess;
      session: string | null;
      turn: number;
      facts?: RunFacts;
      order?: OrderMark;
    }
  /** The whole reply, before its first part is sent; that part is already marked `sending`. */
  | { type: 'recorded'; reply: Reply; facts?: RunFacts }
  | { type: 'part-sent'; index: number; messageIds: number[] }
  | { type: 'failed'; error: Failure; facts?: RunFacts }
  | { type: 'rejected'; error: Failure }
  /** The consumer died during the run, and the agent's own history does not tell its end. */
  | { type: 'interrupted'; facts?: RunFacts }
  /** A part may have arrived. */
  | { type: 'doubtful' }
  | { type: 'resent'; order: OrderMark }
  | { type: 'arrived'; order: OrderMark }
  | { type: 'dismissed'; order: OrderMark }
  | { type: 'cancelled'; order: OrderMark; facts?: RunFacts }
  | { type: 'notice'; state: Notice['state']; messageId: number | null };

/** What is told of a run beside its state; kept as it is. */
export type RunFacts = Pick<Receipt, 'sessionOrigin' | 'attachments' | 'steps' | 'recovery'>;

export type Transition = { ok: true; receipt: Receipt } | { ok: false; reason: 'moved-on' };

type EventOf<T extends ReceiptEvent['type']> = Extract<ReceiptEvent, { type: T }>;

/** Where an event may happen; null stands for a request that has no receipt yet. */
const ALLOWED: { [T in ReceiptEvent['type']]: (receipt: Receipt | null, event: EventOf<T>) => boolean } = {
  // Without an order only what nobody ever touched is claimed: a request that was cancelled while its agent got ready, say, is not.
  claimed: (r, { order }) =>
    order === undefined ? r === null : r !== null && (r.state === 'failed' || r.attention !== null),
  recorded: (r) => r?.state === 'submitted' && r.attention === null,
  'part-sent': (r, { index }) =>
    r?.state === 'sending' && r.attention === null && r.reply?.parts[index]?.state === 'sending',
  failed: (r) => r === null || ((r.state === 'submitted' || r.state === 'sending') && r.attention === null),
  rejected: (r) => r === null,
  interrupted: (r) => r?.state === 'submitted' && r.attention === null,
  doubtful: (r) => r?.state === 'sending' && r.attention === null,
  resent: (r) =>
    r !== null &&
    r.reply !== null &&
    ((r.state === 'failed' && r.error?.stage === 'send') || r.attention === 'unknown-delivery'),
  arrived: (r) => r?.attention === 'unknown-delivery' || r?.attention === 'interrupted-run',
  dismissed: (r) => r !== null && r.attention !== null,
  cancelled: (r) => r === null || r.state === 'submitted',
  notice: (r, { state }) => r?.notice != null && NOTICE_STEPS[r.notice.state].includes(state),
};

/** What was sent, or may have arrived, is never sent again. */
const NOTICE_STEPS: Record<Notice['state'], readonly Notice['state'][]> = {
  waiting: ['sending'],
  sending: ['waiting', 'sent', 'unknown'],
  sent: [],
  unknown: [],
};

/**
 * @param current the receipt as it stands; null where the request has none
 * @param request what a first receipt needs to know of its request
 * @param at the instant of the event, ISO 8601 in UTC
 */
export function transition(
  current: Receipt | null,
  event: ReceiptEvent,
  request: { id: string; conversation: string },
  at: string,
): Transition {
  const isAllowed = ALLOWED[event.type] as (receipt: Receipt | null, event: ReceiptEvent) => boolean;
  if (!isAllowed(current, event)) return { ok: false, reason: 'moved-on' };
  const facts = 'facts' in event ? event.facts : undefined;
  return { ok: true, receipt: { ...apply(current ?? blank(request), event, at), ...facts } };
}

function blank(request: { id: string; conversation: string }): Receipt {
  return {
    version: 1,
    id: request.id,
    state: 'submitted',
    conversation: request.conversation,
    session: null,
    turn: 0,
    run: 0,
    history: [],
    reply: null,
    agent: null,
    previous: [],
    error: null,
    attention: null,
    notice: null,
  };
}

function apply(receipt: Receipt, event: ReceiptEvent, at: string): Receipt {
  switch (event.type) {
    case 'claimed':
      return {
        ...enter(withFormerRunKept(receipt), { state: 'submitted', at, ...orderOf(event) }),
        run: receipt.run + 1,
        session: event.session,
        turn: event.turn,
        agent: event.agent,
      };
    case 'recorded':
      return { ...enter(receipt, { state: 'sending', at }), reply: markFirstWaiting(event.reply, at) };
    case 'part-sent':
      return afterPart(receipt, event, at);
    case 'failed':
      return needs(
        {
          ...enter(receipt, { state: 'failed', at, code: event.error.code }),
          error: event.error,
          reply: failDoubtful(receipt.reply, at),
        },
        'failed',
      );
    case 'rejected':
      return { ...enter(receipt, { state: 'rejected', at }), error: event.error, notice: owed('rejected') };
    case 'interrupted':
      return needs(receipt, 'interrupted-run');
    case 'doubtful':
      return needs(receipt, 'unknown-delivery');
    case 'resent':
      return { ...enter(receipt, { state: 'sending', at, ...orderOf(event) }), reply: reopened(receipt.reply, at) };
    case 'arrived':
      return afterArrival(receipt, event.order, at);
    case 'dismissed':
      return closedAsFailed(receipt, event.order, at, {
        stage: stageOf(receipt),
        code: 'dismissed',
        message: 'closed by a person',
      });
    case 'cancelled':
      return closedAsFailed(receipt, event.order, at, {
        stage: 'agent',
        code: 'cancelled',
        message: 'cancelled by a person',
      });
    case 'notice':
      return { ...receipt, notice: { ...(receipt.notice as Notice), state: event.state, messageId: event.messageId } };
  }
}

/** Every new state clears what the former one left open; the notice of a former attention has done its work. */
function enter(receipt: Receipt, entry: HistoryEntry): Receipt {
  return {
    ...receipt,
    state: entry.state,
    history: [...receipt.history, entry],
    error: null,
    attention: null,
    notice: null,
  };
}

function needs(receipt: Receipt, attention: Attention): Receipt {
  return { ...receipt, attention, notice: owed(attention) };
}

function owed(reason: Notice['for']): Notice {
  return { for: reason, state: 'waiting', messageId: null };
}

function orderOf(event: { order?: OrderMark }): Pick<HistoryEntry, 'order'> {
  return event.order === undefined ? {} : { order: { ...event.order } };
}

function withFormerRunKept(receipt: Receipt): Receipt {
  if (receipt.run === 0 && receipt.error === null) return receipt;
  const { steps, recovery, ...rest } = receipt;
  const { run, session, reply, error } = receipt;
  const former = {
    run,
    session,
    reply,
    error,
    ...(steps === undefined ? {} : { steps }),
    ...(recovery === undefined ? {} : { recovery }),
  };
  return { ...rest, previous: [...receipt.previous, former], reply: null };
}

/** One write marks the part that was accepted and the one that goes next: a crash between the two is no state of its own. */
function afterPart(receipt: Receipt, event: { index: number; messageIds: number[] }, at: string): Receipt {
  const parts = partsOf(receipt).map(
    (part, index): Part =>
      index === event.index ? { ...part, state: 'sent', messageIds: event.messageIds, at } : part,
  );
  return progressed(receipt, parts, at);
}

function progressed(receipt: Receipt, parts: Part[], at: string, order?: OrderMark): Receipt {
  const reply = markFirstWaiting({ ...(receipt.reply as Reply), parts }, at);
  if (parts.every((part) => part.state === 'sent')) {
    return { ...enter(receipt, { state: 'sent', at, ...(order === undefined ? {} : { order: { ...order } }) }), reply };
  }
  return { ...receipt, reply };
}

function markFirstWaiting(reply: Reply, at: string): Reply {
  const next = reply.parts.findIndex((part) => part.state !== 'sent');
  return {
    ...reply,
    parts: reply.parts.map((part, index) => (index === next ? { ...part, state: 'sending', at } : part)),
  };
}

function reopened(reply: Reply | null, at: string): Reply {
  const whole = reply as Reply;
  const parts = whole.parts.map(
    (part): Part => (part.state === 'sent' ? part : { ...part, state: 'waiting', at: null }),
  );
  return markFirstWaiting({ ...whole, parts }, at);
}

function failDoubtful(reply: Reply | null, at: string): Reply | null {
  if (reply === null) return null;
  return {
    ...reply,
    parts: reply.parts.map((part) => (part.state === 'sending' ? { ...part, state: 'failed', at } : part)),
  };
}

/** `arrived`: the doubtful part counts as sent and the waiting ones go now; without a reply the request is simply closed. */
function afterArrival(receipt: Receipt, order: OrderMark, at: string): Receipt {
  if (receipt.attention === 'interrupted-run') {
    return enter(receipt, { state: 'sent', at, order: { ...order } });
  }
  const parts = partsOf(receipt).map(
    (part): Part => (part.state === 'sending' ? { ...part, state: 'sent', at } : part),
  );
  const next = progressed(receipt, parts, at, order);
  if (next.state === 'sent') return next;
  return { ...enter(next, { state: 'sending', at, order: { ...order } }) };
}

function closedAsFailed(receipt: Receipt, order: OrderMark, at: string, error: Failure): Receipt {
  const closed = enter(receipt, { state: 'failed', at, order: { ...order } });
  // A failure that is dismissed keeps its own cause: "dismissed" would tell less than it.
  return { ...closed, error: receipt.error ?? error, reply: failDoubtful(receipt.reply, at) };
}

function stageOf(receipt: Receipt): Failure['stage'] {
  return receipt.state === 'sending' ? 'send' : 'agent';
}

function partsOf(receipt: Receipt): Part[] {
  return (receipt.reply as Reply).parts;
}
