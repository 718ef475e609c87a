/** Forty that start at once on what a dead owner, a reused pid, a reboot, another machine or a stray hand has left. */
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld } from '../../test/harness/bridge.ts';
import { type Program, runProgram } from '../../test/platform/fixture-program.ts';
import { budget, chance } from '../budget.ts';
import { hand } from '../tally.ts';

const STARTERS = 40;
const ROUNDS = budget(200, 12);
/** In how many of the rounds processes are killed, owners and such as are about to be; in the others a lock of one killed is put there. */
const KILLS_EVERY = budget(3, 6);
const REAL_ROUNDS = budget(3, 0);
const STARTER = fileURLToPath(new URL('starter.mjs', import.meta.url));
/** Of the promised 2 s a slow machine may make more; the figures tell how long it was. */
const PATIENCE_MS = 20_000;
const NOBODY = 65_534;

const draw = chance('lock');
let folder: string;
let path: string;
let log: string;
let starters: Program[] = [];
/** The lock of a process that is dead, as it wrote it. */
let deadRecord: Record<string, unknown>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lock-proof-'));
  path = join(folder, 'consumer.lock');
  log = join(folder, 'owners.log');
  mkdirSync(join(folder, 'tmp'), { mode: 0o777 });
  writeFileSync(log, '');
  starters = await Promise.all(Array.from({ length: STARTERS }, () => start()));
});

