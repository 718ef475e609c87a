/**
 * From the visible pending file to the claimed receipt, in a real consumer; against a bare `fs.watch` that notices a file
 * in another process. Both are seen by a watch of this process, so its own delay is in both.
 */
import { spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ended, openBridge, ready, requestOf, scratchHome } from './home.mjs';
import { median } from './samples.mjs';

const COUNT = 40;
const WARM_UP = 5;
const BARE_WATCH = fileURLToPath(new URL('bare-watch.mjs', import.meta.url));

/** @returns {Promise<{ bridgeMs: number, bareMs: number, ratio: number, all: number[] }>} */
export async function measureWake() {
  const all = await bridgeTimes();
  const bareMs = median((await bareTimes()).slice(WARM_UP));
  const bridgeMs = median(all.slice(WARM_UP));
  return { bridgeMs, bareMs, ratio: bridgeMs / bareMs, all };
}

async function bridgeTimes() {
  const bridge = await openBridge({ kind: 'command', command: ['/bin/echo', 'done'] });
  const { requests, pending, spoolTemporary, state } = bridge.folders;
  const times = [];
  try {
    await bridge.start('consumer');
    for (let id = 1; id <= COUNT + WARM_UP; id += 1) {
      const temporary = join(spoolTemporary, `bench-${id}`);
      writeFileSync(temporary, JSON.stringify(requestOf(id, bridge.chatId)), { mode: 0o600 });
      linkSync(temporary, join(requests, `${id}.json`));
      const receipt = join(state, `${id}.json`);
      times.push(await untilSeen(state, `${id}.json`, () => renameSync(temporary, join(pending, `${id}.json`))));
      await settled(receipt, join(pending, `${id}.json`));
    }
  } finally {
    await bridge.close();
  }
  return times;
}

async function bareTimes() {
  const { root, remove } = scratchHome();
  const [watched, noticed, temporary] = ['watched', 'noticed', 'temporary'].map((name) => join(root, name));
  for (const folder of [watched, noticed, temporary]) mkdirSync(folder);
  const child = spawn(process.execPath, [BARE_WATCH, watched, noticed], { stdio: ['ignore', 'ignore', 'pipe'] });
  const times = [];
  try {
    await ready(child, 'watching');
    for (let id = 1; id <= COUNT + WARM_UP; id += 1) {
      writeFileSync(join(temporary, `${id}`), 'x');
      times.push(
        await untilSeen(noticed, `${id}.json`, () => renameSync(join(temporary, `${id}`), join(watched, `${id}.json`))),
      );
      await pause(20);
    }
  } finally {
    await ended(child);
    remove();
  }
  return times;
}

/**
 * @param {string} folder
 * @param {string} name that comes up in it
 * @param {() => void} act what leads to it
 * @returns {Promise<number>} in ms
 */
function untilSeen(folder, name, act) {
  return new Promise((resolve) => {
    let before = 0;
    const watcher = watch(folder, (_event, found) => {
      if (found !== name) return;
      const took = performance.now() - before;
      watcher.close();
      resolve(took);
    });
    before = performance.now();
    act();
  });
}

/**
 * @param {string} receipt
 * @param {string} pendingName
 */
async function settled(receipt, pendingName) {
  while (existsSync(pendingName) || JSON.parse(readFileSync(receipt, 'utf8')).state !== 'sent') await pause(10);
  await pause(30); // reactions, index, whatever follows
}
