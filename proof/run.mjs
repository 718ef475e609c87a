/** `npm run proof [-- part…]`: all parts, or those whose file names contain a word, with the full budget; then the table. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const parts = process.argv.slice(2);
const folder = fileURLToPath(new URL('results/', import.meta.url));
const tallies = mkdtempSync(join(tmpdir(), 'proof-tallies-'));
const began = Date.now();
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', config, ...parts], {
  stdio: 'inherit',
  env: { ...process.env, PROOF: 'full', PROOF_TALLIES: tallies },
});

const lines = existsSync(tallies)
  ? readdirSync(tallies).map((name) => JSON.parse(readFileSync(join(tallies, name), 'utf8')))
  : [];
rmSync(tallies, { recursive: true, force: true });
const at = new Date().toISOString();
const machine = `${platform()} ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`;
const seconds = Math.round((Date.now() - began) / 1000);
const result = { at, commit: commit(), machine, parts: lines, seconds, passed: status === 0 };

console.log(`\n${machine}\ncommit ${result.commit}, ${seconds} s\n`);
console.table(
  lines.map(({ part, cases, faults, notRun, seconds: took, seed }) => {
    return { part, cases, faults, 'not run': notRun, seconds: Math.round(took), seed };
  }),
);
mkdirSync(folder, { recursive: true });
const file = join(folder, `${at.slice(0, 10)}.json`);
// Parts that were run alone on the same day replace only their own lines.
const former = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).parts : [];
const stamped = lines.map((line) => ({ ...line, at, commit: result.commit, machine }));
const kept = former.filter(({ part }) => !lines.some((line) => line.part === part));
const all = [...kept, ...stamped].sort((a, b) => (a.part < b.part ? -1 : 1));
writeFileSync(file, `${JSON.stringify({ ...result, parts: all }, null, 2)}\n`);
console.log(file);
process.exitCode = status ?? 1;

/** With a `+` where the working tree differs from it. */
function commit() {
  try {
    const git = (...args) =>
      execFileSync('git', args, { cwd: folder.replace(/results\/$/u, ''), encoding: 'utf8' }).trim();
    const isClean = git('status', '--porcelain', '--', '../src', '.', ':!results') === '';
    return `${git('rev-parse', '--short=10', 'HEAD')}${isClean ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
