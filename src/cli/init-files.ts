/**
 * Owns: what stands in `config.json` and `.env` when `init` begins, and writing both at its end.
 * Guarantees: each file is replaced whole and durably, `.env` first, so that a home with settings has its token; what
 *   another init or a person wrote meanwhile is never replaced; the token is in no file but `.env`, also after a crash at
 *   the next init.
 * Fails: `home-unusable`; `lock-held` while another init writes; `home-changed` where a file is not what it was.
 */
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseEnv } from 'dotenv';
import { lock } from 'proper-lockfile';
import { BridgeError, errorCode, errorWords } from '../core/failure.ts';
import type { InitWords } from '../core/init-words.ts';
import { parseJson } from '../core/json.ts';
import { type Settings, parseSettings } from '../core/settings.ts';
import { createDurably, replaceDurably, syncFolder } from '../platform/durable-file.ts';
import { type HomeFolders, homeFolders } from '../platform/home-folders.ts';
import { sweepTemporaries } from '../platform/temporary-files.ts';
import { fault } from './init-dialog.ts';
import { namedHome, readConfigFile } from './open-home.ts';

/** What stands in the home; `text`: null where there is no such file. */
export interface Standing {
  folders: HomeFolders;
  config: {
    text: string | null;
    /** Null without usable settings. */
    settings: Settings | null;
    json: Record<string, unknown> | null;
    trouble: string | null;
  };
  env: { text: string | null; token: string; apiRoot: string };
}

/** Makes the folder of the home where there is none. */
export function readStanding(named: string | undefined, words: InitWords): Standing {
  const path = namedHome(named);
  try {
    const made = mkdirSync(path, { recursive: true, mode: 0o700 });
    if (made !== undefined) syncFolder(dirname(made));
    const folders = homeFolders(realpathSync(path));
    const env = readConfigFile(folders.env);
    const variables = parseEnv(env ?? '');
    return {
      folders,
      config: configOf(readConfigFile(folders.config), folders.config),
      env: {
        text: env,
        token: variables['TELEGRAM_BOT_TOKEN'] ?? '',
        apiRoot: variables['TELEGRAM_API_ROOT'] ?? '',
      },
    };
  } catch (error) {
    throw error instanceof BridgeError ? error : fault('home-unusable', words.homeUnusable(path, errorWords(error)));
  }
}

function configOf(text: string | null, path: string): Standing['config'] {
  const empty = { text, settings: null, json: null, trouble: null };
  if (text === null) return empty;
  try {
    const settings = parseSettings(text, path);
    const json = parseJson(text.replace(/^\uFEFF/u, ''));
    return { ...empty, settings, json: json.ok ? (json.value as Record<string, unknown>) : null };
  } catch (error) {
    return { ...empty, trouble: errorWords(error) };
  }
}

/** What is written; null leaves a file as it stands. Returns where settings that could not be used lie now, if any did. */
export async function writeHome(
  { folders, config, env }: Standing,
  { newConfig, newEnv }: { newConfig: string | null; newEnv: string | null },
  words: InitWords,
): Promise<string | null> {
  const release = await oneAtATime(folders.root, words);
  try {
    sweepTemporaries(folders.root);
    for (const [path, text] of [
      [folders.env, env.text],
      [folders.config, config.text],
    ] as const) {
      if (readConfigFile(path) !== text) throw fault('home-changed', words.changedMeanwhile(path));
    }
    const aside = config.trouble === null || newConfig === null ? null : setAside(folders, config.text ?? '');
    if (newEnv !== null) put(folders.env, newEnv, words);
    else if (existsSync(folders.env)) chmodSync(folders.env, 0o600);
    if (newConfig !== null) put(folders.config, newConfig, words);
    return aside;
  } catch (error) {
    throw error instanceof BridgeError
      ? error
      : fault('home-unusable', words.homeUnusable(folders.root, errorWords(error)));
  } finally {
    await release();
  }
}

/** Through a link, since people keep settings in a repository of their own. */
function put(path: string, text: string, words: InitWords): void {
  const real = existsSync(path) ? realpathSync(path) : path;
  if (statSync(real, { throwIfNoEntry: false }) !== undefined) return replaceDurably(real, text, dirname(real));
  if (createDurably(real, text, dirname(real)) === 'created') return;
  throw fault('home-changed', words.changedMeanwhile(path));
}

function setAside({ root }: HomeFolders, text: string): string {
  for (let count = 1; ; count += 1) {
    const path = join(root, `config.json.unusable-${count}`);
    if (createDurably(path, text, root) === 'created') return path;
  }
}

/** Only while files are read once more and written: a person may think about an answer for an hour. */
async function oneAtATime(root: string, words: InitWords): Promise<() => Promise<void>> {
  try {
    return await lock(root, {
      lockfilePath: join(root, 'init.lock'),
      retries: { retries: 20, minTimeout: 100, maxTimeout: 500 },
      // The section takes milliseconds; a machine that sleeps in it finds out by the comparison before it writes.
      onCompromised: () => undefined,
    });
  } catch (error) {
    if (errorCode(error) === 'ELOCKED') throw fault('lock-held', words.otherInit(root));
    throw fault('home-unusable', words.homeUnusable(root, errorWords(error)));
  }
}
