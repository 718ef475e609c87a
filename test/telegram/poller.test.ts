import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Update } from 'grammy/types';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { BridgeError, errorWords } from '../../src/core/failure.ts';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import { type StandIn, openStandIn } from '../../src/stand-in/stand-in.ts';
import { POLL_TIMING, type Poller, type PollerOptions, openPoller } from '../../src/telegram/poller.ts';

const HURRIED = {
  longPollSeconds: 1,
  answerMarginMs: 300,
  shortCallMs: 500,
  firstBackOffMs: 20,
  longestBackOffMs: 100,
  longestToldWaitMs: 200,
};

interface Line {
  telegram: StandIn;
  poller: Poller;
  stop: () => void;
  /** Update ids of each batch. */
  batches: number[][];
  troubles: (string | null)[];
}

let stopAll: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(stopAll.map((stop) => stop()));
  stopAll = [];
});

async function openLine(options: Partial<PollerOptions> = {}): Promise<Line> {
  const telegram = await openStandIn();
  const controller = new AbortController();
  const line: Omit<Line, 'poller'> = { telegram, stop: () => controller.abort(), batches: [], troubles: [] };
  const poller = openPoller({
    access: { token: telegram.token, apiRoot: telegram.apiRoot },
    signal: controller.signal,
    timing: HURRIED,
    handle: async (updates: Update[]) => {
      if (updates.length > 0) line.batches.push(updates.map((update) => update.update_id));
      return updates.length;
    },
    onHealth: ({ trouble }) => line.troubles.push(trouble?.code ?? null),
    ...options,
  });
  onTestFinished(() => telegram.close());
  return { ...line, poller };
}

/** Polls until the test is over. */
async function started(line: Line): Promise<void> {
  const me = await line.poller.start();
  expect(me?.id).toBe(line.telegram.botId);
  const running = line.poller.run();
  stopAll.push(() => (line.stop(), running));
}

