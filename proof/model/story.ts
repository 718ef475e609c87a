/** All that happened in one simulated history, as people, Telegram, the agent and the disk saw it. */
import type { Order, OrderOutcome } from '../../src/core/order.ts';
import type { Receipt } from '../../src/core/receipt.ts';
import type { Request } from '../../src/core/request.ts';
import type { Send } from './chat.ts';
import type { Run } from './scripted-agent.ts';

/** Something that a person said, in one message or several. */
export interface Said {
  messageIds: number[];
  /**
   * `order`: one request, for certain. `talk`: never one. `group`: an album or a long paste whose parts came together, so
   * one request with all of them. `torn-group`: an album whose parts came at different times: at most one. `perhaps`: an
   * answer to a message that may or may not be known, or pieces of a paste that came out of order: each in at most one.
   */
  is: 'order' | 'talk' | 'group' | 'torn-group' | 'perhaps';
  /** The conversation that it goes on with; null where it opens one, or nobody can say. */
  conversation: string | null;
}

/** `damaged`: here a hand wrote something else into the file. */
export type ReceiptVersion = Receipt | 'damaged';

export interface Story {
  said: Said[];
  /** Messages that Telegram was told are dealt with, of which nothing was on disk at that moment. */
  confirmedTooEarly: number[];
  /** By id: every content that the bridge ever put under this name. */
  requests: Map<string, Request[]>;
  receipts: Map<string, ReceiptVersion[]>;
  runs: Run[];
  sends: Send[];
  orders: Order[];
  /** Errors with which a process ended, though nobody had killed it. */
  surprises: string[];
  /** How often a process was killed. */
  deaths: number;
  /** Requests whose files a hand has damaged. */
  damaged: Set<string>;
  /** Of those, the ones whose receipt now names a later version of this program. */
  fromTheFuture: Set<string>;
}

/** What lies on the disk when all has come to rest. */
export interface Rest {
  requestIds: string[];
  receiptIds: string[];
  pendingIds: string[];
  openOrders: string[];
  partIds: string[];
  outcomes: Map<string, OrderOutcome | null>;
}

export function openStory(sends: Send[]): Story {
  return {
    said: [],
    confirmedTooEarly: [],
    requests: new Map(),
    receipts: new Map(),
    runs: [],
    sends,
    orders: [],
    surprises: [],
    deaths: 0,
    damaged: new Set(),
    fromTheFuture: new Set(),
  };
}
