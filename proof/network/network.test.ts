/** A line that cuts, stalls, doubles and lies, and what the receipts claim of it. */
import { expect, test } from 'vitest';
import { budget, inParallel, isFull } from '../budget.ts';
import { hand } from '../tally.ts';
import { MISHAPS } from './mishap.ts';
import { COUNTED, type Report, runNetworkWorld } from './network-world.ts';

const WORLDS = budget(4, 1);
const EXCHANGES = budget(2_400, 100);

test(
  'whatever the line does, nothing is lost or doubled, no claim is false, and no call waits for ever',
  async () => {
    const began = performance.now();
    const reports: Report[] = [];
    const worlds = Array.from({ length: WORLDS }, (_, index) => index);
    await inParallel(worlds, WORLDS, async (index) => {
      const report = await runNetworkWorld({
        name: `network ${index}`,
        share: [index, WORLDS],
        exchanges: EXCHANGES / WORLDS,
        whole: isFull,
      });
      reports.push(report);
    });
    const faults = reports.flatMap((report) => report.faults);
    const exchanges = reports.flatMap((report) => report.exchanges);
    const counted = exchanges.filter(({ method }) => COUNTED.includes(method));
    const spoilt = counted.filter(({ mishap }) => mishap.kind !== 'none');
    const ends: Record<string, number> = {};
    for (const report of reports)
      for (const [end, count] of Object.entries(report.ends)) ends[end] = (ends[end] ?? 0) + count;
    hand({
      part: 'network',
      cases: counted.length,
      faults,
      notRun: 0,
      seconds: (performance.now() - began) / 1000,
      details: {
        spoilt: spoilt.length,
        kinds: MISHAPS.length,
        byMethod: Object.fromEntries(
          COUNTED.map((method) => [method, counted.filter((exchange) => exchange.method === method).length]),
        ),
        others: exchanges.length - counted.length,
        longestMs: Math.round(Math.max(...exchanges.map(({ tookMs = 0 }) => tookMs))),
        ends,
      },
    });
    expect(faults).toEqual([]);
    expect(counted.length).toBeGreaterThanOrEqual(EXCHANGES);
    expect(spoilt.length).toBeGreaterThan(counted.length / 8);
    if (isFull) expect(reports.map(({ undealt }) => undealt)).toEqual(reports.map(() => 0));
    expect(Object.keys(ends)).toEqual(expect.arrayContaining(['sent', 'unknown-delivery']));
  },
  budget(3_600_000, 180_000),
);
