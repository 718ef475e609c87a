/**
 * Any history of messages, orders, faults and deaths, played by the real code on a simulated machine, keeps every rule of
 * `rules.ts`; and each wrong bridge of `mutants.ts` is seen to break the rule that it breaks.
 */
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { budget, isFull, seed } from '../budget.ts';
import { hand } from '../tally.ts';
import { histories } from './commands.ts';
import { play } from './history.ts';
import { MUTANTS } from './mutants.ts';
import type { Story } from './story.ts';

const HISTORIES = budget(20_000, 200);
/** Where a machine is too slow for all of them; the table then tells how many there were. */
const LIMIT_MS = budget(15 * 60_000, 60_000);
const COMMANDS = 25;

const counted = {
  histories: 0,
  requests: 0,
  runs: 0,
  sends: 0,
  orders: 0,
  'orders with an effect': 0,
  notices: 0,
  deaths: 0,
  'receipt versions': 0,
};
const begun = performance.now();
const faults: string[] = [];

function count({ requests, runs, sends, orders, receipts, deaths }: Story): void {
  counted.histories += 1;
  counted.requests += requests.size;
  counted.runs += runs.length;
  counted.sends += sends.length;
  counted.orders += orders.length;
  const all = [...receipts.values()].flat().filter((version) => version !== 'damaged');
  counted['receipt versions'] += all.length;
  counted['orders with an effect'] += new Set(
    all.flatMap(({ history }) => history.flatMap(({ order }) => order?.id ?? [])),
  ).size;
  counted.notices += sends.filter(({ what, arrived }) => what === 'notice' && arrived).length;
  counted.deaths += deaths;
}

test(
  'whatever happens in whatever order, the promises hold',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories(COMMANDS), async (commands) => {
        const { story, breaches } = await play(commands);
        count(story);
        if (breaches.length > 0) faults.push(breaches.join('; '));
        expect(breaches).toEqual([]);
      }),
      { numRuns: HISTORIES, seed, interruptAfterTimeLimit: LIMIT_MS },
    );
    // A generator that leads nowhere would prove nothing.
    expect(counted.histories).toBeGreaterThan(0);
    expect(counted.requests).toBeGreaterThan(counted.histories);
    for (const figure of ['runs', 'notices', 'deaths', 'orders with an effect'] as const)
      expect(counted[figure], figure).toBeGreaterThan(counted.histories / 10);
  },
  20 * 60_000,
);

test.each(Object.entries(MUTANTS))(
  '%s is seen',
  async (_name, { breaks, mutate }) => {
    const details = await fc.check(
      fc.asyncProperty(histories(COMMANDS), async (commands) => {
        const { breaches } = await play(commands, mutate);
        const found = breaches.filter((breach) => breach.startsWith(breaks));
        expect(found).toEqual([]);
      }),
      { numRuns: 600, seed, endOnFailure: true },
    );
    expect(details.failed, `after ${details.numRuns} histories`).toBe(true);
  },
  300_000,
);

test.runIf(isFull)(
  'what breaks a rule is told by a history that holds little else',
  async () => {
    const { breaks, mutate } = MUTANTS['a sender that takes a lost answer for no arrival'] as (typeof MUTANTS)[string];
    const details = await fc.check(
      fc.asyncProperty(histories(COMMANDS), async (commands) => {
        const { breaches } = await play(commands, mutate);
        expect(breaches.filter((breach) => breach.startsWith(breaks))).toEqual([]);
      }),
      { numRuns: 1_500, seed },
    );
    const shrunk = [...(details.counterexample?.[0] ?? [])].map((command) => command.toString());
    expect(shrunk.length, shrunk.join(', ')).toBeLessThanOrEqual(6);
  },
  600_000,
);

afterAll(() => {
  const seconds = (performance.now() - begun) / 1000;
  const { histories: cases, ...details } = counted;
  hand({ part: 'model', cases, faults, notRun: isFull ? Math.max(0, HISTORIES - cases) : 0, details, seconds });
});
