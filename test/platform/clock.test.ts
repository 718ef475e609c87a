import { describe, expect, test, vi } from 'vitest';
import { Bell, type Clock, WakingTime, monotonicMs, nowIso, pause, wakingPause } from '../../src/platform/clock.ts';

test('now is told in UTC, to the millisecond', () => {
  expect(nowIso()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
});

test('a pause ends at once when its signal comes, or has come', async () => {
  const controller = new AbortController();
  const begun = monotonicMs();
  const waiting = pause(60_000, controller.signal);
  controller.abort();

  await waiting;
  await pause(60_000, controller.signal);

  expect(monotonicMs() - begun).toBeLessThan(10_000);
});

describe('a bell', () => {
  test('wakes who waits', async () => {
    const bell = new Bell();
    const waiting = bell.wait(60_000);

    bell.ring();

    await expect(waiting).resolves.toBeUndefined();
  });

  test('that rang before, once or often, wakes the next who waits, and only that one', async () => {
    vi.useFakeTimers();
    try {
      const bell = new Bell();
      bell.ring();
      bell.ring();
      await bell.wait(60_000);
      const woken = vi.fn<() => void>();
      void bell.wait(60_000).then(woken);

      await vi.advanceTimersByTimeAsync(59_999);
      expect(woken).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(woken).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('waking time', () => {
  test.for([
    { what: 'a wait that took as long as planned', tookMs: 5_000, countedMs: 5_000 },
    { what: 'a wait that ended early', tookMs: 200, countedMs: 200 },
    { what: 'a wait in which the machine slept', tookMs: 8 * 3600_000, countedMs: 6_000 },
  ])('$what counts $countedMs ms', async ({ tookMs, countedMs }) => {
    const clock = vi.spyOn(performance, 'now');
    const time = new WakingTime();
    clock.mockReturnValueOnce(1_000).mockReturnValueOnce(1_000 + tookMs);

    const value = await time.during(5_000, async () => 'result');

    expect({ value, spent: time.spentMs }).toEqual({ value: 'result', spent: countedMs });
    clock.mockRestore();
  });

  test('adds up, also over waits that failed', async () => {
    const clock = vi.spyOn(performance, 'now');
    const time = new WakingTime();
    clock.mockReturnValueOnce(0).mockReturnValueOnce(10).mockReturnValueOnce(20).mockReturnValueOnce(50);

    await expect(time.during(100, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await time.during(100, async () => undefined);

    expect(time.spentMs).toBe(40);
    clock.mockRestore();
  });
});

describe('a pause of waking time', () => {
  /** A clock on which each wait takes what the machine makes of it. */
  const clockOf = (took: (plannedMs: number, nth: number) => number): { clock: Clock; waits: number[] } => {
    let nowMs = 0;
    const waits: number[] = [];
    const waited = async (ms: number): Promise<void> => {
      waits.push(ms);
      nowMs += took(ms, waits.length);
    };
    return { clock: { nowMs: () => nowMs, pause: waited }, waits };
  };
  const never = new AbortController().signal;

  test('takes its time where the machine is awake', async () => {
    const { clock, waits } = clockOf((ms) => ms);
    await wakingPause(12_000, never, clock);
    expect(waits).toEqual([5_000, 5_000, 2_000]);
  });

  test('goes on for what is left after a night of sleep', async () => {
    const { clock, waits } = clockOf((ms, nth) => (nth === 2 ? 8 * 3600_000 : ms));
    await wakingPause(60_000, never, clock);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(55_000);
  });

  test('ends at once when its signal comes', async () => {
    const { clock, waits } = clockOf((ms) => ms);
    await wakingPause(60_000, AbortSignal.abort(), clock);
    expect(waits).toEqual([]);
  });
});
