import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LockRecord, readLock } from '../../src/platform/lock-record.ts';
import { acquireLock } from '../../src/platform/ownership-lock.ts';
import { identityOf, ownIdentity, type ProcessIdentity } from '../../src/platform/process-identity.ts';
import { buildProgram, type Program, runProgram } from './fixture-program.ts';
import { scratchFolder, subfolder } from './scratch-folder.ts';

const ROUNDS = Number(process.env['LOCK_ROUNDS'] ?? 5);
const STARTERS = 40;

const programFolder = mkdtempSync(join(tmpdir(), 'blog-bridge-program-'));
afterAll(() => rmSync(programFolder, { recursive: true }));

let starterFile: string;
let dead: ProcessIdentity;

beforeAll(async () => {
  starterFile = await buildProgram('lock-starter.ts', programFolder);
  const program = runProgram('sleep', ['60']);
  const identity = identityOf(program.pid);
  await program.kill();
  if (identity === null) throw new Error('sleep did not start');
  dead = identity;
});

let folder: string;
let temporaryFolder: string;
let path: string;

beforeEach(() => {
  folder = scratchFolder();
  temporaryFolder = subfolder(folder, 'tmp');
  path = join(folder, 'consumer.lock');
});

const acquire = () => acquireLock(path, { temporaryFolder });

const nonce = (digit: string) => digit.repeat(16);

function put(name: string, owner: ProcessIdentity, nonceOfOwner: string): void {
  const record: LockRecord = { version: 1, ...owner, nonce: nonceOfOwner, since: '2026-11-30T09:00:00.000Z' };
  writeFileSync(join(folder, name), JSON.stringify(record));
}

const filesLeft = () => readdirSync(folder).filter((name) => name !== 'tmp');

function expectTakenOver(): void {
  expect(readLock(path)).toMatchObject(ownIdentity());
  expect(filesLeft()).toEqual(['consumer.lock']);
  expect(readdirSync(temporaryFolder)).toEqual([]);
}

async function runStarter(): Promise<Program> {
  const program = runProgram(process.execPath, [starterFile]);
  expect(await program.line()).toBe('ready');
  return program;
}

function ask(program: Program): Promise<string> {
  program.tell(`acquire ${path} ${temporaryFolder}`);
  return program.line();
}

describe('guards that name each other', () => {
  it('are refused in words, not gone round for ever', async () => {
    put('consumer.lock', dead, nonce('a'));
    put(`consumer.lock.${nonce('a')}`, dead, nonce('b'));
    put(`consumer.lock.${nonce('b')}`, dead, nonce('a'));

    await expect(acquire()).rejects.toMatchObject({
      code: 'lock-unreadable',
      message: expect.stringContaining('name each other in a circle'),
    });
    expect(readLock(path)).toMatchObject({ nonce: nonce('a') });
  });
});

describe('a lock that nobody holds', () => {
  it('is taken, naming its owner in a file readable by the user only', async () => {
    const lock = await acquire();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      version: 1,
      ...ownIdentity(),
      nonce: expect.stringMatching(/^[0-9a-f]{16}$/u),
      since: expect.stringMatching(/^\d{4}-.*Z$/u),
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(lock.isOwn()).toBe(true);
    expectTakenOver();
  });

  it('can be taken again after its release, which may be repeated', async () => {
    const first = await acquire();
    first.release();
    expect(existsSync(path)).toBe(false);
    const second = await acquire();
    first.release();
    expect([first.isOwn(), second.isOwn()]).toEqual([false, true]);
  });
});

