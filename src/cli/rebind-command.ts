/** `blog-bridge rebind`: archives what a home holds for another bot or chat, and binds it to those of its settings. */
import type { Command } from 'commander';
import { lock } from 'proper-lockfile';
import { BridgeError, errorCode } from '../core/failure.ts';
import { nowIso } from '../platform/clock.ts';
import { makeHomeFolders } from '../platform/home-folders.ts';
import { acquireLock } from '../platform/ownership-lock.ts';
import { archiveHome, isHalfArchived } from '../spool/archive.ts';
import { bindHome, botIdOf, isEmptyHome, readBinding } from '../spool/home-binding.ts';
import { type Home, accessOf, openHome } from './open-home.ts';

/** One that was killed leaves its lock behind, which counts for 10 s. */
const PATIENCE = { retries: 15, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 };

export function addRebindCommand(program: Command): void {
  program
    .command('rebind')
    .description('archive what is here for another bot or chat, and bind the home to those of its settings')
    .action(async () => {
      const home = openHome(program.opts<{ home?: string }>().home);
      const release = await oneAtATime(home);
      try {
        process.stdout.write(`${await rebind(home)}\n`);
      } finally {
        await release();
      }
    });
}

async function rebind(home: Home): Promise<string> {
  const { folders, settings } = home;
  const wanted = { botId: botIdOf(accessOf(home).token), chatId: settings.telegram.chatId };
  makeHomeFolders(folders);
  const found = readBinding(folders);
  const isCutShort = isHalfArchived(folders);
  if (!isCutShort && found !== null && found.botId === wanted.botId && found.chatId === wanted.chatId) {
    return `This home is bound to bot ${wanted.botId} and chat ${wanted.chatId} already; nothing was done.`;
  }
  // Both, so that neither process is at work; they move along with the folders that they lie in.
  const bot = await acquireLock(folders.botLock, { temporaryFolder: folders.spoolTemporary });
  const consumer = await acquireLock(folders.consumerLock, { temporaryFolder: folders.stateTemporary });
  // Cut short just before its end: all that was here is in the archive.
  if (!isCutShort && found === null && isEmptyHome(folders)) {
    bindHome(folders, wanted.botId, wanted.chatId);
    for (const one of [bot, consumer]) one.release();
    return `Nothing was here to archive. The home is bound to bot ${wanted.botId} and chat ${wanted.chatId}.`;
  }
  const archived = archiveHome(folders, found?.chatId ?? 'unknown', nowIso());
  makeHomeFolders(folders);
  bindHome(folders, wanted.botId, wanted.chatId);
  // Where `state/` was moved earlier, a new one was locked just now.
  consumer.release();
  return `What was here lies in ${archived} now. The home is bound to bot ${wanted.botId} and chat ${wanted.chatId}.`;
}

async function oneAtATime(home: Home): Promise<() => Promise<void>> {
  try {
    return await lock(home.folders.root, { lockfilePath: `${home.folders.root}/rebind.lock`, retries: PATIENCE });
  } catch (error) {
    if (errorCode(error) !== 'ELOCKED') throw error;
    throw new BridgeError('lock-held', `${home.folders.root}: another rebind is at work here`, {
      hint: 'Wait for its end.',
    });
  }
}
