/** What stands in any file of a home, or comes as an update, never ends a process, holds up the others, or leads out of the home. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { budget, isFull, seed } from '../budget.ts';
import { hand } from '../tally.ts';
import { type Template, faultsOfFile, faultsOfUpdate, makeTemplate, removeTemplate } from './damaged-home.ts';
import { mutation } from './mutation.ts';

const FILES = budget(8_000, 120);
const UPDATES = budget(8_000, 120);
const LIMIT_MS = budget(15 * 60_000, 40_000);

const begun = performance.now();
const counted: Record<string, number> = { files: 0, updates: 0 };
const faults: string[] = [];
let template: Template;

beforeAll(async () => {
  template = await makeTemplate();
});

const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

function judged(what: string, found: string[]): void {
  counted[what] = (counted[what] ?? 0) + 1;
  if (found.length > 0) faults.push(found.join('; '));
  expect(found).toEqual([]);
}

test(
  'whatever stands in a file of the home, what is said next comes to its end',
  async () => {
    const kinds = new Set(template.files.map((name) => name.split('/').slice(0, -1).join('/')));
    expect([...kinds].sort()).toEqual([
      'spool/decisions',
      'spool/members',
      'spool/parts',
      'spool/pending',
      'spool/requests',
      'spool/seals',
      'state',
      'state/conversations',
      'state/decisions',
      'state/links',
    ]);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...template.files), mutations, async (file, changes) => {
        judged('files', await faultsOfFile(template, file, changes));
      }),
      { numRuns: FILES, seed, interruptAfterTimeLimit: LIMIT_MS },
    );
  },
  20 * 60_000,
);

test(
  'whatever comes as an update, what comes after it is taken',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...template.updates), mutations, async (update, changes) => {
        judged('updates', await faultsOfUpdate(template, update, changes));
      }),
      { numRuns: UPDATES, seed, interruptAfterTimeLimit: LIMIT_MS },
    );
  },
  20 * 60_000,
);

afterAll(() => {
  removeTemplate(template);
  const cases = Object.values(counted).reduce((sum, one) => sum + one, 0);
  const notRun = isFull ? Math.max(0, FILES + UPDATES - cases) : 0;
  hand({ part: 'input', cases, faults, notRun, details: counted, seconds: (performance.now() - begun) / 1000 });
});