describe('a lock of a living owner', () => {
  it('is refused with its path, pid, since when, and what to do', async () => {
    put('consumer.lock', ownIdentity(), nonce('a'));
    await expect(acquire()).rejects.toMatchObject({
      code: 'lock-held',
      exitCode: 75,
      message: `${path} is held by process ${process.pid} since 2026-11-30T09:00:00.000Z`,
      hint: expect.stringContaining(`stop process ${process.pid}`),
    });
  });

  it('is refused to its own process too', async () => {
    await acquire();
    await expect(acquire()).rejects.toMatchObject({ code: 'lock-held' });
  });

  it('is not taken from an owner that is stopped', async () => {
    const owner = await runStarter();
    onTestFinished(() => owner.kill());
    expect(await ask(owner)).toBe('own');
    owner.child.kill('SIGSTOP');
    const before = readFileSync(path, 'utf8');
    await expect(acquire()).rejects.toMatchObject({
      code: 'lock-held',
      message: expect.stringContaining(`${owner.pid}`),
    });
    expect(readFileSync(path, 'utf8')).toBe(before);
    owner.child.kill('SIGCONT');
    owner.tell('release');
    expect(await owner.line()).toBe('released');
    expect((await acquire()).isOwn()).toBe(true);
  });

  it('of another machine is refused in words, whether its pid lives here or not', async () => {
    for (const pid of [process.pid, dead.pid]) {
      put('consumer.lock', { ...ownIdentity(), pid, machineId: 'another' }, nonce('a'));
      await expect(acquire()).rejects.toMatchObject({
        code: 'lock-held',
        message: expect.stringContaining('of another machine or container'),
        hint: expect.stringContaining(`delete ${path}`),
      });
    }
  });
});

describe('a lock of a dead owner', () => {
  it('is taken over after the owner was killed', async () => {
    const owner = await runStarter();
    expect(await ask(owner)).toBe('own');
    await owner.kill();
    const start = performance.now();
    await acquire();
    expect(performance.now() - start).toBeLessThan(2_000);
    expectTakenOver();
  });

  it.each([
    ['whose pid another process has now', () => ({ ...ownIdentity(), startTime: '1' })],
    ['of an earlier boot', () => ({ ...ownIdentity(), bootId: 'an earlier boot' })],
  ])('%s is taken over', async (_, owner) => {
    put('consumer.lock', owner(), nonce('a'));
    await acquire();
    expectTakenOver();
  });

  it('is taken over though the one before died between winning and replacing', async () => {
    put('consumer.lock', dead, nonce('a'));
    put(`consumer.lock.${nonce('a')}`, dead, nonce('b'));
    await acquire();
    expectTakenOver();
  });

  it('is taken over though several died one after the other while taking over', async () => {
    put('consumer.lock', dead, nonce('a'));
    put(`consumer.lock.${nonce('a')}`, dead, nonce('b'));
    put(`consumer.lock.${nonce('b')}`, dead, nonce('c'));
    put(`consumer.lock.${nonce('c')}`, dead, nonce('d'));
    await acquire();
    expectTakenOver();
  });

  it('is taken over though the one before died after replacing, and what it left is swept', async () => {
    put('consumer.lock', dead, nonce('b'));
    put(`consumer.lock.${nonce('a')}`, dead, nonce('b'));
    put(`consumer.lock.${nonce('c')}`, dead, nonce('d'));
    await acquire();
    expectTakenOver();
  });

  it('leaves other files beside the lock alone', async () => {
    const others = [`consumer.lock.${nonce('e')}`, 'consumer.lock.old', `bot.lock.${nonce('a')}`];
    put('consumer.lock', dead, nonce('b'));
    put(others[0] ?? '', ownIdentity(), nonce('f'));
    put(others[1] ?? '', dead, nonce('a'));
    put(others[2] ?? '', dead, nonce('b'));
    await acquire();
    expect(filesLeft().sort()).toEqual(['consumer.lock', ...others].sort());
  });

  it('is refused while a living process is replacing it and does not finish', async () => {
    put('consumer.lock', dead, nonce('a'));
    put(`consumer.lock.${nonce('a')}`, ownIdentity(), nonce('b'));
    await expect(acquire()).rejects.toMatchObject({
      code: 'lock-held',
      message: expect.stringContaining(`${process.pid}`),
    });
    expect(readLock(path)?.nonce).toBe(nonce('a'));
  });

  it('is waited for while a living process is replacing it: the lock is that one’s then', async () => {
    put('consumer.lock', dead, nonce('a'));
    put(`consumer.lock.${nonce('a')}`, ownIdentity(), nonce('b'));
    const outcome = expect(acquire()).rejects.toMatchObject({ code: 'lock-held' });
    put('consumer.lock', ownIdentity(), nonce('b'));
    unlinkSync(`${path}.${nonce('a')}`);
    await outcome;
    expect(readLock(path)?.nonce).toBe(nonce('b'));
  });

  it('is tried again when it is released meanwhile', async () => {
    put('consumer.lock', dead, nonce('a'));
    put(`consumer.lock.${nonce('a')}`, ownIdentity(), nonce('b'));
    const acquiring = acquire();
    unlinkSync(path);
    expect((await acquiring).isOwn()).toBe(true);
  });
});

