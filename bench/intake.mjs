/** Durable intake of one-kilobyte requests, against the same system calls in a bare loop on the same disk. */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { RequestStore } from '../dist/spool/request-store.js';
import { requestOf, scratchHome } from './home.mjs';
import { median } from './samples.mjs';

const COUNT = 400;
const WARM_UP = 20;

/** @returns {{ bridgeMs: number, bareMs: number, ratio: number }} medians for one request; ratio of the rates */
export function measureIntake() {
  const ours = scratchHome();
  const theirs = scratchHome();
  try {
    const store = new RequestStore(ours.folders, 7001);
    const { requests, pending, spoolTemporary } = theirs.folders;
    const bytes = Buffer.from(`${JSON.stringify(requestOf(1_000, 7001), null, 2)}\n`);
    const bridge = [];
    const bare = [];
    // One of each in turn, so that whatever else the disk does meets both.
    for (let id = 1_000; id < 1_000 + COUNT + WARM_UP; id += 1) {
      const request = requestOf(id, 7001);
      bridge.push(timed(() => store.accept(request)));
      bare.push(timed(() => acceptBarely(id, bytes, { requests, pending, temporary: spoolTemporary })));
    }
    const [bridgeMs, bareMs] = [median(bridge.slice(WARM_UP)), median(bare.slice(WARM_UP))];
    return { bridgeMs, bareMs, ratio: bareMs / bridgeMs };
  } finally {
    ours.remove();
    theirs.remove();
  }
}

/**
 * @param {number} id
 * @param {Buffer} bytes
 * @param {{ requests: string, pending: string, temporary: string }} folders
 */
function acceptBarely(id, bytes, { requests, pending, temporary }) {
  const path = join(temporary, `bare-${id}`);
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  linkSync(path, join(requests, `${id}.json`));
  renameSync(path, join(pending, `${id}.json`));
  for (const folder of [requests, pending]) {
    const descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** @param {() => void} work */
function timed(work) {
  const before = performance.now();
  work();
  return performance.now() - before;
}
