import { describe, expect, test } from 'vitest';
import { receiptSchema } from '../../src/core/receipt.ts';
import { type ReceiptEvent, transition } from '../../src/core/receipt-machine.ts';
import {
  AGENT,
  AGENT_FAILED,
  AT,
  CLAIMED,
  ORDER,
  REJECTED,
  REQUEST,
  SEND_FAILED,
  SITUATIONS,
  SITUATION_NAMES,
  type Situation,
  receiptAfter,
  replyOf,
} from './receipts.ts';

const FAILED: Situation[] = [
  'failed + failed (agent)',
  'failed + failed (send)',
  'failed (agent)',
  'failed (send)',
  'failed (cancelled)',
];
const ATTENTION = SITUATION_NAMES.filter((name) => name.includes('+'));
const LATER = '2026-11-30T10:00:00.000Z';
const order = ORDER;

/** The whole table: every event, and the situations in which it may happen; in all others it is refused. */
const TABLE: [name: string, event: ReceiptEvent, allowedIn: Situation[]][] = [
  ['claimed without an order', CLAIMED, ['none']],
  ['claimed by an order', { ...CLAIMED, order }, [...new Set([...FAILED, ...ATTENTION])]],
  ['recorded', { type: 'recorded', reply: replyOf(2) }, ['submitted']],
  ['part-sent, of the part under way', { type: 'part-sent', index: 0, messageIds: [42] }, ['sending']],
  ['part-sent, of a part that waits', { type: 'part-sent', index: 1, messageIds: [42] }, []],
  ['part-sent, of no part', { type: 'part-sent', index: 2, messageIds: [42] }, []],
  ['failed', AGENT_FAILED, ['none', 'submitted', 'sending']],
  ['rejected', REJECTED, ['none']],
  ['interrupted', { type: 'interrupted' }, ['submitted']],
  ['doubtful', { type: 'doubtful' }, ['sending']],
  ['resent', { type: 'resent', order }, ['sending + unknown-delivery', 'failed + failed (send)', 'failed (send)']],
  ['arrived', { type: 'arrived', order }, ['submitted + interrupted-run', 'sending + unknown-delivery']],
  ['dismissed', { type: 'dismissed', order }, ATTENTION],
  ['cancelled', { type: 'cancelled', order }, ['none', 'submitted', 'submitted + interrupted-run']],
  ['notice going out', { type: 'notice', state: 'sending', messageId: null }, [...ATTENTION, 'rejected']],
  ['notice out, never begun', { type: 'notice', state: 'sent', messageId: 43 }, []],
];

describe.each(TABLE)('%s', (_name, event, allowedIn) => {
  test.each(
    SITUATION_NAMES.map((situation) => [allowedIn.includes(situation) ? 'happens' : 'is refused', situation] as const),
  )('%s in: %s', (outcome, situation) => {
    const before = SITUATIONS[situation];
    const copy = structuredClone(before);

    const step = transition(before, event, REQUEST, LATER);

    expect(step.ok ? 'happens' : 'is refused').toBe(outcome);
    expect(before).toEqual(copy);
    if (step.ok) expect(receiptSchema.parse(JSON.parse(JSON.stringify(step.receipt)))).toEqual(step.receipt);
    else expect(step).toEqual({ ok: false, reason: 'moved-on' });
  });
});

