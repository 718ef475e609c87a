/** A step of a receipt whose writing failed at its very end is made good by trying it again. */
import { expect, test, vi } from 'vitest';
import { ReceiptBook } from '../../src/bridge/receipt-book.ts';
import type { Receipt } from '../../src/core/receipt.ts';
import type { ReceiptEvent } from '../../src/core/receipt-machine.ts';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { ReceiptStore } from '../../src/state/receipt-store.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

/** As where the sync of the folder fails: the file stands, and the call says that it does not. */
class LateFault extends ReceiptStore {
  faults = 0;

  override create(receipt: Receipt): 'created' | 'exists' {
    const outcome = super.create(receipt);
    this.#fail();
    return outcome;
  }

  override replace(receipt: Receipt): void {
    super.replace(receipt);
    this.#fail();
  }

  #fail(): void {
    if (this.faults === 0) return;
    this.faults -= 1;
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  }
}

const KEY = { id: '41', conversation: '41' };
const REJECTED: ReceiptEvent = {
  type: 'rejected',
  error: { stage: 'request', code: 'not-json', message: 'no JSON' },
};

function openBook() {
  const home = homeFolders(scratchFolder());
  makeHomeFolders(home);
  const store = new LateFault(home);
  const told = vi.fn<(receipt: Receipt, before: Receipt | null) => void>();
  let minute = 0;
  const now = (): string => `2026-11-30T09:${String((minute += 1)).padStart(2, '0')}:00.000Z`;
  return { store, told, book: new ReceiptBook(store, () => undefined, now, told) };
}

test.each<[string, ReceiptEvent[], ReceiptEvent]>([
  ['first', [], REJECTED],
  ['later', [REJECTED], { type: 'notice', state: 'sending', messageId: null }],
])('the %s step of a receipt, tried again, is done once and told once', (_which, before, event) => {
  const { store, told, book } = openBook();
  for (const former of before) book.advance(KEY, former);
  told.mockClear();
  store.faults = 1;
  expect(() => book.advance(KEY, event)).toThrow('EIO');
  expect(told).not.toHaveBeenCalled();
  const standing = book.current('41');

  const step = book.advance(KEY, event);

  expect(step).toEqual({ ok: true, receipt: standing });
  expect(book.current('41')).toEqual(standing);
  expect(told).toHaveBeenCalledTimes(1);
  expect(book.advance(KEY, event)).toEqual({ ok: false, reason: 'moved-on' });
});

test('another step after it is judged by what stands', () => {
  const { store, book } = openBook();
  store.faults = 1;
  expect(() => book.advance(KEY, REJECTED)).toThrow('EIO');

  const step = book.advance(KEY, { type: 'notice', state: 'sending', messageId: null });

  expect(step).toMatchObject({ ok: true, receipt: { state: 'rejected', notice: { state: 'sending' } } });
});
