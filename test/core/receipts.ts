/** Receipts in every situation that the machine knows, each reached by the events that lead to it. */
import type { Part, Receipt, Reply } from '../../src/core/receipt.ts';
import { type OrderMark, type ReceiptEvent, transition } from '../../src/core/receipt-machine.ts';

export const AT = '2026-11-30T09:00:00.000Z';
export const REQUEST = { id: '41', conversation: '41' };
export const ORDER: OrderMark = { id: 'c9', verb: 'rerun', by: 'Owner' };
export const AGENT = { pid: 4711, startedAt: AT, bootId: 'boot', startTime: '77' };
export const CLAIMED = { type: 'claimed', agent: AGENT, session: 's-1', turn: 1 } as const satisfies ReceiptEvent;
export const AGENT_FAILED: ReceiptEvent = {
  type: 'failed',
  error: { stage: 'agent', code: 'agent-exit', message: 'exit 1' },
};
export const SEND_FAILED: ReceiptEvent = {
  type: 'failed',
  error: { stage: 'send', code: 'send-refused', message: '400' },
};
export const REJECTED: ReceiptEvent = {
  type: 'rejected',
  error: { stage: 'request', code: 'not-json', message: 'no JSON' },
};

export function textPart(text: string): Part {
  return { kind: 'text', state: 'waiting', messageIds: [], at: null, text, entities: [] };
}

export function replyOf(count: number): Reply {
  return { markdown: 'the answer', parts: Array.from({ length: count }, (_, index) => textPart(`part ${index}`)) };
}

/** @throws where one of the events is refused */
export function receiptAfter(...events: ReceiptEvent[]): Receipt {
  let receipt: Receipt | null = null;
  for (const event of events) {
    const step = transition(receipt, event, REQUEST, AT);
    if (!step.ok) throw new Error(`${event.type} is refused`);
    receipt = step.receipt;
  }
  if (receipt === null) throw new Error('no event');
  return receipt;
}

const recorded: ReceiptEvent = { type: 'recorded', reply: replyOf(2) };
const order = ORDER;

/** A receipt's state and, after the plus, its attention; a failure that waits for nobody names only its stage. */
export const SITUATIONS = {
  none: null,
  submitted: receiptAfter(CLAIMED),
  'submitted + interrupted-run': receiptAfter(CLAIMED, { type: 'interrupted' }),
  sending: receiptAfter(CLAIMED, recorded),
  'sending + unknown-delivery': receiptAfter(CLAIMED, recorded, { type: 'doubtful' }),
  sent: receiptAfter(
    CLAIMED,
    { type: 'recorded', reply: replyOf(1) },
    { type: 'part-sent', index: 0, messageIds: [42] },
  ),
  'failed + failed (agent)': receiptAfter(CLAIMED, AGENT_FAILED),
  'failed + failed (send)': receiptAfter(CLAIMED, recorded, SEND_FAILED),
  'failed (agent)': receiptAfter(CLAIMED, AGENT_FAILED, { type: 'dismissed', order }),
  'failed (send)': receiptAfter(CLAIMED, recorded, SEND_FAILED, { type: 'dismissed', order }),
  'failed (cancelled)': receiptAfter({ type: 'cancelled', order }),
  rejected: receiptAfter(REJECTED),
} satisfies Record<string, Receipt | null>;

export type Situation = keyof typeof SITUATIONS;
export const SITUATION_NAMES = Object.keys(SITUATIONS).filter(isSituation);

function isSituation(name: string): name is Situation {
  return Object.hasOwn(SITUATIONS, name);
}
