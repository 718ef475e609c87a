/**
 * Owns: nothing; reads one request's two files.
 * Guarantees: never throws for what it finds. A file that cannot be read is told of, with its cause, and counts as such.
 * Fails: never.
 */
import { errorWords } from '../core/failure.ts';
import type { Receipt } from '../core/receipt.ts';
import type { Request } from '../core/request.ts';
import type { RequestStore, StoredRequest } from '../spool/request-store.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';
import type { Row } from './receipt-index.ts';

export interface Story {
  id: string;
  request: Request | null;
  /** Why the request's file is none; null where it is one. */
  requestFault: string | null;
  receipt: Receipt | null;
  /** Why the receipt tells nothing; null where it does, or none is there yet. */
  receiptFault: string | null;
  state: Receipt['state'] | 'waiting' | 'unreadable';
  needsPerson: boolean;
}

export interface Stores {
  requests: RequestStore;
  receipts: ReceiptStore;
}

/** Null where there is neither a request nor a receipt. */
export function readStory(id: string, { requests, receipts }: Stores): Story | null {
  const read = readRequest(id, requests);
  const request = read.ok ? read.request : null;
  const requestFault = read.ok ? null : read.message;
  const { receipt, fault } = readReceipt(id, receipts);
  if (receipt === null && fault === null && !read.ok && read.code === 'absent') return null;
  return {
    id,
    request,
    requestFault,
    receipt,
    receiptFault: fault,
    state: fault === null ? (receipt?.state ?? 'waiting') : 'unreadable',
    needsPerson: fault !== null || (receipt?.attention ?? null) !== null,
  };
}

/** What the index keeps of it. */
export function rowOf({ id, request, receipt, state, needsPerson }: Story): Row {
  const conversation = receipt?.conversation ?? request?.conversation ?? id;
  const accepted = request?.receivedAt ?? receipt?.history[0]?.at;
  return {
    id: Number(id),
    conversation: Number(conversation) || Number(id),
    state,
    needsPerson,
    acceptedMs: accepted === undefined ? Number.NaN : Date.parse(accepted),
    agentMs: receipt === null ? Number.NaN : agentTime(receipt),
    text: `${(request?.text ?? '').slice(0, 240)}\n${(receipt?.reply?.markdown ?? '').slice(0, 240)}`,
  };
}

/** From the claim to what followed it, in the latest run that came to an end; NaN where none did. In ms. */
export function agentTime({ history }: Receipt): number {
  for (let index = history.length - 2; index >= 0; index -= 1) {
    const [claim, end] = [history[index], history[index + 1]];
    if (claim?.state === 'submitted' && end !== undefined && end.state !== 'submitted' && end.order === undefined)
      return Math.max(0, Date.parse(end.at) - Date.parse(claim.at));
  }
  return Number.NaN;
}

function readRequest(id: string, requests: RequestStore): StoredRequest {
  try {
    return requests.read(id);
  } catch (error) {
    return { ok: false, code: 'not-a-file', message: `${id}.json: ${errorWords(error)}` };
  }
}

function readReceipt(id: string, receipts: ReceiptStore): { receipt: Receipt | null; fault: string | null } {
  try {
    const stored = receipts.read(id);
    if (stored.kind === 'receipt') return { receipt: stored.receipt, fault: null };
    if (stored.kind === 'none') return { receipt: null, fault: null };
    const cause = stored.kind === 'damaged' ? stored.cause : `expected version 1, found ${stored.version}`;
    return { receipt: null, fault: `state/${id}.json: ${cause}` };
  } catch (error) {
    return { receipt: null, fault: errorWords(error) };
  }
}
