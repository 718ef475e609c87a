/** How a process ended, in words. */
import { constants as osConstants } from 'node:os';
import { cleanText } from '../core/reply/clean-text.ts';
import { readLastLines } from './run-output.ts';

/** A shell reports a child that a signal ended as 128 + its number. */
export function endWords(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `the agent was ended by ${signal}`;
  const name = Object.entries(osConstants.signals).find(([, number]) => number === (code ?? 0) - 128)?.[0];
  return `the agent ended with exit code ${code}${name === undefined ? '' : ` (${name})`}`;
}

/** What it said last on stderr, ready to follow the words of its end. */
export function lastWords(errorPath: string): string {
  const lines = cleanText(readLastLines(errorPath, 10)).trim();
  return lines === '' ? ', without a word on stderr' : `: ${lines}`;
}
