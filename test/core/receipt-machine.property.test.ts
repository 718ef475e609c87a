import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Receipt,
  inconsistency,
  isNoticeOwed,
  isRecorded,
  isSettled,
  receiptSchema,
} from '../../src/core/receipt.ts';
import { type ReceiptEvent, transition } from '../../src/core/receipt-machine.ts';
import { AGENT, REQUEST, replyOf } from './receipts.ts';

const order = fc.record({
  id: fc.constantFrom('c1', 'c2', 'x3'),
  verb: fc.constantFrom('cancel', 'rerun', 'resend', 'arrived', 'dismiss'),
  by: fc.string({ maxLength: 5 }),
} as const);
const error = fc.record({
  stage: fc.constantFrom('download', 'agent', 'send', 'request'),
  code: fc.constantFrom('a', 'b'),
  message: fc.string({ maxLength: 5 }),
} as const);
const claim = fc.record({
  type: fc.constant('claimed'),
  agent: fc.constant(AGENT),
  session: fc.constant('s'),
  turn: fc.nat(5),
} as const);

const event: fc.Arbitrary<ReceiptEvent> = fc.oneof(
  claim,
  fc.tuple(claim, order).map(([base, by]): ReceiptEvent => ({ ...base, order: by })),
  fc.integer({ min: 1, max: 3 }).map((count): ReceiptEvent => ({ type: 'recorded', reply: replyOf(count) })),
  fc.record({
    type: fc.constant('part-sent'),
    index: fc.nat(3),
    messageIds: fc.array(fc.nat(99), { maxLength: 2 }),
  } as const),
  fc.record({ type: fc.constantFrom('failed', 'rejected'), error } as const),
  fc.record({ type: fc.constantFrom('interrupted', 'doubtful') } as const),
  fc.record({ type: fc.constantFrom('resent', 'arrived', 'dismissed', 'cancelled'), order } as const),
  fc.record({
    type: fc.constant('notice'),
    state: fc.constantFrom('waiting', 'sending', 'sent', 'unknown'),
    messageId: fc.option(fc.nat(99)),
  } as const),
);

/** Mostly events that may happen, so that long lives are met; each number chooses among those. */
const lives = fc.array(fc.tuple(event, fc.nat()), { minLength: 1, maxLength: 40 });
const FAVOURED: ReceiptEvent[] = [
  { type: 'claimed', agent: AGENT, session: 's', turn: 1 },
  { type: 'claimed', agent: AGENT, session: 's', turn: 2, order: { id: 'c7', verb: 'rerun', by: 'P' } },
  { type: 'recorded', reply: replyOf(3) },
  ...[0, 1, 2].map((index): ReceiptEvent => ({ type: 'part-sent', index, messageIds: [50 + index] })),
  { type: 'failed', error: { stage: 'send', code: 'send-refused', message: '' } },
  { type: 'doubtful' },
  { type: 'interrupted' },
  { type: 'resent', order: { id: 'c8', verb: 'resend', by: 'P' } },
  { type: 'arrived', order: { id: 'c9', verb: 'arrived', by: 'P' } },
  { type: 'notice', state: 'sending', messageId: null },
];

function eachStep(
  life: [ReceiptEvent, number][],
  look: (before: Receipt | null, after: Receipt, event: ReceiptEvent) => void,
): void {
  let current: Receipt | null = null;
  life.forEach(([drawn, choice], index) => {
    const possible = FAVOURED.filter((one) => transition(current, one, REQUEST, instant(index)).ok);
    const chosen = choice % 3 === 0 ? drawn : (possible[choice % Math.max(possible.length, 1)] ?? drawn);
    const step = transition(current, chosen, REQUEST, instant(index));
    if (!step.ok) return;
    look(current, step.receipt, chosen);
    current = withStrangeFields(step.receipt);
  });
}

function instant(index: number): string {
  return new Date(Date.UTC(2026, 10, 30, 9, 0, index)).toISOString();
}

/** A later version, or a person, may have added what we do not know. */
function withStrangeFields(receipt: Receipt): Receipt {
  const reply = receipt.reply;
  if (reply === null) return { ...receipt, strange: 1 };
  return {
    ...receipt,
    strange: 1,
    reply: { ...reply, strange: 2, parts: reply.parts.map((part) => ({ ...part, strange: 3 })) },
  };
}

function holds(look: (before: Receipt | null, after: Receipt, event: ReceiptEvent) => void): void {
  fc.assert(
    fc.property(lives, (life) => eachStep(life, look)),
    { numRuns: 300 },
  );
}

