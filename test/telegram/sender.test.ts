/** What is known about one call after it ended (contract §5 "Delivery"), and that each call is made once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SendOutcome } from '../../src/core/ports.ts';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import { type StandIn, openStandIn } from '../../src/stand-in/stand-in.ts';
import { openSender } from '../../src/telegram/sender.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

const TO = { chatId: 7001, replyTo: null, threadId: null };
const TEXT = { text: 'hello', entities: [] };
const TIMEOUTS = { textMs: 400, bestEffortMs: 400 };

let telegram: StandIn;
let callsBefore = 0;
beforeAll(async () => {
  telegram = await openStandIn({ firstMessageId: 41 });
});
afterAll(() => telegram.close());
beforeEach(() => {
  callsBefore = telegram.calls.length;
});

const sendText = (access: { token: string; apiRoot: string } = telegram): Promise<SendOutcome> =>
  openSender(access, TIMEOUTS).sendText(TO, TEXT);
const answers = (code: number, description: string, parameters?: Record<string, unknown>): FaultAction => ({
  refuse: { code, description, ...(parameters === undefined ? {} : { parameters }) },
});
const page = (status: number, accept: boolean): FaultAction => ({ status, body: '<html>nginx</html>', accept });
const json = (body: unknown): FaultAction => ({ status: 200, body: JSON.stringify(body), accept: true });

test.each<[answer: string, action: FaultAction, outcome: Partial<SendOutcome>]>([
  ['400', answers(400, 'Bad Request: chat not found'), { kind: 'refused', code: 400 }],
  ['403', answers(403, 'Forbidden: bot was blocked by the user'), { kind: 'refused', code: 403 }],
  ['404', answers(404, 'Not Found'), { kind: 'refused', code: 404 }],
  ['413', answers(413, 'Request Entity Too Large'), { kind: 'refused', code: 413 }],
  [
    '429 with a time',
    answers(429, 'Too Many Requests', { retry_after: 35 }),
    { kind: 'not-arrived', retryAfterMs: 35_000 },
  ],
  ['429 without a time', answers(429, 'Too Many Requests'), { kind: 'not-arrived', retryAfterMs: 1_000 }],
  ['500', answers(500, 'Internal Server Error'), { kind: 'unknown' }],
  ['502', answers(502, 'Bad Gateway'), { kind: 'unknown' }],
  ['504', answers(504, 'Gateway Timeout'), { kind: 'unknown' }],
  ['a 502 page of a proxy', page(502, false), { kind: 'unknown' }],
  ['a 504 page, the message put', page(504, true), { kind: 'unknown' }],
  ['a 413 page', page(413, false), { kind: 'unknown' }],
  ['a page with status 200', page(200, true), { kind: 'unknown' }],
  ['ok without a message', json({ ok: true, result: true }), { kind: 'unknown' }],
  ['ok with null', json({ ok: true, result: null }), { kind: 'unknown' }],
  ['no object', json('ok'), { kind: 'unknown' }],
  ['a reset, nothing put', { reset: 'before' }, { kind: 'unknown' }],
  ['a reset, the message put', { reset: 'after' }, { kind: 'unknown' }],
  ['half an answer, then the end', { cut: 'after' }, { kind: 'unknown' }],
  ['half an answer of a told length, then silence', { cut: 'after', contentLength: true }, { kind: 'unknown' }],
  ['silence, the message put', { stall: 'after' }, { kind: 'unknown' }],
  ['silence, nothing put', { stall: 'before' }, { kind: 'unknown' }],
])('one call answered by %s', async (_, action, outcome) => {
  telegram.fault({ method: 'sendMessage' }, action);

  expect(await sendText()).toMatchObject(outcome);
  expect(telegram.calls).toHaveLength(callsBefore + 1);
});

test.each<[where: string, access: () => Parameters<typeof sendText>[0]]>([
  ['a host that no name server knows', () => ({ token: telegram.token, apiRoot: 'http://no-such-host.invalid' })],
  ['a port at which nobody listens', () => ({ token: telegram.token, apiRoot: 'http://127.0.0.1:9' })],
  [
    'a port that speaks no TLS',
    () => ({ token: telegram.token, apiRoot: telegram.apiRoot.replace('http:', 'https:') }),
  ],
])('what is sent to %s is known not to have arrived', async (_, access) => {
  expect(await sendText(access())).toMatchObject({ kind: 'not-arrived', retryAfterMs: null });
  expect(telegram.calls).toHaveLength(callsBefore);
});

test('a redirected call is not sent a second time', async () => {
  const elsewhere = await openStandIn();
  telegram.fault({ method: 'sendMessage' }, { status: 307, body: '', accept: false });

  expect(await sendText()).toMatchObject({ kind: 'unknown' });
  expect(elsewhere.calls).toHaveLength(0);
  await elsewhere.close();
});

test('each call has a connection of its own, so a connection that dies between two calls makes none of them doubtful', async () => {
  const sender = openSender(telegram, TIMEOUTS);
  await sender.sendText(TO, TEXT);
  await telegram.goOffline();
  await telegram.goOnline();

  expect(await sender.sendText(TO, TEXT)).toMatchObject({ kind: 'accepted' });
});

test('previews are off, entities go as they are, the topic and the quoted message go along', async () => {
  const entities = [{ type: 'bold' as const, offset: 0, length: 5 }];
  await openSender(telegram, TIMEOUTS).sendText({ chatId: 7001, replyTo: 4, threadId: 5 }, { text: 'hello', entities });

  expect(telegram.calls.at(-1)?.params).toMatchObject({
    link_preview_options: { is_disabled: true },
    entities,
    message_thread_id: 5,
    reply_parameters: { message_id: 4, allow_sending_without_reply: true },
  });
  expect(telegram.calls.at(-1)?.params).not.toHaveProperty('parse_mode');
});

test('a document that is no longer there is refused before anything is sent', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'reply.md'), '# whole');
  const send = (name: string): Promise<SendOutcome> =>
    openSender(telegram, TIMEOUTS).sendFile(TO, 'document', {
      path: join(folder, name),
      name: 'reply.md',
      caption: 'all',
    });

  expect(await send('reply.md')).toMatchObject({ kind: 'accepted' });
  callsBefore = telegram.calls.length;
  expect(await send('gone.md')).toMatchObject({
    kind: 'refused',
    description: 'a file of the answer cannot be read (ENOENT)',
  });
  expect(telegram.calls).toHaveLength(callsBefore);
});

test('the token stands in no outcome', async () => {
  telegram.fault({ method: 'sendMessage' }, { reset: 'before' });
  const outcomes = [
    await sendText(),
    await sendText({ token: telegram.token, apiRoot: 'http://no-such-host.invalid' }),
  ];

  expect(JSON.stringify(outcomes)).not.toContain(telegram.token.split(':')[1]);
});