describe('what cannot be read as a lock', () => {
  it.each<[string, () => void]>([
    ['an empty file', () => writeFileSync(path, '')],
    ['half a record', () => writeFileSync(path, '{"version":1,"pid":')],
    ['a record of another version', () => writeFileSync(path, JSON.stringify({ version: 2 }))],
    ['a pid by which kill would reach a group', () => put('consumer.lock', { ...dead, pid: -1 }, nonce('a'))],
    ['a nonce that leads out of the folder', () => put('consumer.lock', dead, '../../../../etc/x')],
    ['a folder', () => mkdirSync(path)],
    ['a link', () => symlinkSync(join(folder, 'elsewhere'), path)],
    ['a pipe', () => execFileSync('mkfifo', [path])],
    ['a huge file', () => writeFileSync(path, ' '.repeat(70_000))],
  ])('is refused and left as it is: %s', async (_, prepare) => {
    prepare();
    await expect(acquire()).rejects.toMatchObject({
      code: 'lock-unreadable',
      exitCode: 75,
      message: expect.stringContaining(path),
      hint: expect.stringContaining('delete'),
    });
    expect(filesLeft()).toEqual(['consumer.lock']);
  });
});

describe('an owner', () => {
  it.each<[string, () => void]>([
    ['is removed', () => unlinkSync(path)],
    ['is another’s', () => put('consumer.lock', ownIdentity(), nonce('a'))],
    ['is unreadable', () => writeFileSync(path, '')],
  ])('learns that its lock %s, and then removes nothing', async (_, change) => {
    const lock = await acquire();
    lock.assertOwn();
    change();
    const left = filesLeft();
    expect(lock.isOwn()).toBe(false);
    expect(() => lock.assertOwn()).toThrow(expect.objectContaining({ code: 'lock-lost', exitCode: 1 }));
    lock.release();
    expect(filesLeft()).toEqual(left);
  });
});

it('leaves no lock behind when it could not be written', async () => {
  await expect(acquireLock(path, { temporaryFolder: join(folder, 'gone') })).rejects.toMatchObject({ code: 'ENOENT' });
  expect(filesLeft()).toEqual([]);
});

describe(`of ${STARTERS} processes that start at once`, () => {
  let starters: Program[];

  beforeAll(async () => {
    starters = await Promise.all(Array.from({ length: STARTERS }, runStarter));
  });
  afterAll(() => Promise.all(starters.map((starter) => starter.kill())));

  const rows: [string, () => void][] = [
    ['without a lock', () => {}],
    ['on the lock of a dead owner', () => put('consumer.lock', dead, nonce('a'))],
    [
      'on the lock of a dead owner that others died of replacing',
      () => {
        put('consumer.lock', dead, nonce('a'));
        put(`consumer.lock.${nonce('a')}`, dead, nonce('b'));
        put(`consumer.lock.${nonce('b')}`, dead, nonce('c'));
      },
    ],
  ];

  it.each(rows)('%s exactly one owns it, within 2 s', async (_, prepare) => {
    const tookMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      prepare();
      const start = performance.now();
      const outcomes = await Promise.all(starters.map(ask));
      tookMs.push(performance.now() - start);
      const owner = starters[outcomes.indexOf('own')];
      expect(outcomes.filter((outcome) => outcome !== 'own')).toEqual(Array(STARTERS - 1).fill('lock-held'));
      expect(readLock(path)?.pid).toBe(owner?.pid);
      expect(filesLeft()).toEqual(['consumer.lock']);
      owner?.tell('release');
      expect(await owner?.line()).toBe('released');
    }
    // A machine that stands still for a moment spoils a round, not the lock.
    expect(median(tookMs)).toBeLessThan(2_000);
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
