/**
 * Owns: a file that grows by what an agent says.
 * Guarantees: what was written is with the system on return, so that it outlives this process.
 * Fails: never; `intact` turns false once something could not be written, and nothing is written after it.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

export interface OutputCopy {
  readonly path: string;
  readonly intact: boolean;
  write(bytes: Uint8Array): void;
  close(): void;
}

/** @param capBytes what would go past it is left out */
export function openCopy(path: string, capBytes = Infinity): OutputCopy {
  const descriptor = openSync(path, 'w', 0o600);
  let room = capBytes;
  let intact = true;
  let open = true;
  return {
    path,
    get intact() {
      return intact;
    },
    write(bytes) {
      if (!intact || !open) return;
      const part = bytes.subarray(0, Math.min(room, bytes.byteLength));
      room -= part.byteLength;
      try {
        for (let done = 0; done < part.byteLength; ) done += writeSync(descriptor, part, done);
      } catch {
        intact = false;
      }
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}
