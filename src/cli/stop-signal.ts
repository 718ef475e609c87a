import { withoutLimit } from '../platform/linked-abort.ts';

/**
 * SIGTERM, SIGINT and SIGHUP ask the process to stop; each is taken once for all parts of it. Called before anything else
 * of a service is done, so that an early signal is not lost.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  withoutLimit(controller.signal);
  const stop = (): void => controller.abort();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, stop);
  return controller.signal;
}
