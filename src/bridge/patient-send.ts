/**
 * Owns: repeating one send while it is known not to have arrived, and sending once more what was refused for one detail.
 * Guarantees: an accepted or doubtful send is never repeated, and none comes before the time that Telegram told.
 * Fails: by its outcome.
 */
import type { Destination, SendOutcome } from '../core/ports.ts';
import { type Degradation, degradationFor } from '../core/refusal.ts';
import { type Clock, WakingTime, systemClock } from '../platform/clock.ts';

/** Waking time for which one part is tried (contract §5). */
export const PATIENCE_MS = 15 * 60_000;

const LONGEST_WAIT_MS = 30_000;
const SLICE_MS = 5_000;

/** One call with what is still asked of it; fewer wishes after a refusal. */
export type Attempt = (to: Destination, without: ReadonlySet<Degradation>) => Promise<SendOutcome>;

export async function sendPatiently(
  attempt: Attempt,
  to: Destination,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<SendOutcome> {
  const waking = new WakingTime(clock);
  const without = new Set<Degradation>();
  let waitMs = 1_000;
  for (;;) {
    // An attempt counts as what it took, but a machine that slept in the middle of it is not charged for that.
    const outcome = await waking.during(30_000, () => attempt(reduced(to, without), without));
    if (outcome.kind === 'refused') {
      const degradation = degradationFor(outcome.code, outcome.description);
      if (degradation === null || without.has(degradation)) return outcome;
      without.add(degradation);
      continue;
    }
    if (outcome.kind !== 'not-arrived') return outcome;
    const isOver = await waitFor(outcome.retryAfterMs ?? waitMs, { waking, signal, clock });
    if (!isOver) return outcome;
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

/** The same words over the same message: to repeat that does no harm, so what may have arrived is tried again as well. */
export async function editPatiently(
  attempt: () => Promise<SendOutcome>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<SendOutcome> {
  const nowhere = { chatId: 0, replyTo: null, threadId: null };
  const edit = async (): Promise<SendOutcome> => {
    const outcome = await attempt();
    return outcome.kind === 'unknown' ? { kind: 'not-arrived', reason: outcome.reason, retryAfterMs: null } : outcome;
  };
  return sendPatiently(edit, nowhere, signal, clock);
}

function reduced(to: Destination, without: ReadonlySet<Degradation>): Destination {
  return {
    ...to,
    replyTo: without.has('quote') ? null : to.replyTo,
    threadId: without.has('topic') ? null : to.threadId,
  };
}

interface Wait {
  waking: WakingTime;
  signal: AbortSignal;
  clock: Clock;
}

/**
 * In slices, so that sleep is seen: after a wake the told time has usually passed, and the next attempt comes at once.
 * False where the patience ended before the wait did.
 */
async function waitFor(ms: number, { waking, signal, clock }: Wait): Promise<boolean> {
  const until = clock.nowMs() + ms;
  for (;;) {
    const left = until - clock.nowMs();
    if (left <= 0) return !signal.aborted;
    if (signal.aborted || waking.spentMs >= PATIENCE_MS) return false;
    const slice = Math.min(left, SLICE_MS, PATIENCE_MS - waking.spentMs);
    await waking.during(slice, () => clock.pause(slice, signal));
  }
}
