/** A home on this disk, a stand-in for Telegram, and the real processes over them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeFolders, makeHomeFolders } from '../dist/platform/home-folders.js';
import { openStandIn } from '../dist/stand-in/stand-in.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Beside this file and not in the system's temporary folder, which is often no disk at all. */
export function scratchHome() {
  const root = mkdtempSync(join(HERE, '.home-'));
  const folders = homeFolders(root);
  makeHomeFolders(folders);
  return { root, folders, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * @param {object} agent the `agent` of config.json
 * @param {object} settings further keys of it
 */
export async function openBridge(agent, settings = {}) {
  const { root, folders, remove } = scratchHome();
  const telegram = await openStandIn({ firstMessageId: 1_000_000 });
  const config = { telegram: { chatId: telegram.chatId, userIds: [7001] }, agent, language: 'en', ...settings };
  writeFileSync(join(root, 'config.json'), JSON.stringify(config));
  const env = { ...process.env, TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  return {
    folders,
    telegram,
    chatId: telegram.chatId,
    /** @param {'bot' | 'consumer'} part */
    start: async (part) => {
      const child = spawn(process.execPath, [MAIN, part, '--home', root], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      children.push(child);
      await ready(child, `${part} ready`);
      return child;
    },
    close: async () => {
      await Promise.all(children.map(ended));
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
  return new Promise((resolve, reject) => {
    let heard = '';
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      heard = (heard + text).slice(-20_000);
      if (heard.includes(words)) resolve(undefined);
    });
    child.once('exit', () => reject(new Error(`ended before it said "${words}": ${heard}`)));
  });
}

/** @param {import('node:child_process').ChildProcess} child */
export function ended(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(undefined);
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}
