/**
 * The same work through the queue that people would pick on one machine (`queue/`): intake in batches, an update to its
 * started agent, and jobs a second from message to answer. Same agent, same stand-in for Telegram, same disk, in one run.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStandIn } from '../build/stand-in/stand-in.js';
import { ended, ready, scratchHome } from './home.mjs';
import { BATCH, intakeOver, updateOf } from './intake.mjs';
import { AGENT, latencyOf, openStarted, untilStarted } from './latency.mjs';
import { median } from './samples.mjs';

const ROUNDS = 60;
const JOBS = 150;

/** Null where `npm ci --prefix bench/queue` was not run. */
export async function measureQueue() {
  if (!existsSync(new URL('queue/node_modules/better-sqlite3', import.meta.url))) return null;
  const intake = await measureBatches();
  const bridge = await openStarted();
  const queue = await openQueueProcesses();
  try {
    const starts = { bridge: [], queue: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      starts.bridge.push(await bridge.oneStart());
      starts.queue.push(await queue.oneStart());
    }
    const jobs = { bridge: await jobsASecond(bridge.telegram), queue: await jobsASecond(queue.telegram) };
    return {
      intake,
      start: { bridge: latencyOf(starts.bridge.slice(5)), queue: latencyOf(starts.queue.slice(5)) },
      jobs,
    };
  } finally {
    await bridge.close();
    await queue.close();
  }
}

/** Milliseconds for one message in batches of 64. */
async function measureBatches() {
  const { openQueue } = await import('./queue/table.mjs');
  const ours = scratchHome();
  const theirs = scratchHome();
  const intake = intakeOver(ours.folders);
  const queue = openQueue(join(theirs.root, 'queue.db'));
  const times = { bridge: [], queue: [] };
  let id = 1;
  for (let round = 0; round <= 12; round += 1) {
    const batch = Array.from({ length: BATCH }, () => updateOf((id += 1)));
    const before = performance.now();
    await intake.handle(batch);
    const between = performance.now();
    for (const { message } of batch) queue.put(message.message_id, message.text);
    const after = performance.now();
    if (round > 0) times.bridge.push((between - before) / BATCH);
    if (round > 0) times.queue.push((after - between) / BATCH);
  }
  queue.close();
  ours.remove();
  theirs.remove();
  return { bridgeMs: median(times.bridge), queueMs: median(times.queue) };
}

async function openQueueProcesses() {
  const { root, remove } = scratchHome();
  const telegram = await openStandIn();
  const started = join(root, 'started');
  mkdirSync(started);
  const env = { ...process.env, BENCH_STARTED: started };
  const address = `${telegram.apiRoot}/bot${telegram.token}`;
  const run = async (program, args, word) => {
    const path = fileURLToPath(new URL(program, import.meta.url));
    const child = spawn(process.execPath, [path, join(root, 'queue.db'), ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(child, word);
    return child;
  };
  const children = [
    await run('queue/work.mjs', [address, String(telegram.chatId), AGENT], 'working'),
    await run('queue/poll.mjs', [address], 'polling'),
  ];
  return {
    telegram,
    oneStart: async () => {
      const answers = telegram.botMessages.length;
      const [took] = await untilStarted(started, telegram);
      await telegram.waitFor(({ botMessages }) => botMessages.length > answers);
      await pause(30);
      return took;
    },
    close: async () => {
      await Promise.all(children.map(ended));
      await telegram.close();
      remove();
    },
  };
}

async function jobsASecond(telegram) {
  const answers = telegram.botMessages.length;
  const before = performance.now();
  for (let count = 0; count < JOBS; count += 1) telegram.say(`/blog number ${count}`);
  // Not asked after each change: the stand-in lives in this process, and would be slowed down by it.
  while (telegram.botMessages.length < answers + JOBS) await pause(20);
  return (JOBS * 1_000) / (performance.now() - before);
}
