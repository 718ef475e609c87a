/** What `blog-bridge web` costs over a home of many receipts: its answers, how soon a change is seen, its memory. */
import { spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ended, requestOf, scratchHome } from './home.mjs';
import { median } from './samples.mjs';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const CHAT_ID = 7001;
const MINUTES = 20;
const CHANGES = 20;

/** @param {number} count of receipts */
export async function measureWeb(count = Number(process.env.BENCH_RECEIPTS ?? 100_000)) {
  const { root, folders, remove } = scratchHome();
  const config = { telegram: { chatId: CHAT_ID, userIds: [CHAT_ID] }, agent: { kind: 'sample' }, language: 'en' };
  writeFileSync(join(root, 'config.json'), JSON.stringify(config));
  for (let id = 1; id <= count; id += 1) {
    writeFileSync(join(folders.requests, `${id}.json`), JSON.stringify(asked(id, count)));
    writeFileSync(join(folders.state, `${id}.json`), JSON.stringify(receiptOf(id, count)));
  }
  const begun = performance.now();
  const child = spawn(process.execPath, [MAIN, 'web', '--port', '0', '--home', root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())));
    const readyMs = performance.now() - begun;
    const firstMs = await answered(url);
    const whileReadingMs = await median(
      await times(10, () => answered(`${url}requests?page=${Math.ceil(count / 50)}`)),
    );
    const changeWhileReadingMs = median(await times(3, (index) => changeSeen(url, folders, count - index, count)));
    const whole = await indexed(url, begun);
    const rows = {
      overviewMs: median(await times(10, () => answered(url))),
      pageMs: median(await times(10, () => answered(`${url}requests?page=${Math.ceil(count / 50)}`))),
      searchMs: median(await times(10, () => answered(`${url}requests?q=harbour+${count - 7}`))),
      activityMs: median(await times(10, () => answered(`${url}activity`))),
      changeMs: median(await times(CHANGES, (index) => changeSeen(url, folders, count - 10 - index, count))),
    };
    return {
      count,
      readyMs,
      firstMs,
      whileReadingMs,
      changeWhileReadingMs,
      indexedMs: whole,
      ...rows,
      mib: residentMib(child.pid),
    };
  } finally {
    await ended(child);
    remove();
  }
}

/** @param {number} id @param {number} count */
function asked(id, count) {
  const at = instant(id, count, 0);
  const text = `${id} write about the harbour and the sea 바다와 항구에 대해 ${'words '.repeat(id % 20)}`;
  return { ...requestOf(id, CHAT_ID), text, sentAt: at, receivedAt: at };
}

/** @param {number} id @param {number} count */
function receiptOf(id, count, state = 'sent') {
  const text = `The answer to ${id}. `.repeat(40);
  const took = 5_000 + ((id * 7_919) % 300_000);
  const [submitted, sending, sent] = [500, 500 + took, 1_200 + took].map((ms) => instant(id, count, ms));
  return {
    version: 1,
    id: String(id),
    state,
    conversation: String(id),
    session: '0b9c2f64-5d0e-4c58-9f0c-4a2a8f0e7a11',
    turn: 1,
    run: 1,
    history: [
      { state: 'submitted', at: submitted },
      { state: 'sending', at: sending },
      { state, at: sent },
    ],
    reply: {
      markdown: text,
      parts: [{ kind: 'text', state: 'sent', messageIds: [1_000_000 + id], at: sent, text, entities: [] }],
    },
    agent: { pid: 4711, startedAt: submitted, bootId: 'b' },
    previous: [],
    error:
      state === 'failed' ? { stage: 'agent', code: 'agent-exit', message: 'the agent ended with exit code 1' } : null,
    attention: null,
    notice: null,
  };
}

function instant(id, count, ms) {
  return new Date(Date.now() - (count - id + 1) * MINUTES * 60_000 + ms).toISOString();
}

async function times(rounds, act) {
  const all = [];
  for (let index = 0; index < rounds; index += 1) all.push(await act(index));
  return all;
}

async function answered(url) {
  const begun = performance.now();
  const answer = await fetch(url);
  await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return performance.now() - begun;
}

/** From the rename of a receipt to the page that shows it, asked for as an open page does: when it is told of a change. */
async function changeSeen(url, folders, id, count) {
  const stop = new AbortController();
  const events = await fetch(`${url}events`, { signal: stop.signal });
  const reader = events.body.getReader();
  await reader.read();
  const path = join(folders.state, `${id}.json`);
  writeFileSync(`${folders.stateTemporary}/${id}`, JSON.stringify(receiptOf(id, count, 'failed')));
  const begun = performance.now();
  renameSync(`${folders.stateTemporary}/${id}`, path);
  try {
    for (;;) {
      await reader.read();
      const text = await (await fetch(`${url}requests?state=failed`)).text();
      if (text.includes(`aria-label="Request ${id}"`)) return performance.now() - begun;
    }
  } finally {
    stop.abort();
  }
}

/** Until all receipts are read, from the start of the program. */
async function indexed(url, begun) {
  while ((await (await fetch(url)).text()).includes('<progress')) await pause(200);
  return performance.now() - begun;
}

/** @param {number} pid */
function residentMib(pid) {
  return Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await measureWeb());
