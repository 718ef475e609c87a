/** Aborting for a reason of one's own, or with somebody else's signal. */
import { setMaxListeners } from 'node:events';

export interface LinkedAbort {
  signal: AbortSignal;
  abort: () => void;
  /** For what is over before its outer signals are: they keep nothing of it. */
  unlink: () => void;
}

/**
 * Aborted with any of the outer signals, also with one that was aborted before. Not `AbortSignal.any`: what that makes of an
 * `AbortSignal.timeout` is collected as garbage in Node 20, and then never aborts.
 */
export function linkedAbort(...outer: readonly AbortSignal[]): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  withoutLimit(controller.signal);
  for (const signal of outer) {
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  }
  const unlink = (): void => {
    for (const signal of outer) signal.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, abort, unlink };
}

/** A hundred replies may wait at once; from the eleventh on Node would print a warning, of a leak, into the log. */
export function withoutLimit(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}
