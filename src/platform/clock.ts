/** Time as the shell reads it; the core gets it as an argument. */
import { setTimeout as delay } from 'node:timers/promises';

/** ISO 8601, UTC. For people; no decision rests on it. */
export function nowIso(): string {
  return new Date().toISOString();
}

/** Milliseconds on a clock that nobody sets. */
export function monotonicMs(): number {
  return performance.now();
}

/** What waits for time to pass takes its time from here. */
export interface Clock {
  nowMs(): number;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Resolves after `ms`, or at once when the signal comes. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

export const systemClock: Clock = { nowMs: monotonicMs, pause };

/**
 * Counts waking time: of a wait that took much longer than planned the machine (or this process) slept, and sleep does not
 * count.
 */
export class WakingTime {
  readonly #clock: Clock;
  #spentMs = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /** @param plannedMs what the wait was to take at most */
  async during<T>(plannedMs: number, wait: () => Promise<T>): Promise<T> {
    const begun = this.#clock.nowMs();
    try {
      return await wait();
    } finally {
      this.#spentMs += Math.max(0, Math.min(this.#clock.nowMs() - begun, plannedMs + 1_000));
    }
  }
}

/** How long a wait may be planned, so that sleep is seen. */
const SLICE_MS = 5_000;

/**
 * Resolves after so much waking time, or at once when the signal comes: what a machine slept through (macOS counts that in its
 * timers) nobody could do anything with, neither an agent nor a person who is to answer.
 */
export async function wakingPause(ms: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  const waking = new WakingTime(clock);
  while (waking.spentMs < ms && !signal.aborted) {
    const slice = Math.min(SLICE_MS, ms - waking.spentMs);
    await waking.during(slice, () => clock.pause(slice, signal));
  }
}

/** A condition that others may ring; who waits is woken at the next ring, or at once if one came since the last wait. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at a ring, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
