/** What is drawn: stretches of time, days, lengths of runs. */
import { expect, test } from 'vitest';
import { stretchesOf } from '../../src/web/phases.ts';
import type { RowFacts } from '../../src/web/receipt-index.ts';
import { CLASS_ENDS_MS, DAYS_SHOWN, statisticsOf } from '../../src/web/statistics.ts';
import { type Story, agentTime } from '../../src/web/story.ts';
import { SITUATIONS } from '../core/receipts.ts';

const T = Date.parse('2026-11-30T09:00:00.000Z');
const iso = (seconds: number): string => new Date(T + seconds * 1000).toISOString();

function story(receipt: Story['receipt']): Story {
  const request = { receivedAt: iso(0) } as Story['request'];
  return { id: '41', request, requestFault: null, receipt, receiptFault: null, state: 'sent', needsPerson: false };
}

function told(one: Story, now: number): string[] {
  return stretchesOf(one, T + now * 1000).map(
    ({ phase, fromMs, toMs, isOpen }) => `${phase} ${(fromMs - T) / 1000}-${(toMs - T) / 1000}${isOpen ? '…' : ''}`,
  );
}

test('a request without a receipt waits, until now', () => {
  expect(told(story(null), 30)).toEqual(['waiting 0-30…']);
});

test('each stretch is what the time was spent on, and one that is not over reaches to now', () => {
  const order = { id: 'c1', verb: 'rerun' as const, by: 'Owner' };
  const history = [
    { state: 'submitted' as const, at: iso(2) },
    { state: 'failed' as const, at: iso(62), code: 'agent-exit' },
    { state: 'submitted' as const, at: iso(600), order },
    { state: 'sending' as const, at: iso(640) },
  ];

  expect(told(story({ ...SITUATIONS.sending, history }), 650)).toEqual([
    'waiting 0-2',
    'agent 2-62',
    'person 62-600',
    'agent 600-640',
    'sending 640-650…',
  ]);
  expect(told(story({ ...SITUATIONS['sending + unknown-delivery'], history }), 650).at(-1)).toBe('person 640-650…');
});

test('a clock that was set back draws nothing backwards', () => {
  const history = [
    { state: 'submitted' as const, at: iso(-5) },
    { state: 'sent' as const, at: iso(-9) },
  ];

  expect(told(story({ ...SITUATIONS.sent, history }), 10)).toEqual(['waiting 0-0', 'agent -5--5']);
});

test('the agent’s time is that of the latest run that came to an end by itself', () => {
  const rerun = { id: 'c1', verb: 'rerun' as const, by: 'Owner' };
  const times = (...history: [state: 'submitted' | 'sending' | 'failed', at: number, isOrdered?: boolean][]): number =>
    agentTime({
      ...SITUATIONS.sent,
      history: history.map(([state, at, isOrdered]) => ({
        state,
        at: iso(at),
        ...(isOrdered === true ? { order: rerun } : {}),
      })),
    });

  expect(times(['submitted', 0], ['sending', 7])).toBe(7_000);
  expect(times(['submitted', 0], ['failed', 7], ['submitted', 100, true], ['sending', 103])).toBe(3_000);
  expect(times(['submitted', 0], ['failed', 500, true])).toBeNaN();
  expect(times(['submitted', 0])).toBeNaN();
});

test('days, outcomes and classes are counted, each request once', () => {
  const now = new Date(2026, 10, 30, 12);
  const day = 24 * 3600 * 1000;
  const rows: RowFacts[] = [
    ['sent', 0, 9_000],
    ['sent', 0, 10_000],
    ['failed', 1, 10_001],
    ['rejected', 1, Number.NaN],
    ['waiting', 0, Number.NaN],
    ['sent', 29, 9_999_999],
    ['sent', 300, 60_000],
    ['unreadable', Number.NaN, Number.NaN],
  ].map(([state, daysAgo, agentMs], index) => ({
    id: index + 1,
    conversation: index + 1,
    state: state as RowFacts['state'],
    needsPerson: false,
    acceptedMs: now.getTime() - Number(daysAgo) * day,
    agentMs: Number(agentMs),
  }));

  const { days, classes, ...all } = statisticsOf(rows, now);

  expect(all).toMatchObject({ total: 8, lastWeek: 5, sent: 4, failed: 2 });
  expect(all.agentMs).toEqual({ count: 5, median: 10_001, slow: 9_999_999 });
  expect(days).toHaveLength(DAYS_SHOWN);
  expect(days.at(-1)).toMatchObject({ sent: 2, failed: 0, open: 1, agentMs: { count: 2, median: 9_000 } });
  expect(days.at(-2)).toMatchObject({ sent: 0, failed: 2, open: 0 });
  expect(days[0]).toMatchObject({ sent: 1 });
  expect(classes[0]).toBe(2);
  expect(classes[CLASS_ENDS_MS.length]).toBe(1);
  expect(classes.reduce((sum, count) => sum + count, 0)).toBe(5);
});
