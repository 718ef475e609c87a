/**
 * Owns: reading what a run printed.
 * Guarantees: takes in no more than it is asked for, however much there is.
 * Fails: the system's error unchanged.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Output past this is cut in the reply; the whole then goes along as a file (contract §7). */
export const MAX_REPLY_BYTES = 1024 * 1024;

const TAIL_BYTES = 4096;

/** The first `MAX_REPLY_BYTES`, never ending inside a character. */
export function readHead(path: string): { text: string; totalBytes: number } {
  const bytes = readPart(path, 0, MAX_REPLY_BYTES);
  // `write` without `end` leaves an incomplete last character out.
  return { text: new StringDecoder('utf8').write(bytes), totalBytes: statSync(path).size };
}

/** The last lines, for the words of a failure. */
export function readLastLines(path: string, count: number): string {
  const size = statSync(path).size;
  const bytes = readPart(path, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  return bytes.toString('utf8').trim().split('\n').slice(-count).join('\n');
}

function readPart(path: string, from: number, most: number): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, Math.min(most, fstatSync(descriptor).size - from)));
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(descriptor, buffer, filled, buffer.length - filled, from + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}
