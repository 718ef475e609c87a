/**
 * Owns: nothing; tells which program, if any, copies a folder to other machines.
 * Guarantees: by names and marks alone, no service is asked. Such a program brings files back that were removed, makes
 *   `12 2.json` of two versions, holds back a file's content, and shows one home on two machines.
 * Fails: never; what cannot be looked at tells nothing.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Folders by whose names it is known, in the words of their owners. */
const NAMES: readonly [RegExp, string][] = [
  [/\/Library\/Mobile Documents\//u, 'iCloud Drive'],
  [/\/Library\/CloudStorage\/([^/]+)\//u, '$1'],
  [/\/iCloud ?Drive\//iu, 'iCloud Drive'],
  [/\/Dropbox(?: \([^/]+\))?\//u, 'Dropbox'],
  [/\/OneDrive(?: - [^/]+)?\//u, 'OneDrive'],
  [/\/(?:Google ?Drive|My Drive|GoogleDrive-[^/]+)\//iu, 'Google Drive'],
  [/\/(?:Box|Box Sync)\//u, 'Box'],
  [/\/(?:pCloud ?Drive|pCloudDrive)\//iu, 'pCloud'],
  [/\/(Nextcloud|ownCloud|MEGAsync|MEGA|Syncthing|Yandex\.Disk|Seafile|Tresorit|SynologyDrive|Insync)\//u, '$1'],
];

/** Marks that a program leaves in the folder that it copies. */
const MARKS: readonly [RegExp, string][] = [
  [/^\.dropbox(?:\.cache)?$/u, 'Dropbox'],
  [/^\.stfolder$/u, 'Syncthing'],
  [/^\.849C9593-D756-4E56-8D6E-42412F2A707B$/u, 'OneDrive'],
  [/^\.tmp\.drive(?:upload|download)$/u, 'Google Drive'],
  [/^\.(?:nextcloudsync\.log|sync_[0-9a-f]+\.db)$/u, 'Nextcloud'],
  [/^\.owncloudsync\.log$/u, 'ownCloud'],
  [/^\.SynologyWorkingDirectory$/u, 'Synology Drive'],
];

export interface Synced {
  by: string;
  /** `perhaps`: only a setting that cannot be read here tells. */
  certainty: 'surely' | 'perhaps';
}

/** @param path real, absolute; @param userHome the folder of the user that the home belongs to */
export function syncedBy(path: string, userHome: string, platform: NodeJS.Platform = process.platform): Synced | null {
  const whole = `${path}${sep}`;
  for (const [pattern, by] of NAMES) {
    const found = pattern.exec(whole);
    if (found !== null) return { by: by === '$1' ? (found[1] ?? '') : by, certainty: 'surely' };
  }
  const marked = markedBy(path);
  if (marked !== null) return { by: marked, certainty: 'surely' };
  return platform === 'darwin' ? ofDesktopAndDocuments(whole, userHome) : null;
}

function markedBy(path: string): string | null {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const names = namesIn(folder);
    for (const [pattern, by] of MARKS) if (names.some((name) => pattern.test(name))) return by;
  }
  return null;
}

/** "Desktop & Documents Folders" is a switch of iCloud; once it is on, both names stand in iCloud Drive as well. */
function ofDesktopAndDocuments(whole: string, userHome: string): Synced | null {
  const folder = ['Desktop', 'Documents'].find((name) => whole.startsWith(join(userHome, name) + sep));
  if (folder === undefined) return null;
  const drive = join(userHome, 'Library', 'Mobile Documents', 'com~apple~CloudDocs');
  return { by: 'iCloud Drive', certainty: existsSync(join(drive, folder)) ? 'surely' : 'perhaps' };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith('.'));
  } catch {
    return [];
  }
}
