/**
 * `npm run bench [-- part …]`: what the bridge costs, each figure beside a bare one of the same minute. It judges no run: the
 * table says what was met. Results of a whole run stay in `results/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureAlbum } from './album.mjs';
import { measureHistory } from './history.mjs';
import { measureIdle } from './idle.mjs';
import { BATCH, measureIntake } from './intake.mjs';
import { measureLatency } from './latency.mjs';
import { measureQueue } from './queue.mjs';
import { atLeast, atMost, plain, printTable } from './samples.mjs';
import { measureStart } from './start.mjs';
import { countSyncs } from './syncs.mjs';
import { measureWeb } from './web.mjs';

/** @type {Record<string, () => Promise<{ lines: import('./samples.mjs').Line[], details: unknown }>>} */
const PARTS = {
  intake: async () => {
    const details = await measureIntake();
    const { oneMs, bareMs, ratio, batchMs, gain } = details;
    return {
      details,
      lines: [
        {
          figure: 'durable intake, one update: rate against the bare system calls',
          bridge: oneMs,
          bare: bareMs,
          unit: 'ms',
          ...atLeast(0.9, ratio),
        },
        {
          figure: `durable intake, ${BATCH} updates a batch: rate against one by one`,
          bridge: batchMs,
          bare: oneMs,
          unit: 'ms',
          ...atLeast(3, gain),
        },
      ],
    };
  },
  latency: async () => {
    const details = await measureLatency();
    const { bridge, bare } = details;
    const figure = 'update at the server to started agent, against bare fs.watch and spawn';
    return {
      details,
      lines: [
        {
          figure: `${figure}: median`,
          bridge: bridge.medianMs,
          bare: bare.medianMs,
          unit: 'ms',
          ...atMost(1.5, bridge.medianMs / bare.medianMs),
        },
        {
          figure: `${figure}: p99`,
          bridge: bridge.p99Ms,
          bare: bare.p99Ms,
          unit: 'ms',
          ...atMost(1.5, bridge.p99Ms / bare.p99Ms),
        },
      ],
    };
  },
  start: async () => {
    const details = await measureStart();
    const what = { bot: 'first poll', consumer: 'first look' };
    const lines = Object.entries(details).map(([part, { bridgeMs, bareMs, ratio }]) => ({
      figure: `start of the ${part} to its ${what[part]}, against Node importing the same packages`,
      bridge: bridgeMs,
      bare: bareMs,
      unit: 'ms',
      ...atMost(1.3, ratio),
    }));
    return { details, lines };
  },
  syncs: async () => {
    const details = await countSyncs();
    const figure = 'syncs of one settled request with one part (named in state/README.md)';
    return {
      details,
      lines: details === null ? [] : [{ figure, bridge: details.length, bare: null, unit: '', ...plain() }],
    };
  },
  album: async () => {
    const details = await measureAlbum();
    const { bridgeMs, bareMs, ratio } = details;
    const figure = 'album of ten 5 MB photos, last update to started agent, against the bare download';
    return { details, lines: [{ figure, bridge: bridgeMs, bare: bareMs, unit: 'ms', ...atMost(1.3, ratio) }] };
  },
  queue: async () => {
    const details = await measureQueue();
    if (details === null) {
      console.log('The comparison with a table needs: npm ci --prefix bench/queue\n');
      return { details, lines: [] };
    }
    const { intake, start, jobs } = details;
    return {
      details,
      lines: [
        {
          figure: `intake in batches of ${BATCH}, against better-sqlite3, one a transaction: rate`,
          bridge: intake.bridgeMs,
          bare: intake.queueMs,
          unit: 'ms',
          ...atLeast(1, intake.queueMs / intake.bridgeMs),
        },
        {
          figure: 'update at the server to started agent, against that table polled every 5 ms',
          bridge: start.bridge.medianMs,
          bare: start.queue.medianMs,
          unit: 'ms',
          ...atMost(1, start.bridge.medianMs / start.queue.medianMs),
        },
        {
          figure: 'jobs a second, message to answer, against the same',
          bridge: jobs.bridge,
          bare: jobs.queue,
          unit: '/s',
          ...plain(jobs.bridge / jobs.queue),
        },
      ],
    };
  },
  idle: async () => {
    const details = { bot: await measureIdle('bot'), consumer: await measureIdle('consumer') };
    const lines = Object.entries(details).flatMap(([part, { cpuMs, overMs, mib, bareMib }]) => [
      ...(cpuMs === null
        ? []
        : [
            {
              figure: `idle ${part}, share of one core over ${overMs / 1000} s`,
              bridge: (100 * cpuMs) / overMs,
              bare: null,
              unit: '%',
              aim: '< 0.2 %',
              ratio: null,
              met: cpuMs < overMs / 500,
            },
          ]),
      {
        figure: `idle ${part}, resident memory, against Node with the same packages`,
        bridge: mib,
        bare: bareMib,
        unit: 'MiB',
        ...atMost(1.25, mib / bareMib),
      },
    ]);
    return { details, lines };
  },
  web: async () => {
    const details = await measureWeb();
    const web = `web page, ${details.count.toLocaleString('en')} receipts`;
    /** @type {[string, number, number][]} */
    const rows = [
      ['first answer, none of them read yet', details.firstMs, 2_000],
      ['overview', details.overviewMs, 200],
      ['a page in the middle of the list', details.pageMs, 200],
      ['search', details.searchMs, 300],
      ['plots', details.activityMs, 200],
      ['a changed receipt, to the page that shows it', details.changeMs, 1_000],
      ['the same while they are still read', details.changeWhileReadingMs, 2_000],
    ];
    return {
      details,
      lines: [
        ...rows.map(([what, ms, mostMs]) => ({
          figure: `${web}: ${what}`,
          bridge: ms,
          bare: null,
          unit: 'ms',
          aim: `≤ ${mostMs / 1_000} s`,
          ratio: null,
          met: ms <= mostMs,
        })),
        {
          figure: `${web}: resident memory, all of them read`,
          bridge: details.mib,
          bare: null,
          unit: 'MiB',
          aim: '≤ 256 MiB',
          ratio: null,
          met: details.mib <= 256,
        },
      ],
    };
  },
  history: async () => {
    const details = await measureHistory();
    const { sizes, firstClaimMs, residentMib, status } = details;
    const moreMs = firstClaimMs.kept - firstClaimMs.none;
    const moreMib = residentMib.kept - residentMib.none;
    const laterMs = status.keptMs - status.fewMs;
    return {
      details,
      lines: [
        ...sizes.map(({ size, none, kept }) => ({
          figure: `update to started agent, ${size.toLocaleString('en')} kept, against none: median`,
          bridge: kept.medianMs,
          bare: none.medianMs,
          unit: 'ms',
          ...(size === 1_000_000 ? atMost(1.2, kept.medianMs / none.medianMs) : plain(kept.medianMs / none.medianMs)),
        })),
        {
          figure: 'start of the consumer to its first claim, 1,000,000 kept, against none',
          bridge: firstClaimMs.kept,
          bare: firstClaimMs.none,
          unit: 'ms',
          aim: '≤ 1 s more',
          ratio: null,
          met: moreMs <= 1_000,
        },
        {
          figure: 'its resident memory, 1,000,000 kept, against none',
          bridge: residentMib.kept,
          bare: residentMib.none,
          unit: 'MiB',
          aim: '≤ 40 MB more',
          ratio: null,
          met: moreMib <= 40,
        },
        {
          figure: '`status`, 1,000,000 receipts, against 100',
          bridge: status.keptMs,
          bare: status.fewMs,
          unit: 'ms',
          aim: '≤ 0.5 s more',
          ratio: null,
          met: laterMs <= 500,
        },
        {
          figure: '`status` where no consumer has named the latest receipts, 1,000,000 of them',
          bridge: status.unnamedMs,
          bare: status.fewMs,
          unit: 'ms',
          ...plain(),
        },
      ],
    };
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`bench: no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(64);
}
const machine = `${platform()} ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`;
console.log(`${machine}\n`);
const lines = [];
const details = {};
for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  process.stderr.write(`${name} …\n`);
  const part = await PARTS[name]();
  lines.push(...part.lines);
  details[name] = part.details;
}
printTable(lines);
if (wanted.length === 0) {
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = `${folder}${at.slice(0, 10)}.json`;
  writeFileSync(file, `${JSON.stringify({ at, machine, lines, details }, null, 2)}\n`);
  console.log(`\n${file}`);
}