/** Collects garbage at each turn of the loop, as a long-lived process does now and then. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const timer = setInterval(collect, 50);
  onTestFinished(() => clearInterval(timer));
}

test('silence, the longest wait and the next poll fit into the 60 s that are promised', () => {
  const { longPollSeconds, answerMarginMs, longestBackOffMs, longestToldWaitMs, shortCallMs } = POLL_TIMING;
  expect(longPollSeconds * 1000 + answerMarginMs + longestBackOffMs).toBeLessThan(60_000);
  expect(Math.max(longestToldWaitMs, shortCallMs + longestBackOffMs)).toBeLessThan(60_000);
});

test.each<[string, FaultAction, number, string]>([
  [
    'a conflict that lasts for three polls',
    { refuse: { code: 409, description: 'Conflict: terminated by other getUpdates request' } },
    3,
    'conflict',
  ],
  ['a server error', { status: 502, body: '<html>Bad Gateway</html>', accept: false }, 3, 'unreachable'],
  ['a refusal by the server itself', { refuse: { code: 500, description: 'Internal Server Error' } }, 2, 'unreachable'],
  [
    'too many requests',
    { refuse: { code: 429, description: 'Too Many Requests', parameters: { retry_after: 900 } } },
    1,
    'unreachable',
  ],
  ['a reset connection', { reset: 'before' }, 2, 'unreachable'],
  ['an answer that is lost', { reset: 'after' }, 1, 'unreachable'],
  ['half an answer that hangs', { cut: 'after', contentLength: true }, 1, 'unreachable'],
  ['an answer that is no list', { status: 200, body: '{"ok":true,"result":{}}', accept: false }, 1, 'unreachable'],
  ['a list of nothing', { status: 200, body: '{"ok":true,"result":[null]}', accept: false }, 1, 'unreachable'],
  ['a socket that is open at one end only', { stall: 'before' }, 1, 'unreachable'],
])('%s is survived, and what was said meanwhile arrives once', async (_, action, times, code) => {
  const line = await openLine();
  line.telegram.fault({ method: 'getUpdates', times }, action);
  collectGarbage();
  await started(line);
  const update = line.telegram.push({ message: { message_id: 1 } });

  await line.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

  expect(line.batches).toEqual([[update.update_id]]);
  expect(line.troubles).toContain(code);
  expect(line.troubles.at(-1)).toBeNull();
});

test('a network that goes and comes is survived', async () => {
  const line = await openLine();
  await started(line);
  await line.telegram.waitFor(({ isPolled }) => isPolled);
  await line.telegram.goOffline();
  await expect.poll(() => line.troubles.at(-1)).toBe('unreachable');
  const update = line.telegram.push({ message: { message_id: 1 } });
  await line.telegram.goOnline();

  await line.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

  expect(line.batches).toEqual([[update.update_id]]);
});

test('a start without network waits for it', async () => {
  const line = await openLine();
  await line.telegram.goOffline();
  const starting = started(line);
  await expect.poll(() => line.troubles.filter((code) => code === 'unreachable').length).toBeGreaterThan(2);
  await line.telegram.goOnline();

  await starting;

  await line.telegram.waitFor(({ isPolled }) => isPolled);
});

test.each(['null', '{}', 'true', '[null]'])(
  'a start whose question is answered %s, by a proxy, asks again',
  async (result) => {
    const line = await openLine();
    line.telegram.fault(
      { method: 'getMe', times: 2 },
      { status: 200, body: `{"ok":true,"result":${result}}`, accept: false },
    );

    await started(line);

    expect(line.troubles).toContain('unreachable');
  },
);

test.each([401, 404])('a token that is answered %i ends the polling with words that do not name it', async (code) => {
  const line = await openLine();
  line.telegram.fault({ method: 'getMe' }, { refuse: { code, description: 'no' } });

  const error = await line.poller.start().catch((failure: unknown) => failure);

  expect(error).toBeInstanceOf(BridgeError);
  expect(error).toMatchObject({ code: 'token-refused', exitCode: 78 });
  expect(errorWords(error)).not.toContain(line.telegram.token);
});

test('a webhook is removed, at the start and when one is set later, and no update is dropped with it', async () => {
  const line = await openLine();
  line.telegram.fault(
    { method: 'getUpdates', times: 1 },
    { refuse: { code: 409, description: 'Conflict: can’t use getUpdates method while webhook is active' } },
  );
  line.telegram.push({ message: { message_id: 1 } });
  await started(line);
  await line.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

  const removals = line.telegram.calls.filter(({ method }) => method === 'deleteWebhook');

  expect(removals).toHaveLength(2);
  expect(removals.map(({ params }) => params['drop_pending_updates'] ?? false)).toEqual([false, false]);
  expect(line.batches).toHaveLength(1);
});

test('every poll names the kinds of updates that it wants, also the last one', async () => {
  const line = await openLine();
  await started(line);
  line.telegram.push({ message: { message_id: 1 } });
  await line.telegram.waitFor(({ updatesWaiting, isPolled }) => updatesWaiting.length === 0 && isPolled);
  await stopAll.pop()?.();

  const polls = line.telegram.calls.filter(({ method }) => method === 'getUpdates');

  expect(polls.length).toBeGreaterThan(1);
  for (const { params } of polls)
    expect(params['allowed_updates']).toEqual(['message', 'edited_message', 'callback_query']);
});

test('the offset passes only what the handler counts', async () => {
  const allowed = [2, 0, 1];
  const line = await openLine({
    handle: async (updates) => Math.min(updates.length, allowed.shift() ?? updates.length),
  });
  const [, second = 0, third = 0] = [1, 2, 3].map(
    (id) => line.telegram.push({ message: { message_id: id } }).update_id,
  );
  await started(line);
  await line.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

  const offsets = line.telegram.calls
    .filter(({ method }) => method === 'getUpdates')
    .map(({ params }) => Number(params['offset'] ?? 0));

  expect(offsets.slice(0, 4)).toEqual([0, second + 1, second + 1, third + 1]);
});

test('what was dealt with is confirmed when the process stops, and what came after is left alone', async () => {
  const line = await openLine({
    handle: async () => {
      line.stop();
      return 1;
    },
  });
  const { update_id: first } = line.telegram.push({ message: { message_id: 1 } });
  line.telegram.push({ message: { message_id: 2 } });
  await line.poller.start();
  await line.poller.run();

  expect(line.telegram.confirmedOffset).toBe(first + 1);
  expect(line.telegram.updatesWaiting).toHaveLength(1);
});

test('update ids that begin anew at a lower number, as after a week of silence, are taken', async () => {
  const line = await openLine();
  await started(line);
  line.telegram.push({ update_id: 900, message: { message_id: 1 } });
  await line.telegram.waitFor(({ calls }) =>
    calls.some(({ params, outcome }) => params['offset'] === 901 && outcome === 'accepted'),
  );
  line.telegram.push({ update_id: 5, message: { message_id: 2 } });

  await expect.poll(() => line.batches).toEqual([[900], [5]]);
});