test('history only grows, by at most one entry a step, and its last entry is the state', () => {
  holds((before, after) => {
    const former = before?.history ?? [];
    expect(after.history.slice(0, former.length)).toEqual(former);
    expect(after.history.length - former.length).toBeLessThanOrEqual(1);
    expect(after.history.at(-1)?.state).toBe(after.state);
    expect(before === null || before.state === after.state || after.history.length > former.length).toBe(true);
  });
});

test('an order is written into the history that it makes', () => {
  holds((before, after, taken) => {
    if (!('order' in taken) || taken.order === undefined) return;
    expect(after.history.length).toBe((before?.history.length ?? 0) + 1);
    expect(after.history.at(-1)?.order).toEqual(taken.order);
  });
});

test('a part that is sent never changes as long as its reply stands', () => {
  holds((before, after, taken) => {
    if (taken.type === 'claimed') return;
    before?.reply?.parts.forEach((part, index) => {
      if (part.state === 'sent') expect(after.reply?.parts[index]).toEqual(part);
    });
  });
});

test('one part is under way while a recorded reply is being sent, and none before or after', () => {
  holds((_before, after) => {
    const underWay = after.reply?.parts.filter((part) => part.state === 'sending').length ?? 0;
    expect(underWay).toBe(isRecorded(after) ? 1 : 0);
  });
});

test('parts go in their order: what is sent comes before all that is not', () => {
  holds((_before, after) => {
    const states = after.reply?.parts.map((part) => part.state === 'sent') ?? [];
    expect(states.lastIndexOf(true)).toBe(states.filter(Boolean).length - 1);
  });
});

test('the words of a reply never change', () => {
  holds((before, after, taken) => {
    if (before?.reply == null || taken.type === 'claimed') return;
    expect(after.reply?.markdown).toBe(before.reply.markdown);
    expect(after.reply?.parts.map((part) => part.kind === 'text' && part.text)).toEqual(
      before.reply.parts.map((part) => part.kind === 'text' && part.text),
    );
  });
});

test('a run begins by a claim alone, one at a time, and after the first only by an order', () => {
  holds((before, after, taken) => {
    expect(after.run).toBe((before?.run ?? 0) + (taken.type === 'claimed' ? 1 : 0));
    if (taken.type === 'claimed' && before !== null) expect(taken.order).toBeDefined();
  });
});

test('former runs are kept: replies and errors go to "previous", which only grows', () => {
  holds((before, after, taken) => {
    if (before === null) return;
    expect(after.previous.slice(0, before.previous.length)).toEqual(before.previous);
    if (taken.type !== 'claimed') expect(after.previous).toEqual(before.previous);
    else expect(after.previous.at(-1)).toMatchObject({ run: before.run, reply: before.reply, error: before.error });
  });
});

test('who needs attention has a notice for it, and a new attention owes one', () => {
  holds((before, after) => {
    if (after.attention === null) return;
    expect(after.notice?.for).toBe(after.attention);
    if (before?.attention == null) expect(isNoticeOwed(after)).toBe(true);
  });
});

test('a notice is begun once and, once out or doubtful, never again', () => {
  holds((before, after, taken) => {
    if (taken.type !== 'notice') return;
    expect(['waiting', 'sending']).toContain(before?.notice?.state);
    expect(after.notice?.for).toBe(before?.notice?.for);
  });
});

test('settled is: a final state, no attention, no notice owed', () => {
  holds((_before, after) => {
    const isFinal = ['sent', 'failed', 'rejected'].includes(after.state);
    expect(isSettled(after)).toBe(isFinal && after.attention === null && !isNoticeOwed(after));
  });
});

test('what was settled is opened again only by an order', () => {
  holds((before, _after, taken) => {
    if (before !== null && isSettled(before)) expect('order' in taken && taken.order !== undefined).toBe(true);
  });
});

test('every receipt makes sense, and comes back from its file as it was', () => {
  holds((_before, after) => {
    expect(inconsistency(after)).toBeNull();
    expect(receiptSchema.parse(JSON.parse(JSON.stringify(after)))).toEqual(after);
  });
});

test('fields that nobody here knows are kept', () => {
  holds((before, after, taken) => {
    if (before === null) return;
    expect(after['strange']).toBe(1);
    const reply = taken.type === 'claimed' ? after.previous.at(-1)?.reply : after.reply;
    if (before.reply != null)
      expect(reply).toMatchObject({ strange: 2, parts: before.reply.parts.map(() => ({ strange: 3 })) });
  });
});
