/** What the first call with a new token tells: the bot, a refused token, or the real cause why nobody answered. Pure. */
import { z } from 'zod';
import { parseJson } from './json.ts';

/** What one attempt came to. `code` is the system's, TLS's, or `timeout`, or `dns-timeout` where not even a name was found. */
export type Attempt = { kind: 'answered'; status: number; body: string } | { kind: 'failed'; code: string };

export interface BotFacts {
  id: number;
  username: string;
  /** False: privacy mode is on, and in groups the bot sees only commands and replies to it. */
  seesAllGroupMessages: boolean;
}

export type ReachTrouble =
  | 'refused'
  | 'no-such-host'
  | 'dns-fails'
  | 'no-route'
  | 'certificate'
  | 'certificate-date'
  | 'no-tls'
  | 'reset'
  | 'silent'
  | 'ipv6-hangs'
  | 'ipv4-hangs'
  | 'server-error'
  | 'too-many'
  | 'not-telegram'
  | 'other';

export type Verdict =
  | { kind: 'bot'; bot: BotFacts }
  /** 401: no such token. 404: Telegram does not even take it for one. */
  | { kind: 'token-refused'; status: number }
  | { kind: 'trouble'; what: ReachTrouble; detail: string };

const TROUBLE_OF: Record<string, ReachTrouble> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'no-such-host',
  EAI_AGAIN: 'dns-fails',
  'dns-timeout': 'dns-fails',
  ENETUNREACH: 'no-route',
  EHOSTUNREACH: 'no-route',
  ENETDOWN: 'no-route',
  EADDRNOTAVAIL: 'no-route',
  CERT_HAS_EXPIRED: 'certificate-date',
  CERT_NOT_YET_VALID: 'certificate-date',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
  EPROTO: 'no-tls',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  timeout: 'silent',
  ETIMEDOUT: 'silent',
  'invalid-json': 'not-telegram',
  'no-redirect': 'not-telegram',
};

export function judgeAttempt(attempt: Attempt): Verdict {
  if (attempt.kind === 'failed') return troubleOf(attempt.code);
  const { status, body } = attempt;
  const detail = String(status);
  if (status >= 500) return { kind: 'trouble', what: 'server-error', detail };
  const json = parseJson(body);
  const answer = json.ok ? answerSchema.safeParse(json.value).data : undefined;
  if (answer?.ok === false && (status === 401 || status === 404)) return { kind: 'token-refused', status };
  if (status === 429) return { kind: 'trouble', what: 'too-many', detail };
  if (answer?.ok !== true) return { kind: 'trouble', what: 'not-telegram', detail };
  const { id, username, can_read_all_group_messages: seesAllGroupMessages } = answer.result;
  return { kind: 'bot', bot: { id, username, seesAllGroupMessages } };
}

const answerSchema = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(false) }),
  z.looseObject({
    ok: z.literal(true),
    result: z.looseObject({
      id: z.int(),
      is_bot: z.literal(true),
      username: z.string().default(''),
      can_read_all_group_messages: z.boolean().default(false),
    }),
  }),
]);

/** Whether it may be one of the two ways to Telegram alone that hangs. */
export function isDoubtful(verdict: Verdict): boolean {
  return verdict.kind === 'trouble' && (verdict.what === 'silent' || verdict.what === 'no-route');
}

/**
 * @param first what was heard without choosing
 * @param over4 over IPv4 alone
 * @param over6 over IPv6 alone
 */
export function judgeFamilies(first: Verdict, over4: Attempt, over6: Attempt): Verdict {
  if (over4.kind === 'answered' && isSilent(over6)) return { kind: 'trouble', what: 'ipv6-hangs', detail: '' };
  if (over6.kind === 'answered' && isSilent(over4)) return { kind: 'trouble', what: 'ipv4-hangs', detail: '' };
  // It passed meanwhile.
  if (over4.kind === 'answered') return judgeAttempt(over4);
  return over6.kind === 'answered' ? judgeAttempt(over6) : first;
}

function isSilent(attempt: Attempt): boolean {
  return attempt.kind === 'failed' && (attempt.code === 'timeout' || attempt.code === 'ETIMEDOUT');
}

function troubleOf(code: string): Verdict {
  const known = new Map(Object.entries(TROUBLE_OF)).get(code);
  // OpenSSL has a code of its own for everything that a server that speaks no TLS can say.
  const what = known ?? (/^ERR_(?:SSL|TLS)_/u.test(code) ? 'no-tls' : 'other');
  return { kind: 'trouble', what, detail: code };
}
