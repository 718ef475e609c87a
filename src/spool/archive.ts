/**
 * Owns: `archive/`, what a home held for another bot or chat.
 * Guarantees: `state/` goes first, then `spool/`, so that a home that was cut short in between still names its old chat and
 *   refuses to start; called again, it is taken up where it ended. Nothing is deleted.
 * Fails: the system's error unchanged.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../platform/durable-file.ts';
import { type HomeFolders, makeFolder } from '../platform/home-folders.ts';

/**
 * @param chatId of what is archived
 * @param at ISO instant, part of the folder's name
 * @returns the folder in which it lies now
 */
export function archiveHome(home: HomeFolders, chatId: number | 'unknown', at: string): string {
  const archive = join(home.root, 'archive');
  makeFolder(archive);
  const folder = join(archive, unfinished(archive) ?? `${chatId}-${at.slice(0, 19).replaceAll(':', '-')}`);
  makeFolder(folder);
  for (const [from, name] of [
    [home.state, 'state'],
    [home.spool, 'spool'],
  ] as const) {
    if (!existsSync(from) || existsSync(join(folder, name))) continue;
    renameSync(from, join(folder, name));
    syncFolder(folder);
    syncFolder(home.root);
  }
  return folder;
}

/**
 * True where a `rebind` was cut short after `state/` was moved: what is in `spool/` would look as if none of it had ever
 * been run.
 */
export function isHalfArchived(home: HomeFolders): boolean {
  const archive = join(home.root, 'archive');
  const name = existsSync(archive) ? unfinished(archive) : null;
  return name !== null && existsSync(join(archive, name, 'state'));
}

/** One that has no `spool/` yet was cut short. Other names in there are none of ours. */
function unfinished(archive: string): string | null {
  const ours = readdirSync(archive).filter((name) =>
    /^(?:-?\d+|unknown)-\d{4}(?:-\d\d){2}T\d\d(?:-\d\d){2}$/u.test(name),
  );
  return ours.find((name) => !existsSync(join(archive, name, 'spool'))) ?? null;
}
