/** Which session of the agent a run belongs to, and which turn of it this is. Pure. */
import type { Receipt } from './receipt.ts';

/**
 * @param latest the conversation's receipts in the order of their latest claims, the latest last
 * @param fresh true where a former session must not be used again
 * @param newSession taken where the conversation has none yet
 */
export function nextTurn(
  latest: readonly Receipt[],
  fresh: boolean,
  newSession: string,
): { session: string; turn: number } {
  const session = latest.findLast((receipt) => receipt.session !== null)?.session ?? null;
  if (fresh || session === null) return { session: newSession, turn: 1 };
  const unique = new Map(latest.map((receipt) => [receipt.id, receipt]));
  const runs = [...unique.values()].flatMap((receipt) => [
    receipt.session,
    ...receipt.previous.map((former) => former.session),
  ]);
  return { session, turn: runs.filter((one) => one === session).length + 1 };
}
