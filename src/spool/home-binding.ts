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
import { isHalfArchived } from './archive.ts';

const bindingSchema = z.looseObject({ version: z.literal(1), botId: z.int(), chatId: z.int() });
const HINT = 'Run "blog-bridge rebind" to archive what is here and bind the home anew.';

export function bindHome(home: HomeFolders, botId: number, chatId: number): void {
  if (isHalfArchived(home)) {
    throw new BridgeError(
      'home-of-another-chat',
      `${home.root}: expected spool/ and state/ of one time, found a rebind that was cut short between the two`,
      { hint: 'Run "blog-bridge rebind" once more, which finishes it.' },
    );
  }
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

/** Without a request, a receipt, or a file that names a chat. */
export function isEmptyHome(home: HomeFolders): boolean {
  return foreignFolder(home) === null && readRegularFile(home.binding, 64 * 1024).kind === 'absent';
}

function foreignFolder(home: HomeFolders): string | null {
  const holds = (folder: string): boolean => readdirSync(folder).some((name) => requestIdOf(name) !== null);
  return [home.requests, home.state].find(holds) ?? null;
}

function refuseForeignContent(home: HomeFolders): void {
  const folder = foreignFolder(home);
  if (folder !== null) {
    throw new BridgeError(
      'home-unbound',
      `${folder}: expected an empty folder, since ${home.binding} is missing, found files of an unknown chat`,
      { hint: HINT },
    );
  }
}
