import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatestIds, MessageIdSet } from '../../src/core/message-ids.ts';

const id = fc
  .oneof(
    fc.integer({ min: 1, max: 5_000 }),
    fc.maxSafeNat().map((n) => Math.max(1, n % 10 ** 15)),
  )
  .map(String);

test('the set holds what was added to it, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(id), fc.array(id), (added, asked) => {
      const set = new MessageIdSet();
      for (const one of added) set.add(one);
      for (const one of [...added, ...asked]) expect(set.has(one)).toBe(added.includes(one));
    }),
  );
});

test('the latest ids are the highest of all, the latest first, each once', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 80 }), fc.integer({ min: 1, max: 5 }), (added, count) => {
      const latest = new LatestIds(count);
      for (const one of added) latest.add(one);
      const sorted = [...new Set(added)].sort((a, b) => Number(b) - Number(a));
      expect(latest.list()).toEqual(sorted.slice(0, count));
    }),
  );
});
