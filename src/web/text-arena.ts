/**
 * The beginnings of many texts in a few large buffers, for searching: outside of the collector's heap, and never more than a
 * budget. What does not fit any more cannot be found by its words.
 */

const CHUNK_BYTES = 1024 * 1024;
/** A reference holds the offset in 28 bits. */
const MAX_BUDGET_BYTES = 2 ** 28;

export class TextArena {
  readonly #chunks: Buffer[] = [];
  readonly #budgetBytes: number;
  #used = CHUNK_BYTES;

  constructor(budgetBytes: number) {
    this.#budgetBytes = Math.min(budgetBytes, MAX_BUDGET_BYTES);
  }

  /**
   * Where the text now lies; null where no room is left.
   * @param former place of an older text, which is used again where the new one fits
   */
  put(bytes: Buffer, former: { offset: number; length: number }): { offset: number; length: number } | null {
    if (bytes.length <= former.length) {
      this.#write(bytes, former.offset);
      return { offset: former.offset, length: bytes.length };
    }
    if (bytes.length > CHUNK_BYTES) return null;
    if (this.#used + bytes.length > CHUNK_BYTES) {
      if ((this.#chunks.length + 1) * CHUNK_BYTES > this.#budgetBytes) return null;
      this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK_BYTES));
      this.#used = 0;
    }
    const offset = (this.#chunks.length - 1) * CHUNK_BYTES + this.#used;
    this.#used += bytes.length;
    this.#write(bytes, offset);
    return { offset, length: bytes.length };
  }

  has(needle: Buffer, offset: number, length: number): boolean {
    const start = offset % CHUNK_BYTES;
    return this.#chunks[Math.floor(offset / CHUNK_BYTES)]?.subarray(start, start + length).includes(needle) ?? false;
  }

  #write(bytes: Buffer, offset: number): void {
    this.#chunks[Math.floor(offset / CHUNK_BYTES)]?.set(bytes, offset % CHUNK_BYTES);
  }
}

/** As texts are compared: whatever the case, and whether Korean syllables came composed or not. */
export function searchForm(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
