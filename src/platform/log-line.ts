/** One line of the log as a person at a terminal reads it. Pure. */
import { oneLine } from '../core/one-line.ts';

const PAINT = { plain: '', dim: '\u001B[2m', warn: '\u001B[33m', error: '\u001B[31m', end: '\u001B[0m' };

/** `09:12:03 consumer  agent let go  request=41 run=1`: local time, the level by its colour and a mark. */
export function readableLine(line: string, color: boolean): string {
  const { time, component, event, level, ...facts }: Record<string, unknown> = JSON.parse(line);
  const severity = Number(level) >= 50 ? 'error' : Number(level) >= 40 ? 'warn' : 'plain';
  const paint = (text: string, kind: keyof typeof PAINT): string =>
    color && kind !== 'plain' && text !== '' ? `${PAINT[kind]}${text}${PAINT.end}` : text;
  const words = `${severity === 'plain' ? '' : '! '}${String(event)}`;
  const rest = Object.entries(facts).map(([key, value]) => `${key}=${shown(value)}`);
  const head = `${localTime(String(time))} ${String(component).padEnd(8)} `;
  return `${paint(head, 'dim')} ${paint(words, severity)}${rest.length === 0 ? '' : `  ${paint(rest.join(' '), 'dim')}`}\n`;
}

function localTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toTimeString().slice(0, 8);
}

/** What came from outside must not steer the terminal. */
function shown(value: unknown): string {
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value), 500);
  return typeof value === 'string' && /[\s"=]/u.test(text) ? JSON.stringify(text) : text;
}
