/** Sets of message ids that cost little memory, whatever number of requests a home has kept. */

const PAGE_BITS = 1024;

/** A bit for each id, in pages: message ids of one chat lie close together. */
export class MessageIdSet {
  readonly #pages = new Map<number, Uint8Array>();

  add(id: string): void {
    const { page, byte, bit } = placeOf(id);
    let bytes = this.#pages.get(page);
    if (bytes === undefined) {
      bytes = new Uint8Array(PAGE_BITS / 8);
      this.#pages.set(page, bytes);
    }
    bytes[byte] = (bytes[byte] ?? 0) | bit;
  }

  has(id: string): boolean {
    const { page, byte, bit } = placeOf(id);
    return ((this.#pages.get(page)?.[byte] ?? 0) & bit) !== 0;
  }
}

function placeOf(id: string): { page: number; byte: number; bit: number } {
  const number = Number(id);
  const offset = number % PAGE_BITS;
  return { page: (number - offset) / PAGE_BITS, byte: offset >> 3, bit: 1 << (offset & 7) };
}

/** The highest ids of all that are added. */
export class LatestIds {
  readonly #count: number;
  #kept: number[] = [];
  /** Once there are enough, only what lies above this counts: of a million most are passed over here. */
  #lowest = 0;

  constructor(count: number) {
    this.#count = count;
  }

  add(id: string): void {
    const number = Number(id);
    if (number <= this.#lowest) return;
    this.#kept.push(number);
    if (this.#kept.length < 4 * this.#count) return;
    this.#kept = this.#highest();
    this.#lowest = this.#kept.length < this.#count ? 0 : Math.min(...this.#kept);
  }

  /** The latest first; each once. */
  list(): string[] {
    return this.#highest().map(String);
  }

  #highest(): number[] {
    return [...new Set(this.#kept)].sort((a, b) => b - a).slice(0, this.#count);
  }
}
