/**
 * Owns: where everything of a home lies (contract §2), and that its folders exist.
 * Guarantees: folders are 0700, and durable before anything is put into them.
 * Fails: `home-unusable` where no folder can be made; else the system's error unchanged.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BridgeError, errorCode } from '../core/failure.ts';
import { syncFolder } from './durable-file.ts';

export type HomeFolders = ReturnType<typeof homeFolders>;

/** @param root the real path of the home, which is its identity: two spellings of one folder are one home */
export function homeFolders(root: string) {
  const spool = join(root, 'spool');
  const state = join(root, 'state');
  return {
    root,
    config: join(root, 'config.json'),
    env: join(root, '.env'),
    work: join(root, 'work'),
    spool,
    requests: join(spool, 'requests'),
    pending: join(spool, 'pending'),
    parts: join(spool, 'parts'),
    members: join(spool, 'members'),
    seals: join(spool, 'seals'),
    orders: join(spool, 'decisions'),
    unread: join(spool, 'unread'),
    spoolTemporary: join(spool, 'tmp'),
    binding: join(spool, 'home.json'),
    migration: join(spool, 'migrated.json'),
    botLock: join(spool, 'bot.lock'),
    state,
    links: join(state, 'links'),
    takenOrders: join(state, 'decisions'),
    files: join(state, 'files'),
    conversations: join(state, 'conversations'),
    damaged: join(state, 'damaged'),
    stateTemporary: join(state, 'tmp'),
    consumerLock: join(state, 'consumer.lock'),
    botHeartbeat: join(state, 'bot.json'),
    consumerHeartbeat: join(state, 'consumer.json'),
  } as const;
}

/** Makes the folders that both processes need; those that exist stay as they are. */
export function makeHomeFolders(home: HomeFolders): void {
  const { spool, requests, pending, parts, members, seals, orders, unread, spoolTemporary } = home;
  const { state, links, takenOrders, files, conversations, damaged, stateTemporary } = home;
  const all = [spool, requests, pending, parts, members, seals, orders, unread, spoolTemporary];
  for (const folder of [...all, state, links, takenOrders, files, conversations, damaged, stateTemporary])
    makeFolder(folder);
}

const CLOSED_TO_US = new Set(['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);

/** A folder whose own name is not durable could take its durable files with it. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
    if (!CLOSED_TO_US.has(code)) throw error;
    throw new BridgeError('home-unusable', `${folder}: expected a folder, and it cannot be made (${code})`, {
      hint: 'Look at what is there, and at whom the folder above belongs to.',
      cause: error,
    });
  }
  syncFolder(dirname(folder));
}
