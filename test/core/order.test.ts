import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Order,
  buttonData,
  byAge,
  isCarriedOut,
  isCurrent,
  orderSchema,
  ordersFor,
  parseButtonData,
  refusalOf,
  takesItsTurn,
} from '../../src/core/order.ts';
import { ORDER_VERBS, type OrderVerb, type Receipt } from '../../src/core/receipt.ts';
import { type OrderMark, type ReceiptEvent, transition } from '../../src/core/receipt-machine.ts';
import { AT, CLAIMED, REQUEST, SITUATIONS, SITUATION_NAMES, type Situation } from './receipts.ts';

const order = (verb: OrderVerb, seen: Receipt | null, fields: Partial<Order> = {}): Order => ({
  version: 1,
  id: 'c9',
  verb,
  requestId: '41',
  run: seen?.run ?? 0,
  historyLength: seen?.history.length ?? 0,
  by: { name: 'Owner' },
  at: AT,
  ...fields,
});

const eventOf: Partial<Record<OrderVerb, (mark: OrderMark) => ReceiptEvent>> = {
  cancel: (mark) => ({ type: 'cancelled', order: mark }),
  rerun: (mark) => ({ ...CLAIMED, order: mark }),
  resend: (mark) => ({ type: 'resent', order: mark }),
  arrived: (mark) => ({ type: 'arrived', order: mark }),
  dismiss: (mark) => ({ type: 'dismissed', order: mark }),
};

describe('the orders that a person is offered', () => {
  test.each<[Exclude<Situation, 'none'>, OrderVerb[]]>([
    ['submitted', ['cancel']],
    ['submitted + interrupted-run', ['rerun', 'arrived', 'dismiss']],
    ['sending', []],
    ['sending + unknown-delivery', ['arrived', 'resend', 'rerun', 'dismiss']],
    ['sent', []],
    ['failed + failed (agent)', ['rerun', 'dismiss']],
    ['failed + failed (send)', ['resend', 'rerun', 'dismiss']],
    ['failed (agent)', ['rerun']],
    ['failed (send)', ['resend', 'rerun']],
    ['failed (cancelled)', ['rerun']],
    ['rejected', []],
  ])('%s: %j', (situation, verbs) => {
    expect(ordersFor(SITUATIONS[situation])).toEqual(verbs);
  });

  test('a failed send without a reply to send has no resend', () => {
    expect(ordersFor({ ...SITUATIONS['failed (send)'], reply: null })).toEqual(['rerun']);
  });
});

