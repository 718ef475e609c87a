/** The names in a folder, a thousand at a time: a folder that keeps everything for ever is never held in memory. */
import { opendirSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

const SLICE = 1024;

/** In the order of the folder; between two slices everything else has its turn. */
export async function* slicesOfNames(folder: string): AsyncGenerator<string[]> {
  const entries = opendirSync(folder, { bufferSize: SLICE });
  try {
    for (;;) {
      const names: string[] = [];
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        names.push(entry.name);
        if (names.length === SLICE) break;
      }
      if (names.length === 0) return;
      yield names;
      await turn();
    }
  } finally {
    entries.closeSync();
  }
}
