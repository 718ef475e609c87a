/**
 * Owns: judging one pending request by its two files.
 * Guarantees: a request is runnable only if it is valid and has no receipt at all; whatever cannot be understood is set
 *   aside or left alone, and never run.
 * Fails: with the disk's error (the request is looked at again), or `lock-lost`.
 */
import type { Receipt } from '../core/receipt.ts';
import { isSettled } from '../core/receipt.ts';
import type { Request } from '../core/request.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { ReceiptStore } from '../state/receipt-store.ts';
import type { RunFiles } from '../state/run-files.ts';
import type { ReceiptBook } from './receipt-book.ts';

export type Judgement =
  | { kind: 'runnable'; request: Request }
  /** Nothing is left to do. */
  | { kind: 'settled' }
  /** Waits for a person, who has been told. */
  | { kind: 'parked' }
  /** A person must be told. */
  | { kind: 'owes-notice'; receipt: Receipt }
  /** A person may have been told: the notice was under way, and nobody is at it any more. */
  | { kind: 'doubtful-notice'; receipt: Receipt }
  /** A run or a delivery that nobody is at any more. */
  | { kind: 'abandoned'; receipt: Receipt }
  | { kind: 'not-ours'; why: string };

export interface TriagePorts {
  requests: RequestStore;
  receipts: ReceiptStore;
  book: ReceiptBook;
  files: RunFiles;
  assertOwner: () => void;
  now: () => string;
}

export function judge(id: string, ports: TriagePorts): Judgement {
  const stored = ports.receipts.read(id);
  switch (stored.kind) {
    case 'receipt':
      return judgeReceipt(stored.receipt);
    case 'from-the-future':
      return {
        kind: 'not-ours',
        why: `state/${id}.json: expected version 1, found ${stored.version}; update blog-bridge`,
      };
    case 'damaged':
      return judgeReceipt(replaceDamaged(id, stored, ports));
    case 'none':
      return judgeRequest(id, ports);
  }
}

function judgeReceipt(receipt: Receipt): Judgement {
  if (isSettled(receipt)) return { kind: 'settled' };
  const isOpen = receipt.state === 'submitted' || receipt.state === 'sending';
  if (isOpen && receipt.attention === null) return { kind: 'abandoned', receipt };
  if (receipt.notice?.state === 'sending') return { kind: 'doubtful-notice', receipt };
  return receipt.notice?.state === 'waiting' ? { kind: 'owes-notice', receipt } : { kind: 'parked' };
}

function judgeRequest(id: string, ports: TriagePorts): Judgement {
  const read = ports.requests.read(id);
  if (read.ok) return { kind: 'runnable', request: read.request };
  if (read.code === 'absent') return { kind: 'not-ours', why: read.message };
  const error = { stage: 'request', code: read.code, message: read.message } as const;
  const step = ports.book.advance({ id, conversation: id }, { type: 'rejected', error });
  return step.ok ? judgeReceipt(step.receipt) : judge(id, ports);
}

/** "Exists, fate unknown": a copy is kept, and a receipt takes its place that lets a person decide. */
function replaceDamaged(id: string, damaged: { cause: string; bytes: Buffer }, ports: TriagePorts): Receipt {
  ports.assertOwner();
  const at = ports.now();
  const copy = ports.receipts.setAside(id, damaged.bytes, at);
  const read = ports.requests.read(id);
  const message = `state/${id}.json could not be read (${damaged.cause}); a copy lies in state/damaged/${copy}`;
  const receipt: Receipt = {
    version: 1,
    id,
    state: 'failed',
    conversation: read.ok ? read.request.conversation : id,
    session: null,
    turn: 0,
    // The run may have begun: the next one must not write over what it printed.
    run: Math.max(1, ports.files.lastRun(id)),
    history: [{ state: 'failed', at, code: 'damaged-receipt' }],
    reply: null,
    agent: null,
    previous: [],
    error: { stage: 'request', code: 'damaged-receipt', message },
    attention: 'failed',
    notice: { for: 'failed', state: 'waiting', messageId: null },
  };
  ports.book.replaceDamaged(receipt);
  return receipt;
}
