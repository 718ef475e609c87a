/**
 * Owns: one connection for one call to Telegram, and what is known about the call when it failed.
 * Guarantees: `left` is false only while not a byte of the request can have left this machine.
 * Fails how: never by itself; it watches the sockets that the call opens.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { Api, GrammyError, HttpError } from 'grammy';
import type { SendOutcome } from '../core/ports.ts';

export interface TelegramAccess {
  token: string;
  apiRoot: string;
}

export interface Connection {
  api: Api;
  /** True from the instant at which the request may have begun to leave: the socket (under TLS: the session) stood. */
  readonly left: boolean;
  close(): void;
}

/**
 * A kept-alive connection can die between two calls, and then nobody knows whether the second call left. So each call has
 * its own, and is never redirected: a redirected POST is sent twice.
 */
export function openConnection({ token, apiRoot }: TelegramAccess, timeoutMs: number): Connection {
  let left = false;
  const note = (): void => {
    left = true;
  };
  const secure = apiRoot.startsWith('https:');
  const agent = secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = createConnection(options, callback) as Socket;
    socket.once(secure ? 'secureConnect' : 'connect', note);
    return socket;
  };
  // grammY hands this object to its fetch as it is; its type names only what browsers know.
  const fetchConfig = { agent, compress: true, redirect: 'error' } as const;
  return {
    api: new Api(token, { apiRoot, timeoutSeconds: timeoutMs / 1000, baseFetchConfig: fetchConfig }),
    get left() {
      return left;
    },
    close: () => agent.destroy(),
  };
}

/** What a thrown error of a call tells about its fate (contract §5 "Delivery"). */
export function fateOf(error: unknown, connection: Pick<Connection, 'left'>): SendOutcome {
  if (error instanceof GrammyError) return fateOfAnswer(error);
  const reason = reasonOf(error);
  return connection.left ? { kind: 'unknown', reason } : { kind: 'not-arrived', reason, retryAfterMs: null };
}

function fateOfAnswer(error: GrammyError): SendOutcome {
  if (error.error_code === 429) {
    const retryAfterMs = (error.parameters.retry_after ?? 1) * 1000;
    return { kind: 'not-arrived', reason: `429 ${error.description}`, retryAfterMs };
  }
  // The token is refused, not this message: a fault of the set-up, which a person may mend meanwhile.
  if (error.error_code === 401)
    return { kind: 'not-arrived', reason: '401 Telegram refuses the bot token', retryAfterMs: null };
  if (error.error_code >= 400 && error.error_code < 500) {
    const moved = error.parameters.migrate_to_chat_id;
    const description = moved === undefined ? error.description : `${error.description} (the group is now ${moved})`;
    return { kind: 'refused', code: error.error_code, description };
  }
  return { kind: 'unknown', reason: `${error.error_code} ${error.description}` };
}

/** A short cause that holds no address: grammY's and fetch's own messages carry the token in their URL. */
export function reasonOf(error: unknown): string {
  const inner: unknown = error instanceof HttpError ? error.error : error;
  if (typeof inner !== 'object' || inner === null) return 'network error';
  if ('code' in inner && typeof inner.code === 'string') return inner.code;
  if ('type' in inner && typeof inner.type === 'string') return inner.type;
  if (inner instanceof Error && /timed out/iu.test(inner.message)) return 'timeout';
  return inner instanceof Error ? inner.name : 'network error';
}

/** grammY's signal type is that of its polyfill; the platform's own serves it. */
export function asGrammySignal(signal: AbortSignal): NonNullable<Parameters<Api['getMe']>[0]> {
  return signal as NonNullable<Parameters<Api['getMe']>[0]>;
}