describe('the straight line', () => {
  test('a claim says who runs, in which session, as which run', () => {
    expect(receiptAfter(CLAIMED)).toEqual({
      version: 1,
      id: '41',
      state: 'submitted',
      conversation: '41',
      session: 's-1',
      turn: 1,
      run: 1,
      history: [{ state: 'submitted', at: AT }],
      reply: null,
      agent: AGENT,
      previous: [],
      error: null,
      attention: null,
      notice: null,
    });
  });

  test('a recorded reply is whole, and its first part alone is under way', () => {
    const { state, reply } = receiptAfter(CLAIMED, { type: 'recorded', reply: replyOf(3) });

    expect(state).toBe('sending');
    expect(reply?.parts.map((part) => part.state)).toEqual(['sending', 'waiting', 'waiting']);
  });

  test('one step marks the part that arrived and the one that goes next', () => {
    const { state, history, reply } = receiptAfter(
      CLAIMED,
      { type: 'recorded', reply: replyOf(2) },
      { type: 'part-sent', index: 0, messageIds: [42] },
    );

    expect(state).toBe('sending');
    expect(history).toHaveLength(2);
    expect(reply?.parts).toMatchObject([
      { state: 'sent', messageIds: [42] },
      { state: 'sending', messageIds: [] },
    ]);
  });

  test('the last part that arrives ends the request', () => {
    const { state, history, attention, notice } = SITUATIONS.sent;

    expect(history.map((entry) => entry.state)).toEqual(['submitted', 'sending', 'sent']);
    expect({ state, attention, notice }).toEqual({ state: 'sent', attention: null, notice: null });
  });
});

describe('bad ends', () => {
  test('a failure before any run counts no run', () => {
    expect(receiptAfter(AGENT_FAILED)).toMatchObject({ state: 'failed', run: 0, agent: null, attention: 'failed' });
  });

  test('a failed delivery fails the part under way and leaves those that wait', () => {
    const { reply, error, history } = SITUATIONS['failed + failed (send)'];

    expect(reply?.parts.map((part) => part.state)).toEqual(['failed', 'waiting']);
    expect(error?.code).toBe('send-refused');
    expect(history.at(-1)).toEqual({ state: 'failed', at: AT, code: 'send-refused' });
  });

  test.each([
    ['submitted + interrupted-run', 'interrupted-run', 'submitted'],
    ['sending + unknown-delivery', 'unknown-delivery', 'sending'],
    ['failed + failed (agent)', 'failed', 'failed'],
  ] as const)('%s owes one notice, and adds no state of its own', (situation, attention, state) => {
    const receipt = SITUATIONS[situation];

    expect(receipt.notice).toEqual({ for: attention, state: 'waiting', messageId: null });
    expect(receipt.history.at(-1)?.state).toBe(state);
  });

  test('a rejected request owes a notice and waits for no decision', () => {
    expect(SITUATIONS.rejected).toMatchObject({
      run: 0,
      attention: null,
      notice: { for: 'rejected', state: 'waiting' },
    });
  });
});

