/**
 * Owns: one look at the names of everything that a home has kept, beside the work, after each start.
 * Guarantees: a request with neither receipt nor pending name (a restore, a file put there by hand) gets its name; what a
 *   restore or a hand has taken away of the latest receipts is made good. Reads names only, but for those latest.
 * Fails: with the disk's error; all of it may be repeated.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { LatestIds, MessageIdSet } from '../core/message-ids.ts';
import { isSettled } from '../core/receipt.ts';
import { byId } from '../core/request.ts';
import { type RecoveryPorts, makeLinksGood, readableReceipt } from './recovery.ts';

/** How many of the latest receipts are looked over, whether pending or not. */
const LOOKED_AT = 500;

export interface SurveyPorts extends RecoveryPorts {
  signal: AbortSignal;
  /** Told of the ids with the latest receipts, the latest first. */
  onLatest: (ids: string[]) => void;
}

/** Ends early at the signal; the next start looks again. */
export async function survey(ports: SurveyPorts): Promise<void> {
  const { requests, receipts, links, signal, log, onLatest } = ports;
  const latest = new LatestIds(LOOKED_AT);
  const withReceipt = new MessageIdSet();
  // Links were never lost one by one: where a single one stands, only the latest receipts are read.
  const isWithoutLinks = links.isEmpty();
  for await (const ids of receipts.slicesOfIds()) {
    if (signal.aborted) return;
    for (const id of ids) {
      withReceipt.add(id);
      latest.add(id);
    }
    if (isWithoutLinks) for (const id of ids) lookOver(id, ports);
  }
  onLatest(latest.list());
  for (const id of isWithoutLinks ? [] : latest.list()) {
    lookOver(id, ports);
    await turn();
  }
  const found: string[] = [];
  for await (const ids of requests.slicesOfIds()) {
    if (signal.aborted) return;
    found.push(...ids.filter((id) => !withReceipt.has(id)));
  }
  // Most of them are pending, and a few may have been claimed since.
  const pending = new Set(requests.pendingIds());
  const unlisted = found.filter((id) => !pending.has(id) && receipts.isAbsent(id)).sort(byId);
  for (const id of unlisted) requests.ensurePending(id);
  if (unlisted.length > 0)
    log.info({ requests: unlisted.slice(0, 20), count: unlisted.length }, 'unlisted requests found');
}

function lookOver(id: string, ports: RecoveryPorts): void {
  const receipt = readableReceipt(id, ports);
  if (receipt === null || !isSettled(receipt)) ports.requests.ensurePending(id);
  if (receipt !== null) makeLinksGood(receipt, ports);
}
