import type { Request } from '../../src/core/request.ts';
import type { RequestStore } from '../../src/spool/request-store.ts';

/** One request placed and durable, as a batch of one is. */
export async function accepted(store: RequestStore, request: Request): Promise<'created' | 'exists'> {
  const outcome = store.place(request);
  await store.syncNames();
  return outcome;
}
