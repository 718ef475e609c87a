import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReceiptIndex, type Row } from '../../src/web/receipt-index.ts';

function row(id: number, fields: Partial<Row> = {}): Row {
  return { id, conversation: id, state: 'sent', needsPerson: false, acceptedMs: 0, agentMs: 0, text: '', ...fields };
}

test('names are known before their files, and count as not read until then', () => {
  const index = new ReceiptIndex();
  for (const id of [5, 900, 31]) expect(index.addName(id)).toBe(true);
  expect(index.addName(31)).toBe(false);

  expect(index.progress).toEqual({ read: 0, total: 3 });
  expect([...index.unreadIds()]).toEqual([900, 31, 5]);
  expect(index.find('', 'all', 0, 10)).toEqual({ ids: [900, 31, 5], total: 3 });
  expect(index.find('', 'sent', 0, 10).total).toBe(0);
  index.set(row(31));
  expect(index.progress).toEqual({ read: 1, total: 3 });
  expect([...index.facts()].map(({ id }) => id)).toEqual([31]);
});

test('a page is the right piece of the whole, for any ids, filter, and page', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { maxLength: 60 }),
      fc.nat(70),
      fc.nat(30),
      (ids, skip, count) => {
        const index = new ReceiptIndex();
        for (const id of ids) index.set(row(id, { state: id % 3 === 0 ? 'failed' : 'sent' }));
        const failed = ids.filter((id) => id % 3 === 0).sort((a, b) => b - a);
        expect(index.find('', 'failed', skip, count)).toEqual({
          ids: failed.slice(skip, skip + count),
          total: failed.length,
        });
      },
    ),
  );
});

test('all words must be there, in any case and any form of Korean, and a number finds its request', () => {
  const index = new ReceiptIndex();
  index.set(row(41, { text: 'Write about the Sea, 바다' }));
  index.set(row(42, { text: 'write about 41 boats' }));

  expect(index.find('SEA write', 'all', 0, 9).ids).toEqual([41]);
  expect(index.find('바다'.normalize('NFD'), 'all', 0, 9).ids).toEqual([41]);
  expect(index.find('41', 'all', 0, 9).ids).toEqual([42, 41]);
  expect(index.find('sea boats', 'all', 0, 9).ids).toEqual([]);
});

test('a text that changed is found by its new words only', () => {
  const index = new ReceiptIndex();
  index.set(row(41, { text: 'a long text about spools' }));
  index.set(row(41, { text: 'short' }));
  index.set(row(42, { text: 'neighbour' }));
  index.set(row(41, { text: 'a much longer text than it ever was before' }));

  expect(index.find('spools', 'all', 0, 9).total).toBe(0);
  expect(index.find('short', 'all', 0, 9).total).toBe(0);
  expect(index.find('longer', 'all', 0, 9).ids).toEqual([41]);
  expect(index.find('neighbour', 'all', 0, 9).ids).toEqual([42]);
});

test('texts take no more than their budget: what does not fit is found by number, state and page', () => {
  const index = new ReceiptIndex(1024 * 1024);
  for (let id = 1; id <= 3_000; id += 1) index.set(row(id, { text: `word${id} ${'x'.repeat(800)}` }));

  expect(index.find('word1', 'all', 0, 1).total).toBeGreaterThan(0);
  expect(index.find('word3000', 'all', 0, 1).total).toBe(0);
  expect(index.find('3000', 'all', 0, 1).ids).toEqual([3000]);
  expect(index.find('', 'sent', 0, 1).total).toBe(3_000);
});

test('a conversation has its requests in their order', () => {
  const index = new ReceiptIndex();
  for (const [id, conversation] of [
    [90, 41],
    [41, 41],
    [42, 42],
    [57, 41],
  ] as const)
    index.set(row(id, { conversation }));

  expect(index.idsOfConversation(41)).toEqual([41, 57, 90]);
});
