/** How long one part is tried, and what is asked of it after a refusal; on a clock that the test sets. */
import { expect, test } from 'vitest';
import { PATIENCE_MS, sendPatiently } from '../../src/bridge/patient-send.ts';
import type { Destination, SendOutcome } from '../../src/core/ports.ts';
import type { Clock } from '../../src/platform/clock.ts';

const TO: Destination = { chatId: 1, replyTo: 41, threadId: 5 };
const notArrived = (retryAfterMs: number | null = null): SendOutcome => ({
  kind: 'not-arrived',
  reason: 'ECONNREFUSED',
  retryAfterMs,
});
const refused = (description: string, code = 400): SendOutcome => ({ kind: 'refused', code, description });
const accepted: SendOutcome = { kind: 'accepted', messageIds: [42] };

/** `sleeps`: after how much waking time the machine sleeps, and for how long. */
function testClock(sleeps: { afterMs: number; forMs: number }[] = []): Clock & { wakeMs: number } {
  const clock = {
    now: 0,
    wakeMs: 0,
    nowMs: () => clock.now,
    pause: (ms: number) => {
      clock.now += ms;
      clock.wakeMs += ms;
      const sleep = sleeps[0];
      if (sleep !== undefined && clock.wakeMs >= sleep.afterMs) {
        clock.now += sleep.forMs;
        sleeps.shift();
      }
      return Promise.resolve();
    },
  };
  return clock;
}

async function patiently(
  outcomes: SendOutcome[],
  clock = testClock(),
): Promise<{ outcome: SendOutcome; at: number[]; calls: object[] }> {
  const at: number[] = [];
  const calls: object[] = [];
  const attempt = (to: Destination, without: ReadonlySet<string>): Promise<SendOutcome> => {
    at.push(clock.nowMs());
    calls.push({ replyTo: to.replyTo, threadId: to.threadId, without: [...without] });
    return Promise.resolve(outcomes.length > 1 ? (outcomes.shift() as SendOutcome) : (outcomes[0] as SendOutcome));
  };
  const outcome = await sendPatiently(attempt, TO, new AbortController().signal, clock);
  return { outcome, at, calls };
}

test('what does not arrive is tried for 15 minutes of waking time, the pauses growing to half a minute', async () => {
  const clock = testClock();
  const { outcome, at } = await patiently([notArrived()], clock);

  expect(outcome.kind).toBe('not-arrived');
  expect(clock.wakeMs).toBe(PATIENCE_MS);
  expect(at.slice(0, 7)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000]);
});

test('the time that Telegram tells is waited for, and never undercut', async () => {
  expect((await patiently([notArrived(35_000), accepted])).at).toEqual([0, 35_000]);
  expect((await patiently([notArrived(3_600_000), accepted])).at).toEqual([0]);
});

test('sleep does not count, and after each wake there is another try', async () => {
  const hour = 3_600_000;
  const clock = testClock([
    { afterMs: 10_000, forMs: hour },
    { afterMs: PATIENCE_MS - 60_000, forMs: hour },
  ]);
  const { at } = await patiently([notArrived()], clock);

  expect(clock.wakeMs).toBeGreaterThan(PATIENCE_MS - 10_000);
  expect(at.filter((ms) => ms >= hour && ms < hour + 60_000).length).toBeGreaterThan(1);
  expect(at.filter((ms) => ms > 2 * hour).length).toBeGreaterThan(1);
});

test('a told time that passes during sleep is over at the wake', async () => {
  const { outcome } = await patiently(
    [notArrived(3_600_000), accepted],
    testClock([{ afterMs: 60_000, forMs: 3_600_000 }]),
  );

  expect(outcome).toEqual(accepted);
});

test.each<[refusal: string, without: string, call: object]>([
  ["Bad Request: can't parse entities", 'formatting', { replyTo: 41, threadId: 5 }],
  ['Bad Request: message to be replied not found', 'quote', { replyTo: null, threadId: 5 }],
  ['Bad Request: message thread not found', 'topic', { replyTo: 41, threadId: null }],
])('%s costs the part its %s, once', async (refusal, without, call) => {
  expect((await patiently([refused(refusal), accepted])).calls[1]).toEqual({ ...call, without: [without] });
  const again = await patiently([refused(refusal)]);
  expect(again.outcome.kind).toBe('refused');
  expect(again.calls).toHaveLength(2);
});

test.each(['Bad Request: TOPIC_CLOSED', 'Bad Request: chat not found', 'Bad Request: message is too long'])(
  '%s is final at once',
  async (refusal) => {
    expect((await patiently([refused(refusal)])).calls).toHaveLength(1);
  },
);

test.each([accepted, { kind: 'unknown', reason: 'reset' } as const])('$kind is never repeated', async (outcome) => {
  expect((await patiently([outcome])).calls).toHaveLength(1);
});