describe('orders', () => {
  test('a rerun counts one more run and keeps what the former one gave', () => {
    const former = SITUATIONS['sending + unknown-delivery'];

    const step = transition(former, { ...CLAIMED, session: 's-2', order }, REQUEST, LATER);

    expect(step).toMatchObject({
      ok: true,
      receipt: {
        run: 2,
        session: 's-2',
        reply: null,
        attention: null,
        notice: null,
        previous: [{ run: 1, session: 's-1', reply: former.reply, error: null }],
      },
    });
    expect(step.ok && step.receipt.history.at(-1)).toEqual({ state: 'submitted', at: LATER, order });
  });

  test('a rerun of what never ran keeps why', () => {
    const { run, previous } = receiptAfter(AGENT_FAILED, { ...CLAIMED, order });

    expect(run).toBe(1);
    expect(previous).toMatchObject([{ run: 0, error: { code: 'agent-exit' } }]);
  });

  const twoOfThree: ReceiptEvent[] = [
    CLAIMED,
    { type: 'recorded', reply: replyOf(3) },
    { type: 'part-sent', index: 0, messageIds: [42] },
  ];

  test('a resend begins at the first part that is not sent', () => {
    const { state, error, reply, run } = receiptAfter(...twoOfThree, SEND_FAILED, { type: 'resent', order });

    expect({ state, error, run }).toEqual({ state: 'sending', error: null, run: 1 });
    expect(reply?.parts.map((part) => part.state)).toEqual(['sent', 'sending', 'waiting']);
  });

  test('what arrived by the word of a person is sent, and the waiting part goes now', () => {
    const { state, attention, history, reply } = receiptAfter(
      ...twoOfThree,
      { type: 'doubtful' },
      { type: 'arrived', order },
    );

    expect({ state, attention }).toEqual({ state: 'sending', attention: null });
    expect(history.at(-1)).toEqual({ state: 'sending', at: AT, order });
    expect(reply?.parts.map((part) => part.state)).toEqual(['sent', 'sent', 'sending']);
  });

  test('where nothing waits, the word of a person ends the request', () => {
    const doubtfulLast = [CLAIMED, { type: 'recorded', reply: replyOf(1) }, { type: 'doubtful' }] as ReceiptEvent[];

    const { state, history, reply } = receiptAfter(...doubtfulLast, { type: 'arrived', order });

    expect(state).toBe('sent');
    expect(history.at(-1)).toEqual({ state: 'sent', at: AT, order });
    expect(reply?.parts).toMatchObject([{ state: 'sent', messageIds: [] }]);
  });

  test('an interrupted run that a person knows to be done is closed as sent, without a reply', () => {
    expect(receiptAfter(CLAIMED, { type: 'interrupted' }, { type: 'arrived', order })).toMatchObject({
      state: 'sent',
      reply: null,
    });
  });

  test.each([
    ['submitted + interrupted-run', { stage: 'agent', code: 'dismissed' }],
    ['sending + unknown-delivery', { stage: 'send', code: 'dismissed' }],
    ['failed + failed (agent)', { stage: 'agent', code: 'agent-exit' }],
  ] as const)('%s that is dismissed is failed, and says why', (situation, error) => {
    const former = SITUATIONS[situation];

    const step = transition(former, { type: 'dismissed', order }, REQUEST, LATER);

    expect(step).toMatchObject({
      ok: true,
      receipt: { state: 'failed', attention: null, notice: null, error },
    });
  });

  test('a doubtful part that a person gave up is failed; a resend sends it', () => {
    const doubtful: ReceiptEvent[] = [...twoOfThree, { type: 'doubtful' }, { type: 'dismissed', order }];

    expect(receiptAfter(...doubtful).reply?.parts.map((part) => part.state)).toEqual(['sent', 'failed', 'waiting']);
    expect(receiptAfter(...doubtful, { type: 'resent', order }).reply?.parts.map((part) => part.state)).toEqual([
      'sent',
      'sending',
      'waiting',
    ]);
  });

  test.each(['none', 'submitted'] as const)(
    '%s that is cancelled is failed, and nobody has to decide more',
    (situation) => {
      const step = transition(SITUATIONS[situation], { type: 'cancelled', order }, REQUEST, LATER);

      expect(step).toMatchObject({
        ok: true,
        receipt: { state: 'failed', error: { code: 'cancelled' }, attention: null, notice: null },
      });
    },
  );
});

describe('a notice', () => {
  test.each([
    ['waiting', ['sending']],
    ['sending', ['waiting', 'sent', 'unknown']],
    ['sent', []],
    ['unknown', []],
  ] as const)('that is %s becomes one of: %j', (from, allowed) => {
    const receipt = { ...SITUATIONS.rejected, notice: { for: 'rejected' as const, state: from, messageId: null } };

    const next = (['waiting', 'sending', 'sent', 'unknown'] as const).filter(
      (state) => transition(receipt, { type: 'notice', state, messageId: null }, REQUEST, AT).ok,
    );

    expect(next.sort()).toEqual([...allowed].sort());
  });

  test('changes nothing but itself', () => {
    const step = transition(SITUATIONS.rejected, { type: 'notice', state: 'sending', messageId: null }, REQUEST, LATER);

    expect(step).toEqual({
      ok: true,
      receipt: { ...SITUATIONS.rejected, notice: { for: 'rejected', state: 'sending', messageId: null } },
    });
  });
});
