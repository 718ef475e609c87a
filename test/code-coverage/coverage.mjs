/**
 * Coverage of `src` that counts what the child processes ran: `npm run coverage [-- test/core …]`.
 *
 * Vitest's own coverage sees its workers only. Here every Node process of the run writes V8's counts (NODE_V8_COVERAGE),
 * tests and children run the same modules, put into `dist/` in the place of the program that is built of them, and the source maps
 * lead back to `src/*.ts`. Killed processes write none.
 * Branches are judged for `core` alone, in the workers of its own tests: merged over processes they mean little.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoverageReport } from 'monocart-coverage-reports';

const LEAST_LINES = 92;
const LEAST_CORE_BRANCHES = 90;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOT_URL = new URL('../..', import.meta.url).href;

const filters = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
try {
  buildModules();
  const testsPassed = runTests(join(folder, 'raw'));
  const { all, core } = sortOut(join(folder, 'raw'));
  const lines = (await report(all, 'src/', ['text'])).lines.pct;
  const branches = (await report(core, 'src/core/')).branches.pct;
  console.log(
    `\nsrc lines ${lines} % (at least ${LEAST_LINES}) · src/core branches in-process ${branches} % (at least ${LEAST_CORE_BRANCHES})`,
  );
  const isEnough = filters.length > 0 || (lines >= LEAST_LINES && branches >= LEAST_CORE_BRANCHES);
  process.exitCode = testsPassed && isEnough ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
}

/** Under both names, so that every process loads the same files: `npm run build` puts the program back. */
function buildModules() {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  for (const name of ['build', 'dist']) rmSync(join(ROOT, name), { recursive: true, force: true });
  execFileSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', 'dist'], { cwd: ROOT, stdio: 'inherit' });
  execFileSync(tsc, ['-p', 'src/web/browser'], { cwd: ROOT, stdio: 'inherit' });
  symlinkSync('dist', join(ROOT, 'build'));
}

/** @param {string} rawFolder where each process leaves its counts */
function runTests(rawFolder) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'test/code-coverage/vitest.config.ts', ...filters];
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, NODE_V8_COVERAGE: rawFolder },
  });
  return status === 0;
}

/**
 * Keeps of each process what concerns `dist/`, which is a hundredth of it.
 * @param {string} rawFolder
 */
function sortOut(rawFolder) {
  const all = join(folder, 'all');
  const core = join(folder, 'core');
  for (const path of [all, core]) mkdirSync(path);
  for (const name of readdirSync(rawFolder)) {
    const counts = readCounts(join(rawFolder, name));
    const result = counts.result.filter(({ url }) => url.startsWith(`${ROOT_URL}dist/`));
    if (result.length === 0) continue;
    writeFileSync(join(all, name), JSON.stringify({ result }));
    const isCoreTest = counts.result.some(({ url }) => url.startsWith(`${ROOT_URL}test/core/`));
    if (isCoreTest) cpSync(join(all, name), join(core, name));
  }
  for (const path of [all, core])
    writeFileSync(join(path, 'coverage-none.json'), JSON.stringify({ result: neverLoaded() }));
  return { all, core };
}

/** Every compiled file with all counts 0, so that one which no process loaded counts as well. */
function neverLoaded() {
  const names = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  return names.flatMap((name, index) => {
    const code = readFileSync(join(ROOT, 'dist', name), 'utf8');
    if (code.startsWith('export {};')) return []; // nothing but types
    const ranges = [{ startOffset: 0, endOffset: code.length, count: 0 }];
    return [
      {
        scriptId: String(index),
        url: `${ROOT_URL}dist/${name}`,
        functions: [{ functionName: '', isBlockCoverage: true, ranges }],
      },
    ];
  });
}

/**
 * @param {string} path
 * @returns {{ result: { url: string }[] }} nothing for a file whose process was killed while it wrote
 */
function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { result: [] };
  }
}

/**
 * @param {string} countsFolder
 * @param {string} prefix of the sources that count
 * @param {string[]} printed
 * @returns {Promise<{ lines: { pct: number }, branches: { pct: number } }>}
 */
async function report(countsFolder, prefix, printed = []) {
  const compiled = `${ROOT_URL}dist/${prefix.slice('src/'.length)}`;
  const outputDir = join(folder, 'report');
  const coverage = new CoverageReport({
    outputDir,
    baseDir: ROOT,
    reports: [...printed, 'json-summary'],
    logging: 'error',
    entryFilter: ({ url }) => url.startsWith(compiled),
    sourceFilter: (path) => path.startsWith(prefix),
  });
  await coverage.addFromDir(countsFolder);
  await coverage.generate();
  return JSON.parse(readFileSync(join(outputDir, 'coverage-summary.json'), 'utf8')).total;
}
