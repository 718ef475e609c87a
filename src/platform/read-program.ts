/**
 * Owns: nothing; the process that reads files for another one, each in a thread of its own.
 * Guarantees: a read that hangs holds up no other; it ends with the process that asked, at once, whatever hangs.
 * Fails: by its answers.
 */
import { open } from 'node:fs/promises';
import { errorWords } from '../core/failure.ts';
import { READ_FLAGS, type RegularFile, refusedFile } from './regular-file.ts';

export interface Question {
  number: number;
  path: string;
  maxBytes: number;
}

export interface Fault {
  message: string;
  code: unknown;
  errno: unknown;
  syscall: unknown;
}

export type Answer = { number: number; file: RegularFile } | { number: number; fault: Fault };

process.on('message', ({ number, path, maxBytes }: Question) => {
  readWhole(path, maxBytes).then(
    (file) => process.send?.({ number, file } satisfies Answer),
    (error: unknown) => process.send?.({ number, fault: faultOf(error) } satisfies Answer),
  );
});
// An ordinary end waits for the threads that read.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function readWhole(path: string, maxBytes: number): Promise<RegularFile> {
  const handle = await open(path, READ_FLAGS).catch(refusedFile);
  if ('kind' in handle) return handle;
  try {
    const status = await handle.stat();
    if (!status.isFile()) return { kind: 'not-a-file' };
    if (status.size > maxBytes) return { kind: 'too-large', bytes: status.size };
    const buffer = Buffer.alloc(status.size);
    let filled = 0;
    while (filled < status.size) {
      const { bytesRead } = await handle.read(buffer, filled, status.size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { kind: 'file', bytes: buffer.subarray(0, filled) };
  } finally {
    await handle.close();
  }
}

function faultOf(error: unknown): Fault {
  const { code, errno, syscall } = error as NodeJS.ErrnoException;
  return { message: errorWords(error), code, errno, syscall };
}
