/**
 * Owns: `spool/migrated.json`: that the people were told that their group became a supergroup.
 * Guarantees: whoever notes it first tells it; after a restart it stands there and nobody tells it again.
 * Fails: the system's error unchanged.
 */
import { rmSync } from 'node:fs';
import { createDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText } from '../platform/json-file.ts';

export interface MigrationNote {
  /** False where it stands there already. */
  put(chatId: number, toChatId: number, at: string): boolean;
  /** For words that certainly did not arrive. */
  takeBack(): void;
}

export function migrationNote(home: HomeFolders): MigrationNote {
  return {
    put: (chatId, toChatId, at) =>
      createDurably(home.migration, jsonText({ version: 1, chatId, toChatId, at }), home.spoolTemporary) === 'created',
    takeBack: () => rmSync(home.migration, { force: true }),
  };
}
