/** Part 3 of the proof: disks that fill up at each step, take a file by halves, turn read-only, or are slow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { budget, chance, inParallel, isFull } from './budget.ts';
import { openDiskImage, unmountable } from './disk-image.ts';
import { type Ballast, ballastIn, openMemoryDisk } from './memory-disk.ts';
import { keep } from './keeper.ts';
import { type Stage, atRest, faultsAtRest, openStage, tell } from './scenario.ts';
import { SERVICES, startStraced, untraceable } from './straced.ts';
import { countedBy, hand } from './tally.ts';

interface Disk {
  path: string;
  remount(options: string): void;
  close(): void;
}

/** What happens to the disk while the story is told; gives how often it did. */
type Trouble = (disk: Disk, stage: Stage, isOver: () => boolean) => Promise<number>;

/** How long it is so, and how long it is well, in milliseconds. */
const SPELL_MS = { bad: 400, good: 700 };

/** Fills what is left but for so many bytes, at whatever step the story is, and frees it again. */
function filled(leftBytes: number): Trouble {
  return (disk, _, isOver) => {
    const ballast: Ballast = ballastIn(disk.path);
    return spells(
      isOver,
      () => ballast.fill(leftBytes),
      () => ballast.free(),
    );
  };
}

const readOnly: Trouble = (disk, _, isOver) =>
  spells(
    isOver,
    () => disk.remount('ro'),
    () => disk.remount('rw'),
  );

async function spells(isOver: () => boolean, begin: () => void, end: () => void): Promise<number> {
  let count = 0;
  while (!isOver()) {
    try {
      begin();
      count += 1;
    } catch {
      // A file is open for writing: not read-only this time.
    }
    await after(SPELL_MS.bad);
    end();
    await after(SPELL_MS.good);
  }
  return count;
}

const LEFT = [0, 100, 1000, 4096, 8192, 20_000];
const ROUNDS = budget(2, 1);

const KINDS: { part: string; open: () => Disk; troubles: Trouble[]; cannot: () => string | null }[] = [
  {
    part: 'full disk, tmpfs',
    open: () => openMemoryDisk(1024),
    troubles: LEFT.map(filled),
    cannot: () => tried(() => openMemoryDisk(64).close()),
  },
  {
    part: 'full disk, ext4',
    open: () => openDiskImage('ext4', 12),
    troubles: LEFT.map(filled),
    cannot: () => unmountable('ext4'),
  },
  {
    part: 'read-only disk, ext4',
    open: () => openDiskImage('ext4', 12),
    troubles: [readOnly],
    cannot: () => unmountable('ext4'),
  },
];

test.runIf(isFull).each(KINDS)(
  '$part: what waits is done when the disk is well, once',
  async ({ part, open, troubles, cannot }) => {
    const began = performance.now();
    const why = cannot();
    if (why !== null) {
      hand({ part, cases: 0, faults: [], notRun: 1, seconds: 0, details: { cannot: why } });
      return;
    }
    const faults: string[] = [];
    const deaths: string[] = [];
    let times = 0;
    const cases = Array.from({ length: ROUNDS }, () => troubles).flat();
    await inParallel(cases, 2, async (trouble) => {
      const disk = open();
      const stage = await openStage({ home: disk.path });
      const keeper = keep(stage.world, { bot: stage.world.run('bot'), consumer: stage.world.run('consumer') });
      let isOver = false;
      // Not in step with the story from round to round.
      await after(chance(`${part} ${times}`)() * SPELL_MS.good);
      const troubled = trouble(disk, stage, () => isOver);
      try {
        await tell(stage, 240_000);
        await atRest(stage, 240_000);
        await keeper.stop();
        faults.push(...faultsAtRest(stage));
      } catch (error) {
        faults.push(`not driven to rest: ${String(error).slice(0, 4000)}`);
      }
      isOver = true;
      await keeper.stop();
      times += await troubled;
      deaths.push(...keeper.deaths.map(({ service, exit }) => `${service} ${exit.code ?? exit.signal}`));
      await stage.close();
      disk.close();
    });
    const seconds = (performance.now() - began) / 1000;
    hand({
      part,
      cases: cases.length,
      faults,
      notRun: 0,
      seconds,
      details: { spells: times, ends: countedBy(deaths) },
    });
    expect(faults).toEqual([]);
    expect(times).toBeGreaterThan(cases.length);
  },
);

test.runIf(isFull)('a disk whose syncs take 200 ms makes everything later, and nothing else', async () => {
  const began = performance.now();
  const part = 'slow disk';
  const cannot = untraceable();
  if (cannot !== null) {
    hand({ part, cases: 0, faults: [], notRun: 1, seconds: 0, details: { cannot } });
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'proof-slow-'));
  const stage = await openStage();
  try {
    for (const service of SERVICES) {
      const trace = join(folder, service);
      startStraced(stage.world, service, {
        trace,
        traced: ['fsync'],
        inject: ['fsync:delay_enter=200ms'],
        allThreads: true,
      });
    }
    await tell(stage, 240_000);
    await atRest(stage, 240_000);
    const faults = faultsAtRest(stage);
    hand({ part, cases: 1, faults, notRun: 0, seconds: (performance.now() - began) / 1000 });
    expect(faults).toEqual([]);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

function tried(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return String(error).split('\n')[0] ?? '';
  }
}
