/**
 * Owns: the page's server and its port on the loopback interface.
 * Guarantees: only this machine reaches it; nothing in the home is written; a fault in one answer ends no other.
 * Fails: `port-taken` where nothing can listen there.
 */
import { randomBytes } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BridgeError, errorCode } from '../core/failure.ts';
import type { Language } from '../core/settings.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { linkedAbort } from '../platform/linked-abort.ts';
import type { LockRecord } from '../platform/lock-record.ts';
import { RequestStore } from '../spool/request-store.ts';
import { ConversationIndex } from '../state/conversation-index.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { answerRequest } from './answer-request.ts';
import { followHome } from './follow-home.ts';
import { HomeIndex } from './home-index.ts';
import { LiveStream } from './live-stream.ts';
import { openView } from './open-view.ts';
import type { Stores } from './story.ts';

const HOST = '127.0.0.1';

export interface ServeOptions {
  folders: HomeFolders;
  language: Language | undefined;
  /** The chat of this home as `config.json` names it now. */
  chatId: () => number;
  /** 0 for any that is free. */
  port: number;
  ownerOf: (lockPath: string) => LockRecord | null;
  /** A command of this program as a person types it, for this home. */
  typed: (words: string) => string;
  /** Told once, when the page can be opened. */
  onReady: (place: { host: string; port: number; token: string; url: string }) => void;
  signal: AbortSignal;
}

/** Serves until the signal comes. */
export async function serveHome({
  folders,
  language,
  chatId,
  port,
  ownerOf,
  typed,
  onReady,
  signal,
}: ServeOptions): Promise<void> {
  const token = randomBytes(18).toString('base64url');
  const openStores = (): Stores => ({
    requests: new RequestStore(folders, chatId()),
    receipts: new ReceiptStore(folders),
  });
  let stores = openStores();
  const conversations = new ConversationIndex(folders);
  const index = new HomeIndex(folders, stores);
  const stream = new LiveStream();
  const view = () => openView({ folders, index, stores, conversations, ownerOf });
  const server = createServer((request, response) => {
    answerRequest(request, response, { token, language, folders, typed, begun: index.begun, view, stream }).catch(() =>
      response.destroy(),
    );
  });
  const ending = linkedAbort(signal);
  try {
    await listen(server, port);
    const { port: taken } = server.address() as AddressInfo;
    onReady({ host: HOST, port: taken, token, url: `http://${HOST}:${taken}/${token}/` });
    await followHome({
      folders,
      index,
      openStores: () => (stores = openStores()),
      living: () => [folders.botLock, folders.consumerLock].map((lock) => ownerOf(lock)?.pid ?? '-').join(),
      onChange: () => stream.changed(),
      signal: ending.signal,
    });
  } finally {
    stream.close();
    server.close();
    server.closeAllConnections();
  }
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host: HOST, port }, resolve);
    });
  } catch (error) {
    const code = errorCode(error) ?? 'error';
    const found = code === 'EADDRINUSE' ? 'another program on it' : code;
    throw new BridgeError('port-taken', `port ${port} of ${HOST}: expected it to be free, found ${found}`, {
      hint: 'Give another one with --port; 0 takes any that is free.',
      cause: error,
    });
  }
}
