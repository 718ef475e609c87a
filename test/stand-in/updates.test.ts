import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Update } from '../../src/stand-in/bot-api.ts';
import { openStandIn, type StandIn } from '../../src/stand-in/stand-in.ts';
import { call, result } from './bot-client.ts';

let standIn: StandIn;
beforeEach(async () => {
  standIn = await openStandIn({ firstUpdateId: 100 });
});
afterEach(() => standIn.close());

const poll = (query: Record<string, unknown> = {}): Promise<Update[]> => result(standIn, 'getUpdates', query);
const ids = (updates: Update[]): number[] => updates.map(({ update_id: id }) => id);

describe('the offset', () => {
  test.each([
    { title: 'none confirms nothing', query: {}, first: [100, 101, 102], left: [100, 101, 102] },
    { title: 'one confirms what is below it', query: { offset: 102 }, first: [102], left: [102] },
    { title: 'one past the end confirms all', query: { offset: 103 }, first: [], left: [] },
    { title: 'a negative one keeps the last only', query: { offset: -1 }, first: [102], left: [102] },
    { title: 'a limit takes the oldest', query: { limit: 2 }, first: [100, 101], left: [100, 101, 102] },
    { title: 'a limit below 1 counts as 1', query: { limit: 0 }, first: [100], left: [100, 101, 102] },
  ])('$title', async ({ query, first, left }) => {
    for (const text of ['a', 'b', 'c']) standIn.say(text);
    expect(ids(await poll(query))).toEqual(first);
    expect(ids(await poll())).toEqual(left);
    expect(ids(standIn.updatesWaiting)).toEqual(left);
  });

  test('the highest one is remembered', async () => {
    expect(standIn.confirmedOffset).toBeUndefined();
    await poll({ offset: 7 });
    await poll({ offset: 5 });
    expect(standIn.confirmedOffset).toBe(7);
  });
});

describe('long polling', () => {
  test('a waiting call is answered by the next update', async () => {
    const waiting = poll({ timeout: 30 });
    await standIn.waitFor(({ isPolled }) => isPolled);
    standIn.say('hello');
    expect((await waiting)[0]?.message?.text).toBe('hello');
  });

  test('what is put in one go comes in one answer', async () => {
    const waiting = poll({ timeout: 30 });
    await standIn.waitFor(({ isPolled }) => isPolled);
    for (const text of ['a', 'b', 'c']) standIn.say(text);
    expect(await waiting).toHaveLength(3);
  });

  test('it ends empty after its timeout', async () => {
    const before = Date.now();
    expect(await poll({ timeout: 1 })).toEqual([]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(950);
  });

  test('a second call ends the first with 409', async () => {
    const first = call(standIn, 'getUpdates', { timeout: 30 });
    await standIn.waitFor(({ isPolled }) => isPolled);
    const second = poll({ timeout: 30 });
    expect(await first).toEqual({
      ok: false,
      error_code: 409,
      description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    });
    standIn.say('x');
    expect(await second).toHaveLength(1);
  });

  test('a client that has left takes nothing along', async () => {
    const leave = new AbortController();
    const gone = call(standIn, 'getUpdates', { timeout: 30 }, leave.signal);
    await standIn.waitFor(({ isPolled }) => isPolled);
    leave.abort();
    await expect(gone).rejects.toThrow('aborted');
    await standIn.waitFor(({ isPolled }) => !isPolled);
    standIn.say('still here');
    expect(await poll()).toHaveLength(1);
  });

  test('a webhook forbids it until it is deleted', async () => {
    await result(standIn, 'setWebhook', { url: 'https://example.org/hook' });
    standIn.say('kept');
    const remedy = 'use deleteWebhook to delete the webhook first';
    expect(await call(standIn, 'getUpdates')).toEqual({
      ok: false,
      error_code: 409,
      description: `Conflict: can't use getUpdates method while webhook is active; ${remedy}`,
    });
    await result(standIn, 'deleteWebhook', { drop_pending_updates: false });
    expect(await poll()).toHaveLength(1);
    await result(standIn, 'deleteWebhook', { drop_pending_updates: true });
    expect(await poll()).toEqual([]);
  });
});

describe('allowed_updates', () => {
  test('it is remembered from the last call that gave it', async () => {
    await poll({ allowed_updates: ['callback_query'] });
    standIn.say('not asked for');
    expect(await poll({ offset: 0 })).toEqual([]);
    await poll({ allowed_updates: [] });
    standIn.say('asked for again');
    expect(await poll()).toHaveLength(1);
  });

  test('reactions and members come only when asked for', async () => {
    standIn.push({ message_reaction: {} });
    expect(await poll({ allowed_updates: ['message_reaction'] })).toEqual([]);
    standIn.push({ message_reaction: {} });
    expect(await poll()).toHaveLength(1);
  });
});

describe('delivery again', () => {
  test('redeliver gives the same update a new id', async () => {
    standIn.say('once');
    const [first] = await poll();
    standIn.redeliver(100);
    const [second] = await poll({ offset: 101 });
    expect(second).toEqual({ ...first, update_id: 101 });
  });

  test('rewind delivers confirmed updates under their own ids, to any offset, until they are confirmed', async () => {
    for (const text of ['a', 'b', 'c']) standIn.say(text);
    await poll({ offset: 103 });
    standIn.rewind(101);
    expect(ids(await poll({ offset: 103 }))).toEqual([101, 102]);
    expect(ids(await poll())).toEqual([101, 102]);
    expect(ids(await poll({ offset: 103 }))).toEqual([]);
  });
});
