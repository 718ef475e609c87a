/**
 * Owns: the text of a reply while it comes in pieces: in memory as far as it is shown, in its file whole.
 * Guarantees: a piece is in the file before the next one is read.
 * Fails: never; where the file could not be written, what is in memory is the reply.
 */
import { StringDecoder } from 'node:string_decoder';
import { openCopy } from './output-copy.ts';
import { MAX_REPLY_BYTES } from './run-output.ts';

export interface ReplyText {
  readonly path: string;
  add(piece: string): void;
  /** The next piece begins another paragraph: something was done in between. */
  breakHere(): void;
  result(): { markdown: string; whole: string | null };
  close(): void;
}

export function openReply(path: string): ReplyText {
  const file = openCopy(path);
  let head = '';
  let headBytes = 0;
  let totalBytes = 0;
  let last = '';
  let broken = false;

  const add = (text: string): void => {
    const bytes = Buffer.from(text);
    file.write(bytes);
    totalBytes += bytes.byteLength;
    last = (last + text).slice(-2);
    const taken = bytes.subarray(0, MAX_REPLY_BYTES - headBytes);
    headBytes += taken.byteLength;
    // `write` without `end` leaves an incomplete last character out.
    head += taken.byteLength === bytes.byteLength ? text : new StringDecoder('utf8').write(taken);
  };
  return {
    path,
    add(piece) {
      if (piece === '') return;
      if (broken && totalBytes > 0) add('\n'.repeat(Math.max(0, 2 - newlinesBetween(last, piece))));
      broken = false;
      add(piece);
    },
    breakHere: () => void (broken = true),
    result: () => ({ markdown: head, whole: totalBytes > MAX_REPLY_BYTES && file.intact ? path : null }),
    close: () => file.close(),
  };
}

function newlinesBetween(before: string, after: string): number {
  const trailing = /\n*$/u.exec(before)?.[0].length ?? 0;
  const leading = /^\n*/u.exec(after)?.[0].length ?? 0;
  return trailing + leading;
}
