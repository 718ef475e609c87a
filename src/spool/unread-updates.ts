/**
 * Owns: `spool/unread/`, updates that our own code could not digest.
 * Guarantees: such an update is durable, as Telegram sent it (but for what is nested so deep that nobody could write it),
 *   before it is confirmed.
 * Fails: the system's error unchanged.
 */
import { join } from 'node:path';
import { createDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText } from '../platform/json-file.ts';

/** @param update as it came; stored under its update id */
export function keepUnread(home: HomeFolders, update: { update_id: number }, cause: string): void {
  const content = jsonText({ version: 1, cause, update: writable(update, 0) as object });
  createDurably(join(home.unread, `${update.update_id}.json`), content, home.spoolTemporary);
}

const MAX_DEPTH = 200;

/** `JSON.stringify` overflows the stack where the parser that read it did not. */
function writable(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '(nested too deep)';
  if (Array.isArray(value)) return value.map((item) => writable(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, writable(item, depth + 1)]));
}
