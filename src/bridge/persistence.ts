/**
 * Owns: waiting for a disk that does not take what must be written.
 * Guarantees: a step that must not be lost is tried until it succeeds, every 5 s at most; the trouble is told once.
 * Fails: with anything that time does not mend, and with the last error once the process is to stop.
 */
import { BridgeError, errorCode, errorWords } from '../core/failure.ts';
import { isRefusedFor } from '../core/system-refusal.ts';
import { pause } from '../platform/clock.ts';

const LONGEST_WAIT_MS = 5_000;

/** What passes by itself, or by a person's hand: no room, no right, a failing disk, too many open files. */
export function isPassing(error: unknown): boolean {
  return (
    errorCode(error) === 'write-incomplete' ||
    isRefusedFor(error, 'room', 'handles', 'memory', 'processes', 'disk', 'access', 'permission', 'hitch')
  );
}

/** Whatever the system refused, as against a fault of our own code. A person may still mend it: a folder moved away, say. */
export function isOfTheSystem(error: unknown): boolean {
  return errorCode(error) === 'write-incomplete' || (error instanceof Error && 'syscall' in error && 'errno' in error);
}

/**
 * Before anything is promised: no room, no handle, or a file of the home whose content is held back just now. Rights are
 * refused, and so is a file system that does not keep what a home needs.
 */
export function isPassingAtStart(error: unknown): boolean {
  if (error instanceof BridgeError) return isRefusedFor(error.cause, 'room', 'handles', 'memory');
  return isRefusedFor(error, 'room', 'handles', 'memory', 'hitch');
}

/**
 * @param onTrouble called with words at the first failure, and with null once it is over
 */
export async function untilStored<T>(
  step: () => T | Promise<T>,
  signal: AbortSignal,
  onTrouble: (words: string | null) => void,
  isWorthWaiting: (error: unknown) => boolean = isPassing,
): Promise<T> {
  let waitMs = 100;
  let troubled = false;
  for (;;) {
    try {
      const result = await step();
      if (troubled) onTrouble(null);
      return result;
    } catch (error) {
      if (!isWorthWaiting(error) || signal.aborted) {
        if (troubled && !signal.aborted) onTrouble(null);
        throw error;
      }
      if (!troubled) onTrouble(errorWords(error));
      troubled = true;
      await pause(waitMs, signal);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }
}
