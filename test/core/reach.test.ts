import { expect, test } from 'vitest';
import { type Attempt, type ReachTrouble, isDoubtful, judgeAttempt, judgeFamilies } from '../../src/core/reach.ts';

const me = {
  id: 110201543,
  is_bot: true,
  first_name: 'Blog',
  username: 'my_blog_bot',
  can_read_all_group_messages: true,
};
const answered = (status: number, body: unknown): Attempt => ({
  kind: 'answered',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const failed = (code: string): Attempt => ({ kind: 'failed', code });
const bot = answered(200, { ok: true, result: me });

test('an answer that names a bot is that bot, with its privacy mode', () => {
  expect(judgeAttempt(bot)).toEqual({
    kind: 'bot',
    bot: { id: 110201543, username: 'my_blog_bot', seesAllGroupMessages: true },
  });
});

test.each([401, 404])('%i in Telegram’s own form refuses the token', (status) => {
  const body = { ok: false, error_code: status, description: 'Unauthorized' };
  expect(judgeAttempt(answered(status, body))).toEqual({ kind: 'token-refused', status });
});

test.each<[Attempt, ReachTrouble]>([
  [answered(404, '<html>no such page</html>'), 'not-telegram'],
  [answered(401, '<html>log in first</html>'), 'not-telegram'],
  [answered(302, ''), 'not-telegram'],
  [answered(200, '<html>welcome to our Wi-Fi</html>'), 'not-telegram'],
  [answered(200, { ok: true, result: { id: 1, is_bot: false } }), 'not-telegram'],
  [answered(200, { ok: true }), 'not-telegram'],
  [answered(200, 'null'), 'not-telegram'],
  [answered(502, '<html>bad gateway</html>'), 'server-error'],
  [answered(500, { ok: false }), 'server-error'],
  [answered(429, { ok: false, parameters: { retry_after: 9 } }), 'too-many'],
  [failed('ECONNREFUSED'), 'refused'],
  [failed('ENOTFOUND'), 'no-such-host'],
  [failed('EAI_AGAIN'), 'dns-fails'],
  [failed('dns-timeout'), 'dns-fails'],
  [failed('ENETUNREACH'), 'no-route'],
  [failed('EHOSTUNREACH'), 'no-route'],
  [failed('SELF_SIGNED_CERT_IN_CHAIN'), 'certificate'],
  [failed('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate'],
  [failed('CERT_HAS_EXPIRED'), 'certificate-date'],
  [failed('CERT_NOT_YET_VALID'), 'certificate-date'],
  [failed('EPROTO'), 'no-tls'],
  [failed('ERR_SSL_WRONG_VERSION_NUMBER'), 'no-tls'],
  [failed('ECONNRESET'), 'reset'],
  [failed('timeout'), 'silent'],
  [failed('ETIMEDOUT'), 'silent'],
  [failed('EMFILE'), 'other'],
  [failed('__proto__'), 'other'],
])('%j is told as %s', (attempt, what) => {
  expect(judgeAttempt(attempt)).toMatchObject({ kind: 'trouble', what });
});

test('only silence, and no way, leave it open whether one address family alone is to blame', () => {
  const codes = ['timeout', 'ENETUNREACH', 'ECONNREFUSED', 'CERT_HAS_EXPIRED', 'ENOTFOUND'];
  expect(codes.filter((code) => isDoubtful(judgeAttempt(failed(code))))).toEqual(['timeout', 'ENETUNREACH']);
});

test.each<[string, Attempt, Attempt, object]>([
  ['IPv6 hangs', bot, failed('timeout'), { what: 'ipv6-hangs' }],
  ['IPv4 hangs', failed('timeout'), bot, { what: 'ipv4-hangs' }],
  ['there is no IPv6, and IPv4 answers now', bot, failed('ENOTFOUND'), { kind: 'bot' }],
  ['IPv4 answers now and refuses the token', answered(401, { ok: false }), failed('ENOTFOUND'), { status: 401 }],
  ['both hang', failed('timeout'), failed('timeout'), { what: 'silent' }],
  ['neither is there', failed('ENETUNREACH'), failed('ENOTFOUND'), { what: 'silent' }],
])('after a silence: %s', (_, over4, over6, verdict) => {
  expect(judgeFamilies(judgeAttempt(failed('timeout')), over4, over6)).toMatchObject(verdict);
});
