/**
 * Owns: choosing the session and turn of a run.
 * Guarantees: a run is named in its conversation's index, durably, before it is claimed.
 * Fails: with the disk's errors. A receipt that cannot be understood counts as none here.
 */
import { randomUUID } from 'node:crypto';
import type { Exchange } from '../core/ports.ts';
import { promptOf } from '../core/prompt.ts';
import type { Receipt } from '../core/receipt.ts';
import { type Request, byId } from '../core/request.ts';
import { nextTurn } from '../core/session.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { ConversationIndex } from '../state/conversation-index.ts';
import { type ReceiptBook, UnclearReceipt } from './receipt-book.ts';

export interface TurnPorts {
  book: ReceiptBook;
  conversations: ConversationIndex;
  requests: RequestStore;
  /** Whether the agent can use a session again that a rerun comes back to. */
  resumesSessions: boolean;
}

export interface Turn {
  session: string;
  turn: number;
  /** What the agent called the conversation's latest session; null where there is none to go on with. */
  formerSession: string | null;
  history: Exchange[];
}

export function takeTurn(request: Request, isRerun: boolean, ports: TurnPorts): Turn {
  const { book, conversations, resumesSessions, requests } = ports;
  // The first run of a conversation needs no index: it is the one that its opening request had.
  if (request.kind === 'blog' && !isRerun) return { session: randomUUID(), turn: 1, formerSession: null, history: [] };
  const runsOf = conversations.runsOf(request.conversation);
  const replied = request.replyTo?.requestId ?? null;
  const ids = [request.conversation, ...(replied === null ? [] : [replied]), ...runsOf];
  const receipts = ids.flatMap((id) => known(book, id));
  // All that is read comes first: a file that is held back is tried again, and the run is named once.
  const history = exchangesOf(receipts, request.id, requests);
  conversations.append(request.conversation, request.id);
  const next = nextTurn(receipts, isRerun && !resumesSessions, randomUUID());
  const formerSession = next.turn > 1 ? next.session : null;
  return { ...next, formerSession, history };
}

/** What was said so far, for an agent that does not know it any more. */
function exchangesOf(receipts: readonly Receipt[], ownId: string, requests: RequestStore): Exchange[] {
  const unique = new Map(receipts.map((receipt) => [receipt.id, receipt]));
  const inOrder = [...unique.values()].sort((a, b) => byId(a.id, b.id));
  return inOrder.flatMap(({ id, reply }) => {
    const read = requests.read(id);
    return id === ownId || reply === null || !read.ok
      ? []
      : [{ prompt: promptOf(read.request), answer: reply.markdown }];
  });
}

function known(book: ReceiptBook, id: string): Receipt[] {
  try {
    const receipt = book.current(id);
    return receipt === null ? [] : [receipt];
  } catch (error) {
    if (error instanceof UnclearReceipt) return [];
    throw error;
  }
}
