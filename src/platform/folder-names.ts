/** The names in a folder, a thousand at a time: a folder that keeps everything for ever is never held in memory. */
import { opendirSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

const SLICE = 1024;

/** In the order of the folder. */
export function* namesIn(folder: string): Generator<string> {
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) yield entry.name;
  } finally {
    entries.closeSync();
  }
}

/** The same in slices; between two of them everything else has its turn. */
export async function* slicesOfNames(folder: string): AsyncGenerator<string[]> {
  let names: string[] = [];
  for (const name of namesIn(folder)) {
    names.push(name);
    if (names.length < SLICE) continue;
    yield names;
    names = [];
    await turn();
  }
  if (names.length > 0) yield names;
}
