import type { Request } from '../../src/core/request.ts';
import type { RequestStore } from '../../src/spool/request-store.ts';

/** One request placed and durable, as a batch of one is. */
export function accepted(store: RequestStore, request: Request): 'created' | 'exists' {
  const outcome = store.place(request);
  store.syncNames();
  return outcome;
}
