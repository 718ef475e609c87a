/**
 * Owns: what is written to stderr, by the log and by a command that failed.
 * Guarantees: nothing that is or looks like a bot token gets there; a closed pipe or a full disk behind it stops nothing.
 * Fails: never; a line that cannot be written is lost.
 */
import { writeSync } from 'node:fs';

/** Without waiting for whoever reads it. */
export function writeLine(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // EPIPE, ENOSPC, EAGAIN: the work goes on without its log
  }
}

const known = new Set<string>();

/** From now on the text stands in nothing that `blot` has seen, whoever prints it. */
export function keepSecret(text: string): void {
  known.add(text);
}

/** What looks like a bot token is blotted out too, so that one that nobody named does not get through. */
const TOKEN_SHAPE = /(?<!\d)\d{6,15}:[\w-]{20,}/gu;

/** @param secrets texts that are blotted out here, beside the known ones */
export function blot(text: string, secrets: readonly string[] = []): string {
  return [...secrets, ...known]
    .filter((secret) => secret !== '')
    .reduce((words, secret) => words.replaceAll(secret, '[token]'), text)
    .replaceAll(TOKEN_SHAPE, '[token]');
}
