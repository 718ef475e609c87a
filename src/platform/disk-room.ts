/** How much room a disk has left; what a program prints into a file of a full one is cut without a word. */
import { statfsSync } from 'node:fs';

/** Below this an output may have been cut. */
export const LEAST_ROOM_BYTES = 64 * 1024;

/** Bytes that an ordinary user may still write at `path`. */
export function roomAt(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
