import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import { openStandIn, type StandIn } from '../../src/stand-in/stand-in.ts';
import { call, form, png, result } from './bot-client.ts';

let standIn: StandIn;
beforeEach(async () => {
  standIn = await openStandIn();
});
afterEach(() => standIn.close());

const text = { chat_id: 7001, text: 'x' };

/** What the client of one sendMessage sees: the answer's status and body, the error's code, or silence after 200 ms. */
function outcomeOf(signalAfterMs = 200): Promise<{ status: number; body: string } | string> {
  const body = JSON.stringify(text);
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false };
  return new Promise((resolve) => {
    let received = '';
    const sent = request(`${standIn.apiRoot}/bot${standIn.token}/sendMessage`, options, (response) => {
      response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: received }));
      response.on('error', () => resolve(received === '' ? 'error' : 'cut'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.setTimeout(signalAfterMs, () => resolve(received === '' ? 'silence' : 'half and silence'));
    sent.end(body);
  });
}

const refused = { ok: false, error_code: 429, description: 'Too Many Requests: retry after 35' };
const rows: { action: FaultAction; seen: Awaited<ReturnType<typeof outcomeOf>>; accepted: boolean }[] = [
  { action: { reset: 'before' }, seen: 'ECONNRESET', accepted: false },
  { action: { reset: 'after' }, seen: 'ECONNRESET', accepted: true },
  { action: { stall: 'before' }, seen: 'silence', accepted: false },
  { action: { stall: 'after' }, seen: 'silence', accepted: true },
  { action: { cut: 'after' }, seen: 'cut', accepted: true },
  { action: { cut: 'after', contentLength: true }, seen: 'half and silence', accepted: true },
  {
    action: { status: 502, body: '<html>Bad Gateway</html>', accept: true },
    seen: { status: 502, body: '<html>Bad Gateway</html>' },
    accepted: true,
  },
  { action: { status: 502, body: '', accept: false }, seen: { status: 502, body: '' }, accepted: false },
];

describe('a fault', () => {
  test.each(rows)('$action shows the client $seen; accepted: $accepted', async ({ action, seen, accepted }) => {
    const fault = standIn.fault({ method: 'sendMessage' }, action);
    expect(await outcomeOf()).toEqual(seen);
    expect(fault.hits).toBe(1);
    expect(standIn.botMessages).toHaveLength(accepted ? 1 : 0);
    expect(standIn.accepted('sendMessage')).toHaveLength(accepted ? 1 : 0);
    expect(standIn.calls.at(-1)).toMatchObject({ outcome: 'faulted', accepted });
  });

  test('refuse answers with its code, words and parameters', async () => {
    const parameters = { retry_after: 35 };
    standIn.fault({ method: 'sendmessage' }, { refuse: { code: 429, description: refused.description, parameters } });
    const seen = await outcomeOf();
    expect(seen).toEqual({ status: 429, body: JSON.stringify({ ...refused, parameters }) });
    expect(standIn.calls.at(-1)).toMatchObject({ outcome: 'refused', accepted: false });
    expect(standIn.botMessages).toEqual([]);
  });

  test('an album can be refused although some of its items arrived', async () => {
    standIn.fault(
      { method: 'sendMediaGroup' },
      { refuse: { code: 400, description: 'Bad Request: failed to send message #2', acceptItems: 1 } },
    );
    const media = ['a', 'b'].map((name) => ({ type: 'photo', media: `attach://${name}` }));
    const body = form({ chat_id: 7001, media, a: png(9, 9), b: png(9, 9) });
    expect((await call(standIn, 'sendMediaGroup', body)).error_code).toBe(400);
    expect(standIn.botMessages).toHaveLength(1);
  });

  test.each([
    { action: { stall: 'after', ms: 30 } as const, atOnce: 1 },
    { action: { stall: 'before', ms: 30 } as const, atOnce: 0 },
    { action: { delayMs: 30 } as const, atOnce: 0 },
  ])('$action answers late', async ({ action, atOnce }) => {
    standIn.fault({ method: 'sendMessage' }, action);
    const answer = call(standIn, 'sendMessage', text);
    await standIn.waitFor(({ calls }) => calls.at(-1)?.outcome === 'faulted');
    expect(standIn.botMessages).toHaveLength(atOnce);
    expect((await answer).ok).toBe(true);
    expect(standIn.botMessages).toHaveLength(1);
  });

  test('a delayed call takes effect although its client has left', async () => {
    standIn.fault({ method: 'sendMessage' }, { delayMs: 50 });
    const leave = new AbortController();
    const gone = call(standIn, 'sendMessage', text, leave.signal);
    await standIn.waitFor(({ calls }) => calls.at(-1)?.outcome === 'faulted');
    leave.abort();
    await expect(gone).rejects.toThrow('aborted');
    await standIn.waitFor(({ botMessages }) => botMessages.length === 1);
  });

  test('it spoils the calls it is meant for, as often as it is told', async () => {
    const refuse = { code: 500, description: 'Internal Server Error' };
    const fault = standIn.fault(
      { method: 'sendMessage', when: ({ text: words }) => words !== 'no', skip: 1, times: 2 },
      { refuse },
    );
    const oks: boolean[] = [];
    for (const words of ['skipped', 'no', 'hit', 'hit', 'over']) {
      oks.push((await call(standIn, 'sendMessage', { chat_id: 7001, text: words })).ok);
    }
    expect(oks).toEqual([true, true, false, false, true]);
    expect(fault.hits).toBe(2);
  });

  test('it lasts until it is removed', async () => {
    const endless = { method: '*', times: Number.POSITIVE_INFINITY };
    const fault = standIn.fault(endless, { refuse: { code: 500, description: 'down' } });
    expect((await call(standIn, 'getMe')).ok).toBe(false);
    expect((await call(standIn, 'sendMessage', text)).ok).toBe(false);
    fault.remove();
    expect((await call(standIn, 'getMe')).ok).toBe(true);
  });

  test('it spoils downloads too', async () => {
    const id = standIn.addFile('content');
    const { file_path } = await result<{ file_path: string }>(standIn, 'getFile', { file_id: id });
    standIn.fault({ method: 'download' }, { cut: 'after' });
    const response = await fetch(`${standIn.apiRoot}/file/bot${standIn.token}/${file_path}`);
    await expect(response.text()).rejects.toThrow();
  });
});

describe('the network', () => {
  test('offline refuses connections and ends those that stand; online takes the same address', async () => {
    const waiting = call(standIn, 'getUpdates', { timeout: 30 });
    waiting.catch(() => undefined); // it is asked for below
    await standIn.waitFor(({ isPolled }) => isPolled);
    await standIn.goOffline();
    await expect(waiting).rejects.toThrow('fetch failed');
    expect(await outcomeOf()).toBe('ECONNREFUSED');
    await standIn.goOnline();
    expect((await call(standIn, 'sendMessage', text)).ok).toBe(true);
    expect(standIn.accepted('sendMessage')).toHaveLength(1);
  });
});

describe('waitFor', () => {
  test('resolves with what was waited for', async () => {
    const waiting = standIn.waitFor(({ botMessages }) => botMessages.at(0)?.text);
    await call(standIn, 'sendMessage', text);
    expect(await waiting).toBe('x');
  });

  test('tells the last calls when it gives up', async () => {
    await call(standIn, 'sendMessage', { ...text, chat_id: 1 });
    await expect(standIn.waitFor(({ botMessages }) => botMessages.length > 0, 20)).rejects.toThrow(
      'sendMessage refused (Bad Request: chat not found) {"chat_id":1,"text":"x"}',
    );
  });
});
