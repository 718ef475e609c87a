/**
 * Part 2 of the proof: the power goes at any sync, and at any instant at which Telegram is told or given something. Both
 * processes stand still there while the disk is copied as it is; the copy is mounted and judged. One story gives hundreds
 * of such instants.
 */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Running } from '../test/harness/bridge.ts';
import { isFull } from './budget.ts';
import { type FileSystem, openDiskImage, unmountable } from './disk-image.ts';
import { faultsOf } from './history-checker.ts';
import { type Stage, atRest, faultsAtRest, openStage, tell, witnessed } from './scenario.ts';
import { hand } from './tally.ts';

const PRELOAD = fileURLToPath(new URL('pause-at-sync.mjs', import.meta.url));

interface Findings {
  instants: number;
  /** Of those, at which a process was about to sync. */
  syncs: number;
  faults: string[];
}

const CONTROLS = [
  { left: 'the sync of every folder', skip: '/(?:requests|pending|parts|seals|members|decisions|state|links)$' },
  { left: 'the sync of every file', skip: '\\.tmp$' },
];

test.runIf(isFull).each(['ext4', 'xfs'] as const)(
  '%s keeps what Telegram was told of, and what it was given',
  async (fileSystem) => {
    const began = performance.now();
    const part = `power loss, ${fileSystem}`;
    const cannot = unmountable(fileSystem);
    if (cannot !== null) {
      hand({ part, cases: 0, faults: [], notRun: 1, seconds: 0, details: { cannot } });
      return;
    }
    const { instants, syncs, faults } = await story(fileSystem);
    const seen: Record<string, { instants: number; faults: number; such: string | undefined }> = {};
    for (const { left, skip } of CONTROLS) {
      const control = await story(fileSystem, skip);
      seen[left] = { instants: control.instants, faults: control.faults.length, such: control.faults[0] };
    }
    hand({
      part,
      cases: instants,
      faults,
      notRun: 0,
      seconds: (performance.now() - began) / 1000,
      details: { syncs, tells: instants - syncs, leftOutOnPurpose: seen },
    });
    expect(faults).toEqual([]);
    expect(syncs).toBeGreaterThan(50);
    // The method sees: what is left out on purpose is found missing.
    for (const [left, { faults: found }] of Object.entries(seen)) expect(found, left).toBeGreaterThan(0);
  },
);

async function story(fileSystem: FileSystem, skip?: string): Promise<Findings> {
  const disk = openDiskImage(fileSystem);
  const control = mkdtempSync(join(tmpdir(), 'proof-power-'));
  const stage = await openStage({ home: disk.path });
  const found: Findings = { instants: 0, syncs: 0, faults: [] };
  const { world } = stage;
  const env = {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    SYNC_AT: JSON.stringify({ control, ...(skip === undefined ? {} : { skip }) }),
  };
  const running = (['bot', 'consumer'] as const).map((service) => world.runUnder([], env, service));
  const look = (at: string): void => {
    found.instants += 1;
    found.faults.push(...disk.afterPowerLoss((copy) => faultsOn(copy, stage)).map((fault) => `${at}: ${fault}`));
  };
  const stopLooking = lookAtEachTelling(stage, running, control, look);
  const guard = grantSyncs(running, control, (path) => {
    found.syncs += 1;
    look(`before the sync of ${path.replace(`${disk.path}/`, '')}`);
  });
  try {
    await tell(stage, 240_000);
    await atRest(stage, 240_000);
    if (skip === undefined) found.faults.push(...faultsAtRest(stage));
  } finally {
    stopLooking();
    clearInterval(guard);
    await stage.close();
    disk.close();
    rmSync(control, { recursive: true, force: true });
  }
  return found;
}

/** Whenever Telegram was told that more is done, or took something. */
function lookAtEachTelling(
  { world }: Stage,
  running: readonly Running[],
  control: string,
  look: (at: string) => void,
): () => void {
  let known = '';
  return world.telegram.onChange(() => {
    const accepted = world.telegram.calls.filter(
      (call) => call.accepted && /^send(?!ChatAction)/u.test(call.method),
    ).length;
    const now = `offset ${world.telegram.confirmedOffset ?? 0}, ${accepted} messages`;
    if (now === known) return;
    known = now;
    stillStand(running, control, () => look(`with ${now}`));
  });
}

/** A process that asks for leave to sync gets it when the disk was looked at. */
function grantSyncs(running: readonly Running[], control: string, look: (path: string) => void): NodeJS.Timeout {
  return setInterval(() => {
    for (const name of readdirSync(control).filter((one) => one.endsWith('.asked'))) {
      const path = readFileSync(join(control, name), 'utf8');
      stillStand(running, control, () => look(path));
      unlinkSync(join(control, name));
      writeFileSync(join(control, name.replace('.asked', '.leave')), '');
    }
  }, 1);
}

/** Both processes stop, or wait for their leave, while `work` is done. */
function stillStand(running: readonly Running[], control: string, work: () => void): void {
  const moving = running.filter(({ pid }) => !existsSync(join(control, `${pid}.asked`)));
  for (const { child } of moving) child.kill('SIGSTOP');
  while (!moving.every(({ pid }) => isStill(pid))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  try {
    work();
  } finally {
    for (const { child } of moving) child.kill('SIGCONT');
  }
}

function isStill(pid: number): boolean {
  try {
    return /^[TZX]/u.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /su, ''));
  } catch {
    return true;
  }
}

/** What contradicts the promises on a disk after the power came back, nothing having been started yet. */
function faultsOn(copy: string, stage: Stage): string[] {
  const faults = faultsOf({ ...witnessed(stage, false), home: copy });
  for (const name of stage.world.names('state').filter((one) => /^\d+\.json$/u.test(one))) {
    const receipt = existsSync(join(copy, 'state', name)) ? wholeJson(join(copy, 'state', name)) : null;
    for (const file of filesOf(receipt)) {
      const path = join('state', 'files', name.replace('.json', ''), file);
      const kept = statSync(join(copy, path), { throwIfNoEntry: false })?.size;
      const wanted = statSync(stage.world.path(path)).size;
      if (kept !== wanted)
        faults.push(`${path}: its receipt names it, ${wanted} bytes, and the disk has ${kept ?? 'none'}`);
    }
  }
  return faults;
}

interface NamedFiles {
  reply?: { parts: { file?: string }[] } | null;
  attachments?: { file: string | null }[];
}

function wholeJson(path: string): NamedFiles | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as NamedFiles;
  } catch {
    return null;
  }
}

function filesOf(receipt: NamedFiles | null): string[] {
  return [
    ...(receipt?.reply?.parts ?? []).flatMap(({ file }) => file ?? []),
    ...(receipt?.attachments ?? []).flatMap(({ file }) => file ?? []),
  ];
}
