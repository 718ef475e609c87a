/** `npm run bench`: the figures that are promised, each against a bare one of the same minute. It judges no run: exit 0. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureAlbum } from './album.mjs';
import { measureIdle } from './idle.mjs';
import { measureIntake } from './intake.mjs';
import { printTable } from './samples.mjs';
import { measureWake } from './wake.mjs';
import { measureWeb } from './web.mjs';

const intake = measureIntake();
const wake = await measureWake();
const album = await measureAlbum();
const web = await measureWeb();
const idle = { bot: await measureIdle('bot'), consumer: await measureIdle('consumer') };

/** @type {import('./samples.mjs').Line[]} */
const lines = [
  {
    figure: 'durable intake of a 1 kB request, rate against the bare system calls',
    bridge: intake.bridgeMs,
    bare: intake.bareMs,
    unit: 'ms',
    ratio: intake.ratio,
    aim: 'ratio ≥ 0.8',
    met: intake.ratio >= 0.8,
  },
  {
    figure: 'visible pending file to claimed receipt, against a bare fs.watch',
    bridge: wake.bridgeMs,
    bare: wake.bareMs,
    unit: 'ms',
    ratio: wake.ratio,
    aim: '< 10 ms',
    met: wake.bridgeMs < 10,
  },
  {
    figure: 'album of ten 5 MB photos, last update to agent start, against the bare download',
    bridge: album.bridgeMs,
    bare: album.bareMs,
    unit: 'ms',
    ratio: album.ratio,
    aim: 'ratio < 1.3',
    met: album.ratio < 1.3,
  },
  ...Object.entries(idle).flatMap(([part, { cpuMs, overMs, mib, bareMib }]) => [
    ...(cpuMs === null
      ? []
      : [
          {
            figure: `idle ${part}, processor time in ${overMs / 1000} s`,
            bridge: cpuMs,
            bare: null,
            unit: 'ms',
            ratio: null,
            aim: `≤ 0.2 % (${overMs / 500} ms)`,
            met: cpuMs <= overMs / 500,
          },
        ]),
    {
      figure: `idle ${part}, resident memory, against the same packages imported`,
      bridge: mib,
      bare: bareMib,
      unit: 'MiB',
      ratio: mib / bareMib,
      aim: 'ratio ≤ 1.25',
      met: mib / bareMib <= 1.25,
    },
  ]),
  ...[
    ['first answer, the receipts not read yet', web.firstMs, 1_000],
    ['overview', web.overviewMs, 200],
    ['page in the middle of the list', web.pageMs, 200],
    ['search', web.searchMs, 300],
    ['plots', web.activityMs, 200],
    ['a changed receipt, to the page that shows it', web.changeMs, 1_000],
    ['the same while receipts are still read', web.changeWhileReadingMs, 2_000],
  ].map(([what, ms, aimMs]) => ({
    figure: `web over ${web.count} receipts: ${what}`,
    bridge: Number(ms),
    bare: null,
    unit: 'ms',
    ratio: null,
    aim: `≤ ${aimMs} ms`,
    met: Number(ms) <= Number(aimMs),
  })),
  {
    figure: `web over ${web.count} receipts: resident memory, all read`,
    bridge: web.mib,
    bare: null,
    unit: 'MiB',
    ratio: null,
    aim: '≤ 256 MiB',
    met: web.mib <= 256,
  },
];
const machine = `${platform()} ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`;
console.log(`${machine}\n`);
printTable(lines);

const folder = fileURLToPath(new URL('results/', import.meta.url));
mkdirSync(folder, { recursive: true });
const at = new Date().toISOString();
const file = `${folder}${at.slice(0, 10)}.json`;
writeFileSync(
  file,
  `${JSON.stringify({ at, machine, lines, details: { intake, wake, album, web, idle } }, null, 2)}\n`,
);
console.log(`\n${file}`);
