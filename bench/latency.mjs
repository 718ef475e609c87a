/**
 * From an update at the server to the started agent, the bridge being idle: both real processes, against the least that
 * does it (`bare-poll.mjs`, `bare-spawn.mjs`) with the same agent and the same stand-in for Telegram, in turn.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStandIn } from '../build/stand-in/stand-in.js';
import { ended, openBridge, ready, scratchHome } from './home.mjs';
import { median, percentile } from './samples.mjs';

export const AGENT = fileURLToPath(new URL('agent.sh', import.meta.url));
const ROUNDS = 200;
const WARM_UP = 10;

/** @returns {Promise<{ bridge: Latency, bare: Latency }>} */
export async function measureLatency() {
  const bridge = await openStarted();
  const bare = await openBare();
  const times = { bridge: [], bare: [] };
  try {
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      times.bridge.push(await bridge.oneStart());
      times.bare.push(await bare.oneStart());
    }
  } finally {
    await bridge.close();
    await bare.close();
  }
  return { bridge: latencyOf(times.bridge.slice(WARM_UP)), bare: latencyOf(times.bare.slice(WARM_UP)) };
}

/**
 * @typedef {{ medianMs: number, p99Ms: number }} Latency
 * @param {number[]} times
 * @returns {Latency}
 */
export function latencyOf(times) {
  return { medianMs: median(times), p99Ms: percentile(times, 99) };
}

/**
 * Bot and consumer over a home; `oneStart` says one message and gives the milliseconds until its agent runs.
 * @param {(folders: import('../build/platform/home-folders.js').HomeFolders, chatId: number) => void} [prepare] the home
 */
export async function openStarted(prepare) {
  const bridge = await openBridge({ kind: 'command', command: [AGENT] }, {}, prepare);
  await bridge.start('bot');
  await bridge.start('consumer');
  return {
    ...bridge,
    oneStart: async () => {
      const [took, id] = await untilStarted(bridge.started, bridge.telegram);
      await settled(bridge.folders, id);
      return took;
    },
  };
}

async function openBare() {
  const { root, remove } = scratchHome();
  const telegram = await openStandIn();
  const [watched, temporary, started] = ['watched', 'temporary', 'started'].map((name) => join(root, name));
  for (const folder of [watched, temporary, started]) mkdirSync(folder);
  const env = { ...process.env, BENCH_STARTED: started };
  const run = async (program, args, word) => {
    const path = fileURLToPath(new URL(program, import.meta.url));
    const child = spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    await ready(child, word);
    return child;
  };
  const children = [
    await run('bare-spawn.mjs', [watched, AGENT], 'watching'),
    await run('bare-poll.mjs', [`${telegram.apiRoot}/bot${telegram.token}`, temporary, watched], 'polling'),
  ];
  return {
    oneStart: async () => {
      const [took] = await untilStarted(started, telegram);
      await pause(30); // its agent ends, and it polls again
      return took;
    },
    close: async () => {
      await Promise.all(children.map(ended));
      await telegram.close();
      remove();
    },
  };
}

/**
 * @param {string} folder where the agent makes a file
 * @param {import('../build/stand-in/stand-in.js').StandIn} telegram
 * @returns {Promise<[took: number, id: number]>}
 */
export function untilStarted(folder, telegram) {
  return new Promise((resolve) => {
    let id = 0;
    const watcher = watch(folder, (_event, name) => {
      if (name !== String(id)) return;
      const took = performance.now() - before;
      watcher.close();
      resolve([took, id]);
    });
    const before = performance.now();
    id = telegram.say('/blog write about spools').message_id;
  });
}

/** Nothing is left to do for the request, and the last reaction is on its way. */
async function settled({ state, pending }, id) {
  const receipt = join(state, `${id}.json`);
  while (existsSync(join(pending, `${id}.json`)) || JSON.parse(readFileSync(receipt, 'utf8')).state !== 'sent')
    await pause(5);
  await pause(30);
}
