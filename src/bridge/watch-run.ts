/**
 * Owns: the time that a run may take, and "typing…" while it does.
 * Guarantees: a run outlives neither its time, as far as the machine is awake, nor, by more than 10 s, the wish to stop.
 * Fails: as the run does.
 */
import type { HeldRun, RunOutcome, Sender } from '../core/ports.ts';
import { pause, wakingPause } from '../platform/clock.ts';

/** A run that ends at once needs none. */
const TYPING_AFTER_MS = 200;
const TYPING_EVERY_MS = 4_500;
const ACTIVITY_EVERY_MS = 1_000;
/** How long a run may still take once the process is to stop (contract §8). */
const SHUTDOWN_PATIENCE_MS = 10_000;

export interface WatchPorts {
  sender: Sender;
  chatId: number;
  threadId: number | null;
  /** Of waking time. */
  timeoutMs: number;
  /** Told of what the agent does, now and then; null at the end. */
  onActivity: (words: string | null) => void;
  /** Aborted when the process is to stop. */
  signal: AbortSignal;
}

/** Lets the run go and waits for its end. */
export async function watchRun(run: HeldRun, ports: WatchPorts): Promise<RunOutcome> {
  const { timeoutMs, signal, onActivity } = ports;
  const ended = new AbortController();
  const shutdown = (): void => {
    const timer = setTimeout(() => run.stop('shutdown'), SHUTDOWN_PATIENCE_MS);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
  };
  run.letGo();
  const looks = setInterval(() => onActivity(run.activity()), ACTIVITY_EVERY_MS);
  signal.addEventListener('abort', shutdown, { once: true });
  if (signal.aborted) shutdown();
  void showTyping(ports, ended.signal);
  void limit(run, timeoutMs, ended.signal);
  try {
    return await run.finished;
  } finally {
    clearInterval(looks);
    onActivity(null);
    signal.removeEventListener('abort', shutdown);
    ended.abort();
  }
}

/** An agent that slept with the machine has not worked meanwhile. */
async function limit(run: HeldRun, timeoutMs: number, ended: AbortSignal): Promise<void> {
  await wakingPause(timeoutMs, ended);
  if (!ended.aborted) run.stop('timeout');
}

/** Best effort: nothing that Telegram says to it changes the run. */
async function showTyping({ sender, chatId, threadId }: WatchPorts, ended: AbortSignal): Promise<void> {
  await pause(TYPING_AFTER_MS, ended);
  while (!ended.aborted) {
    const outcome = await sender.showTyping(chatId, threadId);
    if (outcome.kind === 'refused') return;
    const toldMs = outcome.kind === 'not-arrived' ? (outcome.retryAfterMs ?? 0) : 0;
    await pause(Math.max(TYPING_EVERY_MS, toldMs), ended);
  }
}
