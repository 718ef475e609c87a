/**
 * Who may look: only a request to this machine by name, that only reads, and whose address holds the token.
 *
 * The token is a part of the path, not a cookie: cookies of 127.0.0.1 go to every port of it. The host is checked because a
 * stranger's page may let its own name lead here (DNS rebinding) and would then read what its origin may read.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Any port: through a tunnel (`ssh -L`) the browser knows another one. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/iu;

export type Admission =
  | { ok: true; path: string; query: URLSearchParams }
  | { ok: false; status: 403 | 405; words: string };

export function admit({ method, headers, url = '/' }: IncomingMessage, token: string): Admission {
  if (!OWN_HOST.test(headers.host ?? '')) return refuse(403, 'This page is served to 127.0.0.1 and localhost only.');
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'This page can only be read.');
  const [pathname = '/', search = ''] = url.split('?', 2);
  const [, given = '', ...steps] = pathname.split('/');
  if (!isSame(given, token))
    return refuse(403, 'This address lacks its token. "blog-bridge web" printed the whole one.');
  return { ok: true, path: `/${steps.join('/')}`, query: new URLSearchParams(search) };
}

/** In constant time, whatever the lengths. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refuse(status: 403 | 405, words: string): Admission {
  return { ok: false, status, words };
}
