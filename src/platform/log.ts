/**
 * Owns: the log, one JSON line an event, on stderr.
 * Guarantees: the token never stands in it; a closed pipe or a full disk behind it stops nothing.
 * Fails: never; a line that cannot be written is lost.
 */
import { pino } from 'pino';
import { blot, writeLine } from './stderr.ts';

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** @param secrets texts that are blotted out wherever they would appear */
export function openLog(component: string, secrets: readonly string[], level = 'info'): Log {
  const readable = process.stderr.isTTY;
  const write = (line: string): void => writeLine(blot(readable ? readableLine(line) : line, secrets));
  const options = { base: { component }, level, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'event' };
  return pino(options, { write });
}

function readableLine(line: string): string {
  const parsed: Record<string, unknown> = JSON.parse(line);
  const { time, component, event, level, ...rest } = parsed;
  const facts = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const mark = typeof level === 'number' && level >= 40 ? '! ' : '';
  return `${String(time).slice(11, 19)} ${String(component).padEnd(8)} ${mark}${String(event)}${facts.join('')}\n`;
}
