/**
 * Owns: `spool/unread/`, updates that our own code could not digest.
 * Guarantees: such an update is durable, as Telegram sent it, before it is confirmed.
 * Fails: the system's error unchanged.
 */
import { join } from 'node:path';
import { createDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText } from '../platform/json-file.ts';

/** @param update as it came; stored under its update id */
export function keepUnread(home: HomeFolders, update: { update_id: number }, cause: string): void {
  const content = jsonText({ version: 1, cause, update });
  createDurably(join(home.unread, `${update.update_id}.json`), content, home.spoolTemporary);
}
