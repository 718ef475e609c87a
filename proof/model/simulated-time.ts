/**
 * Time that passes only when the test lets it: half an hour of waiting takes as long as what happens in it.
 *
 * Installed once: `setTimeout`, `setInterval`, `performance.now` and `node:timers/promises` serve simulated processes from
 * here, and everybody else as ever.
 */
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { type SimulatedProcess, currentProcess } from './simulated-process.ts';

interface Timer {
  dueMs: number;
  order: number;
  owner: SimulatedProcess;
  everyMs: number | null;
  ring: () => void;
}

const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: performance.now.bind(performance),
  delay: timersPromises.setTimeout,
  immediately: timersPromises.setImmediate,
};

const EPOCH_MS = Date.parse('2026-11-30T09:00:00.000Z');

export class SimulatedTime {
  nowMs = 0;
  #count = 0;
  readonly #timers = new Set<Timer>();

  /** As `now` of the ports, ISO 8601. */
  iso(): string {
    return new Date(EPOCH_MS + Math.floor(this.nowMs)).toISOString();
  }

  /** As Telegram's `date`. */
  seconds(): number {
    return Math.floor((EPOCH_MS + this.nowMs) / 1000);
  }

  set(owner: SimulatedProcess, ring: () => void, ms: number, repeats: boolean): Timer {
    const waitMs = Math.max(ms, 0);
    const timer = {
      dueMs: this.nowMs + waitMs,
      order: (this.#count += 1),
      owner,
      everyMs: repeats ? waitMs : null,
      ring,
    };
    this.#timers.add(timer);
    return timer;
  }

  clear(timer: Timer): void {
    this.#timers.delete(timer);
  }

  /** Whatever a dead process still waited for. */
  forget(owner: SimulatedProcess): void {
    for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer);
  }

  /** Lets this much time pass, and all happen that happens in it; `isOver` ends it sooner. */
  async pass(ms: number, isOver: () => boolean = () => false): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await quiet();
      if (isOver()) return;
      const next = this.#next();
      if (next === undefined || next.dueMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      if (next.everyMs === null) this.#timers.delete(next);
      else next.dueMs += Math.max(next.everyMs, 1);
      next.owner.run(next.ring);
    }
    this.nowMs = untilMs;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (
        first === undefined ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  }
}

/** Resolves when no promise has anything left to do. */
async function quiet(): Promise<void> {
  await new Promise<void>((resolve) => real.setImmediate(resolve));
}

/** Which time each simulated process lives in. */
const timeOf = new WeakMap<SimulatedProcess, SimulatedTime>();

export function livesIn(process: SimulatedProcess, time: SimulatedTime): void {
  timeOf.set(process, time);
}

export function isIn(process: SimulatedProcess, time: SimulatedTime): boolean {
  return timeOf.get(process) === time;
}

function here(): { owner: SimulatedProcess; time: SimulatedTime } | null {
  const owner = currentProcess();
  const time = owner === undefined ? undefined : timeOf.get(owner);
  return owner === undefined || time === undefined ? null : { owner, time };
}

interface Handle {
  time: SimulatedTime;
  timer: Timer;
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'timer' in value && 'time' in value;
}

function arm(ring: (...args: unknown[]) => void, ms: number, args: unknown[], repeats: boolean): unknown {
  const place = here();
  if (place === null) return repeats ? real.setInterval(ring, ms, ...args) : real.setTimeout(ring, ms, ...args);
  if (place.owner.isDead) return { time: place.time, timer: null };
  return { time: place.time, timer: place.time.set(place.owner, () => ring(...args), ms, repeats) } satisfies Handle;
}

function disarm(handle: unknown): void {
  if (isHandle(handle)) handle.time.clear(handle.timer);
  else real.clearTimeout(handle as NodeJS.Timeout);
}

function delay<T>(ms?: number, value?: T, options: { signal?: AbortSignal } = {}): Promise<T> {
  const place = here();
  if (place === null) return real.delay(ms, value, options);
  const { owner, time } = place;
  // A dead process waits for ever.
  if (owner.isDead) return new Promise(() => undefined);
  return new Promise((resolve, reject) => {
    const { signal } = options;
    const abort = (): void => {
      time.clear(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const timer = time.set(
      owner,
      () => {
        signal?.removeEventListener('abort', abort);
        resolve(value as T);
      },
      ms ?? 0,
      false,
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

Object.assign(globalThis, {
  setTimeout: Object.assign(
    (ring: () => void, ms = 0, ...args: unknown[]) => arm(ring, ms, args, false),
    // util.promisify looks for it.
    { __promisify__: real.delay },
  ),
  setInterval: (ring: () => void, ms = 0, ...args: unknown[]) => arm(ring, ms, args, true),
  clearTimeout: disarm,
  clearInterval: disarm,
});
performance.now = () => here()?.time.nowMs ?? real.now();
Object.assign(timersPromises, {
  setTimeout: delay,
  setImmediate: <T>(value?: T) => (here() === null ? real.immediately(value as T) : delay(0, value)),
});
syncBuiltinESMExports();
