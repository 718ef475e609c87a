/**
 * Owns: the list of commands that Telegram shows a person who types `/`.
 * Guarantees: it is set only where another one is registered. Only the bound chat sees it, and there it goes before whatever
 *   an earlier program left for more chats at once.
 * Fails: by its outcome; nothing depends on it.
 */
import type { Api } from 'grammy';
import type { BotCommand } from 'grammy/types';
import { type TelegramAccess, openConnection, reasonOf } from './connection.ts';

const CALL_MS = 10_000;

/** `language` of Telegram's client; `''` stands for all that have no list of their own. */
export interface CommandList {
  language: '' | 'ko';
  commands: BotCommand[];
}

export async function registerCommands(
  access: TelegramAccess,
  chatId: number,
  lists: readonly CommandList[],
): Promise<{ kind: 'done'; changed: number } | { kind: 'failed'; reason: string }> {
  let changed = 0;
  try {
    for (const { language, commands } of lists) {
      const place = {
        scope: { type: 'chat', chat_id: chatId } as const,
        ...(language === '' ? {} : { language_code: language }),
      };
      const found = await call(access, (api) => api.getMyCommands(place));
      if (isSame(found, commands)) continue;
      await call(access, (api) => api.setMyCommands(commands, place));
      changed += 1;
    }
    return { kind: 'done', changed };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) };
  }
}

async function call<T>(access: TelegramAccess, method: (api: Api) => Promise<T>): Promise<T> {
  const connection = openConnection(access, CALL_MS);
  try {
    return await method(connection.api);
  } finally {
    connection.close();
  }
}

function isSame(found: readonly BotCommand[], wanted: readonly BotCommand[]): boolean {
  const plain = (list: readonly BotCommand[]) => list.map(({ command, description }) => [command, description]);
  return JSON.stringify(plain(found)) === JSON.stringify(plain(wanted));
}
