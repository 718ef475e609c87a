/**
 * Owns: what a consumer does before it takes up anything new.
 * Guarantees: what a dead consumer left running is ended first; nothing is run or sent; indexes are made good.
 * Fails: with the disk's error, or `internal` where a process will not end.
 */
import { errorWords } from '../core/failure.ts';
import { isRefusedFor } from '../core/system-refusal.ts';
import type { Log } from '../platform/log.ts';
import { endGroup } from '../platform/process-group.ts';
import type { Receipt } from '../core/receipt.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { LinkStore } from '../state/link-store.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';

const GRACE_MS = 5_000;

export interface RecoveryPorts {
  requests: RequestStore;
  receipts: ReceiptStore;
  links: LinkStore;
  log: Log;
}

/** Ends what is left of each run whose receipt still says `submitted`, and nobody has been told of. */
export async function endLeftoverRuns(ports: RecoveryPorts): Promise<void> {
  for (const id of ports.requests.pendingIds()) {
    const receipt = readableReceipt(id, ports);
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

/** What a restore, or a hand, may have taken away of the receipts that are open: their links. */
export function makeOpenLinksGood(ports: RecoveryPorts): void {
  for (const id of ports.requests.pendingIds()) {
    const receipt = readableReceipt(id, ports);
    if (receipt !== null) makeLinksGood(receipt, ports);
  }
}

/** Links are written before the receipt tells of the message. */
export function makeLinksGood(receipt: Receipt, { links }: RecoveryPorts): void {
  const replies = [receipt.reply, ...receipt.previous.map((former) => former.reply)];
  const sent = replies.flatMap((reply) => reply?.parts.flatMap((part) => part.messageIds) ?? []);
  const noticed = receipt.notice?.messageId ?? null;
  for (const messageId of noticed === null ? sent : [...sent, noticed]) {
    if (hasLink(messageId, links)) continue;
    links.write(messageId, { requestId: receipt.id, conversation: receipt.conversation });
  }
}

function hasLink(messageId: number, links: LinkStore): boolean {
  try {
    return links.read(messageId) !== null;
  } catch (error) {
    // There, and held back just now: no reason for all others to wait.
    if (isRefusedFor(error, 'hitch')) return true;
    throw error;
  }
}

export function readableReceipt(id: string, ports: RecoveryPorts): Receipt | null {
  try {
    const stored = ports.receipts.read(id);
    return stored.kind === 'receipt' ? stored.receipt : null;
  } catch {
    // Named when the request itself is looked at.
    return null;
  }
}
