/** What an idle bot and an idle consumer cost: processor time, and memory against a bare Node with the same packages. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentMib } from './history.mjs';
import { ended, openBridge, ready } from './home.mjs';
import { packagesOf } from './packages.mjs';
import { median } from './samples.mjs';

/** V8 collects what the start left for most of a minute. */
const SETTLE_MS = 60_000;
const WATCHED_MS = 60_000;
const BARE_IMPORTS = fileURLToPath(new URL('bare-imports.mjs', import.meta.url));

/** Of each kind: when V8 last collected its garbage moves one process by 15 MiB, so single ones tell little. */
const COUNT = 5;

/**
 * @typedef {{ cpuMs: number | null, overMs: number, mib: number, bareMib: number, all: { mib: number[], bareMib: number[] }, packages: string[] }} Idle
 * @param {'bot' | 'consumer'} part
 * @returns {Promise<Idle>} medians
 */
export async function measureIdle(part) {
  const packages = packagesOf(['cli/main.js', `cli/run-${part}.js`]);
  const bridges = [];
  const children = [];
  const bare = [];
  try {
    for (let count = 0; count < COUNT; count += 1) {
      const bridge = await openBridge({ kind: 'sample' });
      bridges.push(bridge);
      children.push(await bridge.start(part));
      const plain = spawn(process.execPath, [BARE_IMPORTS, ...packages], { stdio: ['ignore', 'ignore', 'pipe'] });
      bare.push(plain);
      await ready(plain, 'imported');
    }
    await pause(SETTLE_MS);
    const before = children.map(({ pid }) => cpuMs(pid));
    await pause(WATCHED_MS);
    const spent = children.flatMap(({ pid }, index) => (before[index] === null ? [] : [cpuMs(pid) - before[index]]));
    const all = { mib: children.map(({ pid }) => residentMib(pid)), bareMib: bare.map(({ pid }) => residentMib(pid)) };
    return {
      cpuMs: spent.length === 0 ? null : median(spent),
      overMs: WATCHED_MS,
      mib: median(all.mib),
      bareMib: median(all.bareMib),
      all,
      packages,
    };
  } finally {
    await Promise.all(bare.map(ended));
    for (const bridge of bridges) await bridge.close();
  }
}

/** Processor time of a process so far, in ticks of 10 ms; null where the system does not tell it that finely. */
function cpuMs(pid) {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