afterAll(async () => {
  await Promise.all(starters.map((starter) => starter.kill()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(...prefix: string[]): Promise<Program> {
  const [command, ...args] = [...prefix, process.execPath, STARTER, path, join(folder, 'tmp'), log];
  const program = runProgram(command, args);
  expect(await program.line()).toBe('ready');
  return program;
}

/** The same living process, but not the one that the lock names. */
const OTHER: Record<string, () => Record<string, unknown>> = {
  'a dead owner': () => ({}),
  'a reused pid': () => ({ pid: one(starters).pid, startTime: '4711' }),
  'a boot before this one': () => ({ ...recordOf(one(starters)), bootId: '00000000-0000-4000-8000-000000000000' }),
};

function one<T>(items: readonly T[]): T {
  return items[Math.floor(draw() * items.length)] as T;
}

/** As a starter’s lock would name it: start time and place are this machine's own. */
function recordOf(program: Program): Record<string, unknown> {
  const stat = readFileSync(`/proc/${program.pid}/stat`, 'latin1');
  return { pid: program.pid, startTime: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] };
}

function put(name: string, fields: Record<string, unknown>, nonce: string): void {
  writeFileSync(join(folder, name), JSON.stringify({ ...deadRecord, ...fields, nonce }));
}

/** Nonces never return. */
function nonceOf(round: number, which: number): string {
  return (round * 16 + which).toString(16).padStart(16, '0');
}

async function letGo(owner: Program): Promise<void> {
  owner.tell('release');
  expect(await owner.line()).toBe('released');
}

interface Round {
  owners: Program[];
  others: string[];
  /** Until the owner knew, in ms. */
  tookMs: number;
}

async function race(round: string): Promise<Round> {
  const begun = performance.now();
  let tookMs = Number.NaN;
  for (const starter of starters) starter.tell(round);
  const answers = await Promise.all(
    starters.map(async (starter) => {
      // One that is killed in the middle says nothing.
      const answer = await starter.line().catch(() => 'dead');
      if (answer === 'own') tookMs = performance.now() - begun;
      return { starter, answer };
    }),
  );
  return {
    owners: answers.filter(({ answer }) => answer === 'own').map(({ starter }) => starter),
    others: answers.filter(({ answer }) => answer !== 'own').map(({ answer }) => answer),
    tookMs,
  };
}

async function replace(victims: readonly Program[]): Promise<void> {
  await Promise.all(victims.map((victim) => victim.kill()));
  starters = [
    ...starters.filter((starter) => !victims.includes(starter)),
    ...(await Promise.all(victims.map(() => start()))),
  ];
}

test(
  `of forty that start at once exactly one owns, ${ROUNDS} times`,
  async () => {
    const began = performance.now();
    const faults: string[] = [];
    const took: number[] = [];
    const counts: Record<string, number> = {};
    const first = await race('first');
    expect(first.owners).toHaveLength(1);
    deadRecord = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    await replace(first.owners);

    for (let round = 1; round <= ROUNDS; round += 1) {
      const kind = round % 4 === 0 ? one(Object.keys(OTHER)) : 'a dead owner';
      put('consumer.lock', OTHER[kind]?.() ?? {}, nonceOf(round, 0));
      const isDeadly = round % KILLS_EVERY === 0;
      const isBlocked = round % 5 === 1;
      if (isBlocked) {
        put(`consumer.lock.${nonceOf(round, 0)}`, {}, nonceOf(round, 1));
        put(`consumer.lock.${nonceOf(round, 1)}`, {}, nonceOf(round, 2));
      }
      const name = `${kind}${isBlocked ? ', others died of replacing it' : ''}${isDeadly ? ', some die at it' : ''}`;
      counts[name] = (counts[name] ?? 0) + 1;

      const racing = race(`round-${round}`);
      const victims = isDeadly ? [one(starters), one(starters)] : [];
      if (isDeadly) await new Promise((resolve) => void setTimeout(resolve, draw() * 30));
      await Promise.all([...new Set(victims)].map((victim) => victim.kill()));
      let { owners, others, tookMs } = await racing;
      await replace([...new Set(victims)]);
      // An owner that was killed at once has refused the others, and left nobody.
      owners = owners.filter((owner) => !victims.includes(owner));
      if (isDeadly && owners.length === 0) ({ owners, others, tookMs } = await race(`round-${round}-again`));
      if (owners.length !== 1) faults.push(`round ${round} (${name}): ${owners.length} owners`);
      const wrong = others.filter((answer) => answer !== 'dead' && !answer.includes('"lock-held","exitCode":75'));
      if (wrong.length > 0) faults.push(`round ${round} (${name}): ${wrong.slice(0, 3).join(' ')}`);
      if (!(tookMs < PATIENCE_MS)) faults.push(`round ${round} (${name}): ${tookMs} ms`);
      took.push(tookMs);
      const named = JSON.parse(readFileSync(path, 'utf8')) as { pid: number };
      if (named.pid !== owners[0]?.pid) faults.push(`round ${round} (${name}): the lock names ${named.pid}`);
      if (isDeadly) await replace(owners);
      else for (const owner of owners) await letGo(owner);
    }
    // What was believed in: of all who wrote that they own it, one a round was not killed by us in the middle of it.
    const believed = readFileSync(log, 'utf8').trim().split('\n').length;
    const deadly = Object.entries(counts).reduce(
      (sum, [name, count]) => sum + (name.includes('die at it') ? count : 0),
      0,
    );
    if (believed < ROUNDS + 1 || believed > ROUNDS + 1 + 2 * deadly) faults.push(`${believed} believed to own`);
    took.sort((a, b) => a - b);
    hand({
      part: 'lock rounds',
      cases: ROUNDS,
      faults,
      notRun: 0,
      seconds: (performance.now() - began) / 1000,
      details: {
        starters: STARTERS,
        medianMs: Math.round(took[took.length >> 1] ?? 0),
        longestMs: Math.round(took.at(-1) ?? 0),
        counts,
      },
    });
    expect(faults).toEqual([]);
  },
  budget(3_600_000, 120_000),
);

const STRAYS: [string, () => void, string][] = [
  ['another machine’s lock', () => put('consumer.lock', { machineId: 'another' }, 'd'.repeat(16)), 'lock-held'],
  [
    'another machine’s lock with a pid that lives here',
    () => put('consumer.lock', { machineId: 'another', pid: process.pid }, 'd'.repeat(16)),
    'lock-held',
  ],
  ['an empty file', () => writeFileSync(path, ''), 'lock-unreadable'],
  ['half a lock', () => writeFileSync(path, JSON.stringify(deadRecord).slice(0, 40)), 'lock-unreadable'],
  [
    'noise',
    () => writeFileSync(path, Buffer.from(Array.from({ length: 300 }, () => Math.floor(draw() * 256)))),
    'lock-unreadable',
  ],
  ['a folder', () => mkdirSync(path), 'lock-unreadable'],
  ['a folder with a file', () => (mkdirSync(path), writeFileSync(join(path, 'x'), '')), 'lock-unreadable'],
];

test.each(STRAYS)('%s is refused to all forty in words, and stays as it was', async (_, prepare, code) => {
  rmSync(path, { recursive: true, force: true });
  prepare();
  const look = (): string => {
    try {
      return readFileSync(path, 'latin1');
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code);
    }
  };
  const before = look();
  const { owners, others } = await race('stray');
  expect(owners).toEqual([]);
  for (const answer of others) expect(JSON.parse(answer)).toMatchObject({ code, exitCode: 75 });
  expect(look()).toBe(before);
  rmSync(path, { recursive: true, force: true });
});

test.runIf(process.getuid?.() === 0)('a lock that may not be read is refused in words', async () => {
  rmSync(path, { recursive: true, force: true });
  put('consumer.lock', {}, 'e'.repeat(16));
  chmodSync(path, 0o000);
  chmodSync(folder, 0o777);
  chownSync(path, 0, 0);
  const stranger = await start('setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups');
  stranger.tell('unreadable');
  expect(JSON.parse(await stranger.line())).toMatchObject({ code: 'lock-unreadable', exitCode: 75 });
  await stranger.kill();
  expect(existsSync(path)).toBe(true);
  rmSync(path);
});

test.runIf(REAL_ROUNDS > 0)(
  `of forty real consumers exactly one works, ${REAL_ROUNDS} times`,
  async () => {
    const began = performance.now();
    const world = await openWorld();
    for (let round = 0; round < REAL_ROUNDS; round += 1) {
      const consumers = Array.from({ length: STARTERS }, () => world.run('consumer'));
      const ready = await Promise.race(
        consumers.map(async (consumer) => consumer.logged('consumer ready', {}, 300_000).then(() => consumer)),
      );
      const losers = consumers.filter((consumer) => consumer !== ready);
      for (const loser of losers) {
        expect(await loser.exited).toEqual({ code: 75, signal: null });
        expect(loser.stderr).toContain(`held by process ${ready.pid} since`);
      }
      await ready.kill();
    }
    hand({
      part: 'lock real consumers',
      cases: REAL_ROUNDS,
      faults: [],
      notRun: 0,
      seconds: (performance.now() - began) / 1000,
    });
  },
  3_600_000,
);
