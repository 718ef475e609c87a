/** A home on this disk, a stand-in for Telegram, and the real processes over them. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeFolders, makeHomeFolders } from '../build/platform/home-folders.js';
import { openStandIn } from '../build/stand-in/stand-in.js';

/** Above all that a bench has kept before. */
const FIRST_MESSAGE = 10_000_000;
const HERE = fileURLToPath(new URL('.', import.meta.url));
export const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const PLACE = join(process.env.BENCH_FOLDER ?? HERE, '.homes');

/** On the disk of `BENCH_FOLDER`; else beside this file, since the system's temporary folder is often no disk at all. */
export function scratchHome() {
  makePlace();
  const root = mkdtempSync(join(PLACE, 'home-'));
  const folders = homeFolders(root);
  makeHomeFolders(folders);
  return { root, folders, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * ext4 passes over each inode that was deleted in the last minutes when it makes a file in the same group of blocks: after a
 * home of 10,000 files is removed a new file costs up to 1 ms there, not 0.03. Spread like folders of the root, each home gets
 * a group of its own. Elsewhere this means nothing.
 */
function makePlace() {
  if (existsSync(PLACE)) return;
  mkdirSync(PLACE);
  spawnSync('chattr', ['+T', PLACE], { stdio: 'ignore' });
}

/**
 * @param {object} agent the `agent` of config.json
 * @param {object} settings further keys of it
 * @param {(folders: import('../build/platform/home-folders.js').HomeFolders, chatId: number) => void} prepare what the home holds already
 */
export async function openBridge(agent, settings = {}, prepare = () => undefined) {
  const { root, folders, remove } = scratchHome();
  const telegram = await openStandIn({ firstMessageId: FIRST_MESSAGE });
  const config = { telegram: { chatId: telegram.chatId, userIds: [7001] }, agent, language: 'en', ...settings };
  writeFileSync(join(root, 'config.json'), JSON.stringify(config));
  const botId = Number(telegram.token.split(':')[0]);
  writeFileSync(join(folders.spool, 'home.json'), JSON.stringify({ version: 1, botId, chatId: telegram.chatId }));
  prepare(folders, telegram.chatId);
  const started = join(root, 'started');
  mkdirSync(started);
  const access = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
  const env = { ...process.env, ...access, BENCH_STARTED: started };
  /** @type {Map<string, import('node:child_process').ChildProcess>} */
  const children = new Map();
  return {
    folders,
    telegram,
    chatId: telegram.chatId,
    env,
    /** Where the agent of these benches says that it was started. */
    started,
    /**
     * @param {'bot' | 'consumer'} part
     * @param {string} words of its log that are waited for
     */
    start: async (part, words = `${part} ready`) => {
      const child = spawn(process.execPath, [MAIN, part, '--home', root], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      children.set(part, child);
      await ready(child, words);
      return child;
    },
    /** @param {'bot' | 'consumer'} part */
    stop: (part) => ended(children.get(part)),
    /** @param {'bot' | 'consumer'} part */
    pidOf: (part) => children.get(part)?.pid,
    close: async () => {
      await Promise.all([...children.values()].map(ended));
      await telegram.close();
      remove();
    },
  };
}

/**
 * @param {number} id
 * @param {number} chatId
 * @param {number} bytes of its text
 */
export function requestOf(id, chatId, bytes = 600) {
  return {
    version: 1,
    id: String(id),
    kind: 'blog',
    chatId,
    messageId: id,
    messageIds: [id],
    threadId: null,
    from: { id: 7001, name: 'Owner' },
    text: 'x'.repeat(bytes),
    conversation: String(id),
    replyTo: null,
    attachments: [],
    sentAt: '2026-11-30T09:00:00.000Z',
    receivedAt: '2026-11-30T09:00:00.412Z',
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} words that its log says, or its output
 */
export function ready(child, words) {
  const heard = heardFrom(child);
  return new Promise((resolve, reject) => {
    const look = () => {
      if (heard.text.includes(words)) resolve(undefined);
    };
    look();
    child.stderr?.on('data', look);
    child.once('exit', () => reject(new Error(`ended before it said "${words}": ${heard.text}`)));
  });
}

/** All that each child has said so far, so that nobody comes too late to hear it. */
const heardOf = new WeakMap();

function heardFrom(child) {
  const known = heardOf.get(child);
  if (known !== undefined) return known;
  const heard = { text: '' };
  heardOf.set(child, heard);
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    heard.text = (heard.text + text).slice(-20_000);
  });
  return heard;
}

/** @param {import('node:child_process').ChildProcess} child */
export function ended(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(undefined);
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}
