/**
 * Owns: the log, one JSON line an event, on stderr.
 * Guarantees: the token never stands in it; a closed pipe or a full disk behind it stops nothing. What is handed to it names
 *   things by the names of their files, and holds nothing that a person or an agent wrote.
 * Fails: never; a line that cannot be written is lost.
 */
import { pino } from 'pino';
import { readableLine } from './log-line.ts';
import { blot, writeLine } from './stderr.ts';

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** @param secrets texts that are blotted out wherever they would appear */
export function openLog(component: string, secrets: readonly string[], level = 'info'): Log {
  const readable = process.stderr.isTTY;
  const write = (line: string): void =>
    writeLine(blot(readable ? readableLine(line, process.env['NO_COLOR'] === undefined) : line, secrets));
  const options = { base: { component }, level, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'event' };
  return pino(options, { write });
}
