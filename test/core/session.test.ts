import { expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import { nextTurn } from '../../src/core/session.ts';

/** A receipt as far as it matters here: its session, and those of its former runs. */
function receipt(id: string, session: string | null, ...former: string[]): Receipt {
  const previous = former.map((one, index) => ({ run: index + 1, session: one, reply: null, error: null }));
  return {
    version: 1,
    id,
    state: 'sent',
    conversation: '41',
    session,
    run: former.length + 1,
    history: [],
    reply: null,
    agent: null,
    previous,
    error: null,
    attention: null,
    notice: null,
  };
}

test.for([
  { what: 'the first run', latest: [], fresh: false, next: { session: 'new', turn: 1 } },
  { what: 'one run before', latest: [receipt('41', 'a')], fresh: false, next: { session: 'a', turn: 2 } },
  {
    what: 'two runs before',
    latest: [receipt('41', 'a'), receipt('43', 'a')],
    fresh: false,
    next: { session: 'a', turn: 3 },
  },
  {
    what: 'a receipt named twice',
    latest: [receipt('41', 'a'), receipt('43', 'a'), receipt('41', 'a')],
    fresh: false,
    next: { session: 'a', turn: 3 },
  },
  {
    what: 'a rerun in the same session',
    latest: [receipt('41', 'a', 'a')],
    fresh: false,
    next: { session: 'a', turn: 3 },
  },
  {
    what: 'a rerun that opened another session',
    latest: [receipt('43', 'a'), receipt('41', 'b', 'a')],
    fresh: false,
    next: { session: 'b', turn: 2 },
  },
  {
    what: 'a later run in an older session',
    latest: [receipt('41', 'b', 'a'), receipt('43', 'a')],
    fresh: false,
    next: { session: 'a', turn: 3 },
  },
  {
    what: 'a request that never ran',
    latest: [receipt('41', 'a'), receipt('43', null)],
    fresh: false,
    next: { session: 'a', turn: 2 },
  },
  {
    what: 'a session that must not be used again',
    latest: [receipt('41', 'a')],
    fresh: true,
    next: { session: 'new', turn: 1 },
  },
])('after $what comes $next', ({ latest, fresh, next }) => {
  expect(nextTurn(latest, fresh, 'new')).toEqual(next);
});
