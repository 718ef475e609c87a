/**
 * What a home's history costs: homes that have kept 0, 10,000, 100,000 and 1,000,000 requests and receipts, side by side.
 * Update to started agent; start of the consumer to its first claim, and its memory; `status`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RequestStore } from '../build/spool/request-store.js';
import { AGENT, latencyOf, openStarted } from './latency.mjs';
import { MAIN, openBridge, ready, requestOf } from './home.mjs';
import { median } from './samples.mjs';

const SIZES = [10_000, 100_000, 1_000_000];
const MESSAGES = 60;
const STARTS = 5;
/** For the memory of a consumer that has looked over everything: V8 gives back what the start left. */
const SETTLE_MS = 20_000;

export async function measureHistory() {
  const none = await openStarted();
  const sizes = [];
  try {
    for (const size of SIZES) {
      const kept = await openStarted((folders, chatId) => keep(folders, chatId, size));
      try {
        const times = { none: [], kept: [] };
        for (let round = 0; round < MESSAGES; round += 1) {
          times.none.push(await none.oneStart());
          times.kept.push(await kept.oneStart());
        }
        sizes.push({ size, none: latencyOf(times.none.slice(5)), kept: latencyOf(times.kept.slice(5)) });
        if (size === SIZES.at(-1))
          return { sizes, ...(await measureStarts(none, kept)), status: await measureStatus(kept) };
      } finally {
        await kept.close();
      }
    }
  } finally {
    await none.close();
  }
}

/** Files as the bridge writes them, but not synced one by one. */
export function keep({ requests, state, links }, chatId, size) {
  for (let id = 1; id <= size; id += 1) {
    writeFileSync(join(requests, `${id}.json`), `${JSON.stringify(requestOf(id, chatId, 100), null, 2)}\n`, {
      mode: 0o600,
    });
    writeFileSync(join(state, `${id}.json`), `${JSON.stringify(receiptOf(id), null, 2)}\n`, { mode: 0o600 });
  }
  // One stands, so that the folder counts as not lost; links are looked up by name alone.
  writeFileSync(join(links, '1.json'), '{"version":1,"requestId":"1","conversation":"1"}\n', { mode: 0o600 });
}

function receiptOf(id) {
  const at = '2026-11-30T09:00:01.000Z';
  const part = { kind: 'text', state: 'sent', messageIds: [1], at, text: 'done', entities: [] };
  return {
    version: 1,
    id: String(id),
    state: 'sent',
    conversation: String(id),
    session: '0b9c1e5a-0000-4000-8000-000000000000',
    turn: 1,
    run: 1,
    history: ['submitted', 'sending', 'sent'].map((state) => ({ state, at })),
    reply: { markdown: 'done', parts: [part] },
    agent: { pid: 4711, startedAt: at, bootId: 'b', startTime: '1', machineId: 'm' },
    previous: [],
    error: null,
    attention: null,
    notice: null,
  };
}

/** Start of the consumer to its first claim, one request pending; its memory there, and once it is idle. */
async function measureStarts(none, kept) {
  const claims = { none: [], kept: [] };
  const memory = { none: [], kept: [] };
  for (let round = 0; round < STARTS; round += 1) {
    for (const [name, home] of Object.entries({ none, kept })) {
      await home.stop('consumer');
      const id = 2_000_000 + round;
      const { folders, chatId } = home;
      const store = new RequestStore(folders, chatId);
      store.place(requestOf(id, chatId));
      await store.syncNames();
      const before = performance.now();
      const child = await home.start('consumer', 'agent let go');
      claims[name].push(performance.now() - before);
      if (round === STARTS - 1) await ready(child, 'looked over');
    }
  }
  await pause(SETTLE_MS);
  for (const [name, home] of Object.entries({ none, kept })) memory[name] = residentMib(home.pidOf('consumer'));
  return { firstClaimMs: { none: median(claims.none), kept: median(claims.kept) }, residentMib: memory };
}

async function measureStatus(kept) {
  const few = await openBridge({ kind: 'command', command: [AGENT] }, {}, (folders, chatId) =>
    keep(folders, chatId, 100),
  );
  try {
    await few.start('consumer', 'looked over');
    const times = { few: [], kept: [], unnamed: [] };
    for (let round = 0; round < STARTS + 1; round += 1) {
      times.few.push(statusMs(few));
      times.kept.push(statusMs(kept));
    }
    await kept.stop('consumer');
    rmSync(kept.folders.consumerHeartbeat);
    for (let round = 0; round < 3; round += 1) times.unnamed.push(statusMs(kept));
    return { fewMs: median(times.few.slice(1)), keptMs: median(times.kept.slice(1)), unnamedMs: median(times.unnamed) };
  } finally {
    await few.close();
  }
}

function statusMs({ folders, env }) {
  const before = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'status', '--home', folders.root], { env });
  if (status !== 0) throw new Error(`status ended with ${status}: ${stderr}`);
  return performance.now() - before;
}

export function residentMib(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
