/**
 * Owns: `spool/home.json`, which bot and chat this home belongs to.
 * Guarantees: bound once, exclusively, by whichever process starts first; message ids of two chats never meet in one home.
 * Fails: `home-of-another-chat`, `home-unbound` (exit 78), or the system's error unchanged.
 */
import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { BridgeError } from '../core/failure.ts';
import { requestIdOf } from '../core/request.ts';
import { createDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';
import { readRegularFile } from '../platform/regular-file.ts';

const bindingSchema = z.looseObject({ version: z.literal(1), botId: z.int(), chatId: z.int() });
const HINT = 'Run "blog-bridge rebind" to archive what is here and bind the home anew.';

export function bindHome(home: HomeFolders, botId: number, chatId: number): void {
  const file = readRegularFile(home.binding, 64 * 1024);
  if (file.kind === 'absent') {
    refuseForeignContent(home);
    createDurably(home.binding, jsonText({ version: 1, botId, chatId }), home.spoolTemporary);
    return checkBinding(home, botId, chatId);
  }
  checkBinding(home, botId, chatId);
}

/** The number before the token's colon is the bot's id; it holds no secret. */
export function botIdOf(token: string): number {
  return Number(token.split(':', 1)[0]);
}

/** What the home is bound to; null where it is not, or the file tells nothing. */
export function readBinding(home: HomeFolders): { botId: number; chatId: number } | null {
  const binding = readJsonFile(home.binding, bindingSchema);
  return binding === null ? null : { botId: binding.botId, chatId: binding.chatId };
}

function checkBinding(home: HomeFolders, botId: number, chatId: number): void {
  const found = readBinding(home);
  if (found === null) {
    throw new BridgeError(
      'home-of-another-chat',
      `${home.binding}: expected the bot and chat of this home, found a file that cannot be read`,
      { hint: HINT },
    );
  }
  if (found.botId === botId && found.chatId === chatId) return;
  throw new BridgeError(
    'home-of-another-chat',
    `${home.binding}: expected bot ${botId} and chat ${chatId}, as config.json and the token say, found bot ${found.botId} and chat ${found.chatId}`,
    { hint: HINT },
  );
}

function refuseForeignContent(home: HomeFolders): void {
  for (const folder of [home.requests, home.state]) {
    if (!readdirSync(folder).some((name) => requestIdOf(name) !== null)) continue;
    throw new BridgeError(
      'home-unbound',
      `${folder}: expected an empty folder, since ${home.binding} is missing, found files of an unknown chat`,
      { hint: HINT },
    );
  }
}
