/** The names in a folder, a thousand at a time: a folder that keeps everything for ever is never held in memory. */
import { opendirSync } from 'node:fs';

/** In the order of the folder. */
export function* namesIn(folder: string): Generator<string> {
  const entries = opendirSync(folder, { bufferSize: 1024 });
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) yield entry.name;
  } finally {
    entries.closeSync();
  }
}
