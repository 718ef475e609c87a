/** From a command line and an environment to a home that can be worked with (contract §2, §3). */
import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { parse as parseEnv } from 'dotenv';
import { BridgeError, errorCode } from '../core/failure.ts';
import { type Settings, parseSettings } from '../core/settings.ts';
import { keepSecret } from '../platform/stderr.ts';
import { type HomeFolders, homeFolders } from '../platform/home-folders.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { syncedBy } from '../platform/synced-folder.ts';
import { limitReads } from '../platform/timed-read.ts';
import type { TelegramAccess } from '../telegram/connection.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;

export interface Home {
  folders: HomeFolders;
  settings: Settings;
}

/** @param named `--home`; else `BLOG_BRIDGE_HOME`; else the current folder */
export function openHome(named: string | undefined): Home {
  const folders = foldersOf(named);
  return { folders, settings: settingsOf(folders) };
}

export function foldersOf(named: string | undefined): HomeFolders {
  const folders = homeFolders(realHome(namedHome(named)));
  // Such a program may keep a file's content elsewhere, and let whoever reads it wait until it is fetched.
  if (syncedBy(folders.root, homedir()) !== null) limitReads();
  return folders;
}

export function settingsOf(folders: HomeFolders): Settings {
  const config = readConfigFile(folders.config);
  if (config === null) {
    throw new BridgeError(
      'config-missing',
      `${folders.config}: expected the settings of this home, found no such file`,
      {
        hint: 'Let "blog-bridge init" write it, or name the right folder with --home.',
      },
    );
  }
  return parseSettings(config, folders.config);
}

export function namedHome(named: string | undefined): string {
  return named ?? (process.env['BLOG_BRIDGE_HOME'] || '.');
}

/** Where the bot calls, and as whom. The environment wins over `.env`; neither is changed. */
export function accessOf(home: Pick<Home, 'folders' | 'settings'>): TelegramAccess {
  const file = envFileOf(home);
  const token = process.env['TELEGRAM_BOT_TOKEN'] || file['TELEGRAM_BOT_TOKEN'] || '';
  if (!/^\d{1,15}:\S+$/u.test(token)) {
    const found = token === '' ? 'none' : 'another text';
    throw new BridgeError(
      'token-missing',
      `TELEGRAM_BOT_TOKEN: expected a bot token (number, colon, secret) in ${home.folders.env} or the environment, found ${found}`,
      {
        hint: 'Let "blog-bridge init" ask for it; @BotFather in Telegram gives one.',
      },
    );
  }
  keepSecret(token);
  const apiRoot = process.env['TELEGRAM_API_ROOT'] || file['TELEGRAM_API_ROOT'] || home.settings.telegram.apiRoot;
  return { token, apiRoot: usableApiRoot(apiRoot) };
}

/** @throws BridgeError `config-invalid` where it is no address */
export function usableApiRoot(apiRoot: string): string {
  if (!/^https?:\/\//u.test(apiRoot) || !URL.canParse(apiRoot)) {
    throw new BridgeError(
      'config-invalid',
      `TELEGRAM_API_ROOT: expected an address that begins with http:// or https://, found ${JSON.stringify(apiRoot)}`,
      {
        hint: 'Leave it out to use Telegram itself.',
      },
    );
  }
  return apiRoot.replace(/\/+$/u, '');
}

/** A service sees nothing of this shell: what only stands in its environment must stand in `.env`. */
export function assertTokenStays(home: Home): void {
  const fromShell = shellOnlyNames(home);
  if (fromShell.length === 0) {
    accessOf(home);
    return;
  }
  throw new BridgeError(
    'token-missing',
    `${home.folders.env}: expected ${fromShell.join(' and ')} as in this shell, whose environment a service does not see, found another value or none`,
    { hint: 'Put what shall hold for the service there (mode 0600), or unset the variable.' },
  );
}

/** Variables of this shell that `.env` does not hold, or holds otherwise. */
export function shellOnlyNames(home: Pick<Home, 'folders'>): string[] {
  const file = envFileOf(home);
  return ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_API_ROOT'].filter((name) => {
    const ofShell = process.env[name] || undefined;
    return ofShell !== undefined && file[name] !== ofShell;
  });
}

function envFileOf(home: Pick<Home, 'folders'>): Record<string, string> {
  return parseEnv(readConfigFile(home.folders.env) ?? '');
}

/** The agent's working folder; the default one is made. */
export function workFolder(home: Home): string {
  const { cwd } = home.settings.agent;
  if (cwd !== undefined) return isAbsolute(cwd) ? cwd : resolve(home.folders.root, cwd);
  const folder = join(home.folders.root, 'work');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Whether the home lies in the agent's working folder, or is it: the agent could change what says whether it ran. */
export function holdsHome(cwd: string, home: string): boolean {
  try {
    const folder = realpathSync(cwd);
    return folder === home || home.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
  } catch {
    // Not there: that is another fault.
    return false;
  }
}

function realHome(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new BridgeError(
      'config-missing',
      `${path}: expected the folder of a home, found none (${errorCode(error) ?? 'error'})`,
      {
        hint: 'Let "blog-bridge init" make it, or name the right folder with --home.',
        cause: error,
      },
    );
  }
}

/** Null where there is none; a link is followed. */
export function readConfigFile(path: string): string | null {
  const file = readRegularFile(realOr(path), MAX_CONFIG_BYTES);
  if (file.kind === 'absent') return null;
  if (file.kind === 'file') return file.bytes.toString('utf8');
  throw new BridgeError('config-invalid', `${path}: expected a regular file, found something else`);
}

/** Settings may be links, as people keep them in a repository of their own. */
function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
