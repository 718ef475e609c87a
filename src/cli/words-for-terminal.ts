/** Small pieces of what the commands print. Pure but for the clock that is handed in. */
import { ordersFor } from '../core/order.ts';
import type { OrderVerb, Receipt } from '../core/receipt.ts';
import { displayWidth } from '../core/reply/display-width.ts';
import { typedCommand } from './typed-command.ts';

/** The commands by which a person decides about a receipt, as typed. */
export function commandsFor(receipt: Receipt, home: string | undefined): string[] {
  return choicesFor(receipt, home).map(({ command }) => command);
}

/** The same, each with what it does, as lines that stand under one another. */
export function choiceLines(receipt: Receipt, home: string | undefined): string[] {
  return columns(choicesFor(receipt, home).map(({ command, words }) => [command, words]));
}

function choicesFor(receipt: Receipt, home: string | undefined): { command: string; words: string }[] {
  const isDoubtful = receipt.attention === 'unknown-delivery';
  const typed: Partial<Record<OrderVerb, { command: string; words: string }>> = {
    rerun: { command: typedCommand(`rerun ${receipt.id}`, home), words: 'run the agent once more' },
    resend: {
      command: typedCommand(`resend ${receipt.id}`, home),
      words: isDoubtful ? 'it did not arrive: send it once more' : 'send once more what is not sent',
    },
    arrived: {
      command: typedCommand(`resolve ${receipt.id} --sent`, home),
      words: isDoubtful ? 'it arrived: send only the rest' : 'its work is done: close it as sent',
    },
    dismiss: { command: typedCommand(`resolve ${receipt.id} --failed`, home), words: 'close it as failed' },
  };
  return ordersFor(receipt).flatMap((verb) => typed[verb] ?? []);
}

/** Rows whose cells, but for the last, are as wide as the widest of their column. */
export function columns(rows: readonly string[][]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
  const padded = (cell: string, index: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padded(cell, index)))
      .join('  ')
      .trimEnd(),
  );
}

/** `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Local time; with the date where it is not today's. */
export function timeWords(iso: string | null, now: Date): string {
  if (iso === null) return '–';
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

export function sinceWords(iso: string | null, now: Date): string {
  return iso === null ? '–' : durationWords(now.getTime() - Date.parse(iso));
}