describe('an order', () => {
  const pairs = SITUATION_NAMES.flatMap((situation) => ORDER_VERBS.map((verb) => [verb, situation] as const));

  test.each(pairs)('%s is refused exactly where the machine would refuse it: %s', (verb, situation) => {
    const receipt: Receipt | null = SITUATIONS[situation];
    const given = order(verb, receipt);
    const event = eventOf[verb]?.({ id: given.id, verb, by: 'Owner' });
    const happens = event !== undefined && transition(receipt, event, REQUEST, AT).ok;

    expect(refusalOf(given, receipt)).toBe(happens ? null : 'not-now');
  });

  const offered = SITUATION_NAMES.flatMap((situation) => {
    const receipt: Receipt | null = SITUATIONS[situation];
    return receipt === null ? [] : ordersFor(receipt).map((verb) => [verb, situation, receipt] as const);
  });

  test.each(offered)('%s of %s has no second effect', (verb, _situation, before) => {
    const given = order(verb, before, { id: 'c77' });
    const event = eventOf[verb]?.({ id: given.id, verb, by: 'Owner' });
    const step = event === undefined ? null : transition(before, event, REQUEST, AT);
    const after = step?.ok === true ? step.receipt : null;

    expect(isCarriedOut(given, before)).toBe(false);
    expect(isCarriedOut(given, after)).toBe(true);
    expect(refusalOf({ ...given, id: 'c78' }, after)).toBe('moved-on');
    expect(isCarriedOut({ ...given, id: 'c78' }, after)).toBe(false);
  });

  test.each([
    ['the receipt that was seen', { run: 1, historyLength: 3 }, true],
    ['an earlier run', { run: 0, historyLength: 3 }, false],
    ['a shorter history', { run: 1, historyLength: 2 }, false],
    ['a longer history', { run: 1, historyLength: 4 }, false],
    ['no receipt in particular', { run: null, historyLength: null }, true],
  ])('that names %s is current: %j, %s', (_name, seen, current) => {
    expect(isCurrent(order('rerun', SITUATIONS.sent, seen), SITUATIONS.sent)).toBe(current);
  });

  test('given while the request had no receipt is not current once it has one', () => {
    expect(refusalOf(order('cancel', null), null)).toBeNull();
    expect(refusalOf(order('cancel', null), SITUATIONS.submitted)).toBe('moved-on');
  });

  test('about a request without receipt can only be to cancel', () => {
    const possible = ORDER_VERBS.filter((verb) => refusalOf(order(verb, null), null) === null);

    expect(possible).toEqual(['cancel']);
    expect(isCarriedOut(order('cancel', null), null)).toBe(false);
  });

  test('that needs the agent, or the line to Telegram for long, takes its turn', () => {
    expect(ORDER_VERBS.filter(takesItsTurn)).toEqual(['rerun', 'resend']);
  });

  test('is taken by its age, and at one instant by its id', () => {
    const given = [
      order('cancel', null, { id: 'c2', at: '2026-11-30T09:00:01.000Z' }),
      order('cancel', null, { id: 'c3' }),
      order('cancel', null, { id: 'c1' }),
    ];

    expect(given.sort(byAge).map(({ id }) => id)).toEqual(['c1', 'c3', 'c2']);
    expect(
      given
        .toReversed()
        .sort(byAge)
        .map(({ id }) => id),
    ).toEqual(['c1', 'c3', 'c2']);
  });

  test.each([
    ['an id of another cause', { id: 'z1' }],
    ['an id that is a path', { id: 'c/../../x' }],
    ['a request id that is a path', { requestId: '../41' }],
    ['an unknown verb', { verb: 'delete' }],
    ['no instant', { at: '' }],
    ['a negative run', { run: -1 }],
  ])('with %s is no order', (_name, fields) => {
    expect(orderSchema.safeParse(order('cancel', null)).success).toBe(true);
    expect(orderSchema.safeParse({ ...order('cancel', null), ...fields }).success).toBe(false);
  });
});

describe('the data of a button', () => {
  const arbitrary = fc.record({
    id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    run: fc.nat(999_999),
    length: fc.integer({ min: 1, max: 300 }),
  });
  const entry = { state: 'sent', at: AT } as const;
  const receiptOf = ({ id, run, length }: { id: number; run: number; length: number }): Receipt => ({
    ...SITUATIONS.sent,
    id: String(id),
    run,
    history: Array.from({ length }, () => entry),
  });

  test('comes back as it was, and fits into the 64 bytes of a button', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ORDER_VERBS), arbitrary, (verb, seen) => {
        const data = buttonData(verb, receiptOf(seen));
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
        expect(parseButtonData(data)).toEqual({
          verb,
          requestId: String(seen.id),
          run: seen.run,
          historyLength: seen.length,
        });
      }),
    );
  });

  test('fits for the largest numbers that are read back', () => {
    const data = 'order:dismiss:9999999999999999:999999:999999';

    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    expect(parseButtonData(data)).not.toBeNull();
  });

  test.each([
    '',
    'order',
    'order:cancel:41:1',
    'order:cancel:41:1:1:1',
    'order:cancel:41:1:1\n',
    ' order:cancel:41:1:1',
    'ORDER:cancel:41:1:1',
    'order:delete:41:1:1',
    'order:constructor:41:1:1',
    'order:cancel:041:1:1',
    'order:cancel:0:1:1',
    'order:cancel:-41:1:1',
    'order:cancel:../41:1:1',
    'order:cancel:41:1e2:1',
    'order:cancel:41:1:',
    'order:cancel:４１:1:1',
    'order:cancel:41:1:99999999999999999999',
  ])('that is rubbish is no order: %j', (data) => {
    expect(parseButtonData(data)).toBeNull();
  });

  test('of any other text is no order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (data) => {
        expect(parseButtonData(data)).toBeNull();
      }),
    );
  });
});
