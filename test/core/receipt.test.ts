import { expect, test } from 'vitest';
import {
  type Receipt,
  inconsistency,
  isNoticeOwed,
  isRecorded,
  isSettled,
  receiptSchema,
} from '../../src/core/receipt.ts';
import { SITUATIONS, SITUATION_NAMES } from './receipts.ts';

const withNotice = (receipt: Receipt, state: 'waiting' | 'sending' | 'sent' | 'unknown'): Receipt => ({
  ...receipt,
  notice: { for: 'rejected', state, messageId: null },
});

test('settled are a sent request and one that a person closed; nothing that is open or owes a word', () => {
  const settled = SITUATION_NAMES.filter((name) => name !== 'none' && isSettled(SITUATIONS[name]));

  expect(settled).toEqual(['sent', 'failed (agent)', 'failed (send)', 'failed (cancelled)']);
});

test.each([
  ['waiting', true],
  ['sending', true],
  ['sent', false],
  ['unknown', false],
] as const)('a notice that is %s is owed: %s', (state, isOwed) => {
  expect(isNoticeOwed(withNotice(SITUATIONS.rejected, state))).toBe(isOwed);
  expect(isSettled(withNotice(SITUATIONS.rejected, state))).toBe(!isOwed);
});

test('only a receipt that is sending, with its reply in it, can be sent from', () => {
  const recorded = SITUATION_NAMES.filter((name) => name !== 'none' && isRecorded(SITUATIONS[name]));

  expect(recorded).toEqual(['sending', 'sending + unknown-delivery']);
  expect(isRecorded({ ...SITUATIONS.sending, reply: null })).toBe(false);
});

test('every receipt that the machine makes is consistent', () => {
  for (const name of SITUATION_NAMES) if (name !== 'none') expect(inconsistency(SITUATIONS[name])).toBeNull();
});

test.each([
  ['state "sending" without a reply', { ...SITUATIONS.sending, reply: null }],
  ['state "submitted" without an agent', { ...SITUATIONS.submitted, agent: null }],
  ['state "failed" without an error', { ...SITUATIONS['failed (agent)'], error: null }],
  ['state "rejected" without an error', { ...SITUATIONS.rejected, error: null }],
  [
    'attention "unknown-delivery" in state "submitted"',
    { ...SITUATIONS.submitted, attention: 'unknown-delivery' as const },
  ],
  ['attention "interrupted-run" in state "sending"', { ...SITUATIONS.sending, attention: 'interrupted-run' as const }],
  ['attention "failed" in state "sent"', { ...SITUATIONS.sent, attention: 'failed' as const }],
  ['attention "failed" in state "rejected"', { ...SITUATIONS.rejected, attention: 'failed' as const }],
])('a receipt with %s makes no sense', (words, receipt) => {
  expect(inconsistency(receipt)).toBe(words);
});

test.each([
  ['an unknown state', { state: 'sentt' }],
  ['no history', { history: [] }],
  ['a reply without parts', { reply: { markdown: 'x', parts: [] } }],
  [
    'a part of an unknown kind',
    { reply: { markdown: 'x', parts: [{ kind: 'video', state: 'sent', messageIds: [], at: null }] } },
  ],
  ['a negative run', { run: -1 }],
  ['an instant that is none', { history: [{ state: 'sent', at: 'yesterday' }] }],
  ['another version', { version: 2 }],
])('a receipt with %s is no receipt', (_name, fields) => {
  expect(receiptSchema.safeParse({ ...SITUATIONS.sent, ...fields }).success).toBe(false);
});
