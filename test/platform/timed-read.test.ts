import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isPassing, isPassingAtStart, isOfTheSystem } from '../../src/bridge/persistence.ts';
import { TimedReader } from '../../src/platform/timed-read.ts';
import { scratchFolder } from './scratch-folder.ts';

const LIMITS = { firstMs: 2_000, besideMs: 100, mostHanging: 3 };
/** There a file is held back as long as `<file>.held` exists. */
const HOLDING = fileURLToPath(new URL('./fixtures/read-relay.js', import.meta.url));

/** With one read behind it, so that all is started. */
function openReader(): { reader: TimedReader; folder: string; hold: (name: string) => string } {
  const folder = scratchFolder();
  const reader = new TimedReader(LIMITS, HOLDING);
  onTestFinished(() => reader.close());
  writeFileSync(join(folder, 'any'), 'any');
  reader.read(join(folder, 'any'), 100);
  const hold = (name: string): string => {
    writeFileSync(join(folder, name), name);
    writeFileSync(join(folder, `${name}.held`), '');
    return join(folder, name);
  };
  return { reader, folder, hold };
}

function msOf(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

const timedOut = expect.objectContaining({ code: 'ETIMEDOUT' });

test('a read that hangs ends in ETIMEDOUT at its limit, with words that name the file, the limit and what to do', () => {
  const { reader, hold } = openReader();
  const path = hold('one');

  const tookMs = msOf(() =>
    expect(() => reader.read(path, 100)).toThrow(
      `ETIMEDOUT: ${path}: expected its content within 2 s, found it held back, as by a program that syncs this folder; let`,
    ),
  );

  expect(tookMs).toBeGreaterThan(1_990);
});

test('it is a fault of the system that passes, for whoever can wait', () => {
  const { reader, hold } = openReader();
  const path = hold('one');
  let fault: unknown;
  try {
    reader.read(path, 100);
  } catch (error) {
    fault = error;
  }

  expect([isPassing(fault), isOfTheSystem(fault), isPassingAtStart(fault)]).toEqual([true, true, true]);
});

test('whoever asks again is answered at once, and reads anew when the read has come back', async () => {
  const { reader, hold } = openReader();
  const path = hold('one');
  expect(() => reader.read(path, 100)).toThrow(timedOut);

  expect(msOf(() => expect(() => reader.read(path, 100)).toThrow(timedOut))).toBeLessThan(90);
  writeFileSync(path, 'new content');
  rmSync(`${path}.held`);

  await expect.poll(() => contentOf(reader, path)).toBe('new content');
});

test('beside a read that hangs, others are read as ever, and one that hangs too is waited for shortly', () => {
  const { reader, folder, hold } = openReader();
  expect(() => reader.read(hold('one'), 100)).toThrow(timedOut);

  expect(contentOf(reader, join(folder, 'any'))).toBe('any');
  const second = hold('two');
  const tookMs = msOf(() => expect(() => reader.read(second, 100)).toThrow(timedOut));
  expect(tookMs).toBeGreaterThan(90);
  expect(tookMs).toBeLessThan(1_900);
});

test('no more reads than a few hang at once; what is asked for beyond them is read once one came back', async () => {
  const { reader, folder, hold } = openReader();
  const [one = ''] = ['one', 'two', 'three'].map((name) => {
    const path = hold(name);
    expect(() => reader.read(path, 100)).toThrow(timedOut);
    return path;
  });

  expect(() => reader.read(join(folder, 'any'), 100)).toThrow(timedOut);
  rmSync(`${one}.held`);

  await expect.poll(() => contentOf(reader, join(folder, 'any'))).toBe('any');
});

test('where whoever reads has died, another one reads', async () => {
  const { reader, folder, hold } = openReader();
  expect(() => reader.read(hold('one'), 100)).toThrow(timedOut);
  await reader.close();
  await pause(1);

  expect(contentOf(reader, join(folder, 'any'))).toBe('any');
});

function contentOf(reader: TimedReader, path: string): string | null {
  try {
    const file = reader.read(path, 100);
    return file.kind === 'file' ? file.bytes.toString('utf8') : file.kind;
  } catch {
    return null;
  }
}
