/**
 * Owns: the first call with a new token, `getMe`, whose failure must be told by its real cause.
 * Guarantees: it ends within twice `timeoutMs`; where Telegram stays silent, each of IPv4 and IPv6 is asked alone, since one
 *   of them may hang while the other works.
 * Fails: never; what happened is its verdict. Node's own client, because grammY tells neither the status of an answer that
 *   is no JSON nor lets one choose the family.
 */
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestUnderTls } from 'node:https';
import { isIP } from 'node:net';
import { errorCode } from '../core/failure.ts';
import { type Attempt, type Verdict, isDoubtful, judgeAttempt, judgeFamilies } from '../core/reach.ts';
import type { TelegramAccess } from './connection.ts';

/** More than this is no answer to `getMe`. */
const MOST_CHARACTERS = 64 * 1024;

export async function askWhoAmI(access: TelegramAccess, timeoutMs: number): Promise<Verdict> {
  const first = judgeAttempt(await attempt(access, timeoutMs));
  if (!isDoubtful(first)) return first;
  const [over4, over6] = await Promise.all([attempt(access, timeoutMs, 4), attempt(access, timeoutMs, 6)]);
  return judgeFamilies(first, over4, over6);
}

function attempt({ token, apiRoot }: TelegramAccess, timeoutMs: number, family?: 4 | 6): Promise<Attempt> {
  const url = new URL(`${apiRoot}/bot${token}/getMe`);
  const open = url.protocol === 'https:' ? requestUnderTls : requestPlainly;
  return new Promise((resolve) => {
    let isNamed = isIP(url.hostname.replaceAll(/[[\]]/gu, '')) !== 0;
    // `agent: false`: a connection of its own, that nobody keeps.
    const call = open(url, { agent: false, ...(family === undefined ? {} : { family }) });
    const end = (outcome: Attempt): void => {
      clearTimeout(deadline);
      call.destroy();
      resolve(outcome);
    };
    const deadline = setTimeout(() => end({ kind: 'failed', code: isNamed ? 'timeout' : 'dns-timeout' }), timeoutMs);
    call.on('socket', (socket) => socket.once('lookup', () => (isNamed = true)));
    call.on('error', (error) => end({ kind: 'failed', code: errorCode(error) ?? error.name }));
    call.on('response', (response) => {
      void readAll(response).then(end, (error: unknown) =>
        end({ kind: 'failed', code: errorCode(error) ?? 'ECONNRESET' }),
      );
    });
    call.end();
  });
}

async function readAll(response: IncomingMessage): Promise<Attempt> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > MOST_CHARACTERS) break;
  }
  return { kind: 'answered', status: response.statusCode ?? 0, body };
}
