/** `core/` decides and computes: time, chance and the world come in as arguments, and nothing in it waits. */
import { expect, test } from 'vitest';
import { importsOf, sourceFiles } from './source-files.ts';

const core = sourceFiles().filter(({ path }) => path.startsWith('core/'));

/** Packages that compute and do nothing else. */
const PURE_PACKAGES = /^(?:zod|mdast.*|micromark.*)$/u;

const IMPURE = {
  waits: /\basync\b|\bawait\b|\bPromise\.|\bnew Promise\b|\.then\(/u,
  'reads a clock': /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bperformance\b/u,
  'throws dice': /\bMath\.random\b|\bcrypto\b|\brandomUUID\b/u,
  'sets a timer': /\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/u,
  'looks around': /(?<!\.)\bprocess\.|\bglobalThis\b|\bconsole\b|\bfetch\(|\bimport\.meta\b|\bimport\(/u,
};

test.for(Object.entries(IMPURE))('nothing in core %s', ([, pattern]) => {
  expect(core.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([]);
});

test('core imports nothing of Node, and only packages that compute', () => {
  const foreign = core.flatMap((file) =>
    importsOf(file)
      .filter((name) => !name.startsWith('.') && !PURE_PACKAGES.test(name))
      .map((name) => `${file.path}: ${name}`),
  );

  expect(foreign).toEqual([]);
  expect(core.length).toBeGreaterThan(20);
});
