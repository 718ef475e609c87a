/**
 * Owns: what a consumer does before it takes up anything new.
 * Guarantees: what a dead consumer left running is ended first; nothing is run or sent; indexes are made good.
 * Fails: with the disk's error, or `internal` where a process will not end.
 */
import { errorWords } from '../core/failure.ts';
import type { Log } from '../platform/log.ts';
import { endGroup } from '../platform/process-group.ts';
import { type Receipt, isSettled } from '../core/receipt.ts';
import { byId } from '../core/request.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { LinkStore } from '../state/link-store.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';

const GRACE_MS = 5_000;
/** How many of the latest receipts are looked over at start, whether pending or not. */
const LOOKED_AT = 500;

export interface RecoveryPorts {
  requests: RequestStore;
  receipts: ReceiptStore;
  links: LinkStore;
  log: Log;
}

/** Ends what is left of each run whose receipt still says `submitted`, and nobody has been told of. */
export async function endLeftoverRuns(ports: RecoveryPorts): Promise<void> {
  for (const id of ports.requests.pendingIds()) {
    const receipt = readable(id, ports);
    if (receipt === null) continue;
    await endLeftoverRun(receipt, ports.log).catch((error: unknown) => {
      // It is tried again when the request itself is looked at; the others must not wait for it.
      ports.log.error({ request: id, cause: errorWords(error) }, 'leftover run does not end');
    });
  }
}

export async function endLeftoverRun(receipt: Receipt, log: Log): Promise<void> {
  if (receipt.state !== 'submitted' || receipt.agent === null || receipt.attention !== null) return;
  const { pid, bootId, startTime = 'unknown' } = receipt.agent;
  const result = await endGroup({ pid, bootId, startTime }, { graceMs: GRACE_MS });
  log.info({ request: receipt.id, pid, result }, 'leftover run looked after');
}

/** A request with neither receipt nor pending name (a restore, a file put there by hand) gets its name. Reads names only. */
export function findUnlisted(ports: RecoveryPorts): { found: string[]; receiptIds: Float64Array } {
  const receiptIds = Float64Array.from(numbers(ports.receipts.ids())).sort();
  const pending = new Set(ports.requests.pendingIds());
  const found: string[] = [];
  for (const id of ports.requests.requestIds()) {
    if (!pending.has(id) && !includes(receiptIds, Number(id))) found.push(id);
  }
  found.sort(byId);
  for (const id of found) ports.requests.ensurePending(id);
  if (found.length > 0)
    ports.log.info({ requests: found.slice(0, 20), count: found.length }, 'unlisted requests found');
  return { found, receiptIds };
}

/**
 * What a restore, or a hand, may have taken away is made good: the pending name of what is not settled, and links. Of the
 * older receipts only where no link stands at all, since then the whole folder is lost.
 */
export function lookOver(ports: RecoveryPorts, receiptIds: Float64Array): void {
  const latest = [...(ports.links.isEmpty() ? receiptIds : receiptIds.subarray(-LOOKED_AT))].map(String);
  for (const id of new Set([...ports.requests.pendingIds(), ...latest])) {
    const receipt = readable(id, ports);
    if (receipt === null || !isSettled(receipt)) ports.requests.ensurePending(id);
    if (receipt !== null) makeLinksGood(receipt, ports);
  }
}

/** Links are written before the receipt tells of the message. */
function makeLinksGood(receipt: Receipt, { links }: RecoveryPorts): void {
  const replies = [receipt.reply, ...receipt.previous.map((former) => former.reply)];
  const sent = replies.flatMap((reply) => reply?.parts.flatMap((part) => part.messageIds) ?? []);
  const noticed = receipt.notice?.messageId ?? null;
  for (const messageId of noticed === null ? sent : [...sent, noticed]) {
    if (links.read(messageId) !== null) continue;
    links.write(messageId, { requestId: receipt.id, conversation: receipt.conversation });
  }
}

function readable(id: string, ports: RecoveryPorts): Receipt | null {
  try {
    const stored = ports.receipts.read(id);
    return stored.kind === 'receipt' ? stored.receipt : null;
  } catch {
    // Named when the request itself is looked at.
    return null;
  }
}

function* numbers(ids: Iterable<string>): Generator<number> {
  for (const id of ids) yield Number(id);
}

function includes(sorted: Float64Array, wanted: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
