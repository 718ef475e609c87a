import { expect, test } from 'vitest';
import { BridgeError } from '../../src/core/failure.ts';
import { isRefusedFor } from '../../src/core/system-refusal.ts';
import { isPassing, isPassingAtStart } from '../../src/bridge/persistence.ts';
import { isTemporary } from '../../src/agent/held-process.ts';

const refused = (code: string): Error => Object.assign(new Error(code), { code });

test('a refusal is of a kind by its code alone', () => {
  expect(isRefusedFor(refused('EDQUOT'), 'room')).toBe(true);
  expect(isRefusedFor(refused('EDQUOT'), 'handles', 'disk')).toBe(false);
  expect([new Error('ENOSPC'), refused('ENOENT'), undefined].map((error) => isRefusedFor(error, 'room'))).toEqual([
    false,
    false,
    false,
  ]);
});

// Who waits for what: a store for nearly all, the start of an agent for what is not about its program, a start of ours for room.
test.each([
  { code: 'ENOSPC', store: true, agent: true, start: true },
  { code: 'EMFILE', store: true, agent: true, start: true },
  { code: 'ENOMEM', store: true, agent: true, start: true },
  { code: 'EAGAIN', store: true, agent: true, start: false },
  { code: 'EROFS', store: true, agent: true, start: false },
  { code: 'EACCES', store: true, agent: false, start: false },
  { code: 'EBUSY', store: true, agent: false, start: false },
  { code: 'write-incomplete', store: true, agent: false, start: false },
  { code: 'ENOENT', store: false, agent: false, start: false },
])('$code is waited for by those whom time can help', ({ code, store, agent, start }) => {
  const wrapped = new BridgeError('internal', 'not taken', { cause: refused(code) });
  expect([isPassing(refused(code)), isTemporary(refused(code)), isPassingAtStart(wrapped)]).toEqual([
    store,
    agent,
    start,
  ]);
});
