/** How much of the proof is run: all of it (`npm run proof`), or the share that fits into `npm test`; and its chance, seeded. */

/** `PROOF=full` is what `npm run proof` sets. */
export const isFull = process.env['PROOF'] === 'full';

/** `PROOF_SEED` repeats a run that found something. */
export const seed = Number(process.env['PROOF_SEED'] ?? 1);

export function budget<T>(full: T, share: T): T {
  return isFull ? full : share;
}

/** How many cases of a part are tried. `PROOF_CASES` bounds the full budget, for who has less time than it takes. */
export function caseBudget(full: number, share: number): number {
  return isFull ? Math.min(full, Number(process.env['PROOF_CASES'] ?? full)) : share;
}

/** Numbers in [0, 1): the same for the same seed and name, whatever else drew before. */
export function chance(name: string): () => number {
  let state = seed >>> 0;
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of these, drawn by the seed, in their own order; all where there are no more. */
export function sample<T>(items: readonly T[], count: number, name: string): T[] {
  const draw = chance(name);
  const drawn = items.map((item, index) => ({ item, index, lot: draw() })).sort((a, b) => a.lot - b.lot);
  return drawn
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item);
}

/** Works on all items, so many at a time; rejects with the first failure once what is under way has ended. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  const one = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && failures.length === 0; item = waiting.shift()) {
      await work(item).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: width }, one));
  if (failures.length > 0) throw failures[0];
}
