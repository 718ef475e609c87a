/** The syncs of one request from its update to its receipt `sent`, as strace sees them; each with what it makes durable. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { openStarted } from './latency.mjs';

/** @returns {Promise<string[] | null>} in order; null where strace is not installed */
export async function countSyncs() {
  if (spawnSync('strace', ['-V']).error !== undefined) return null;
  const bridge = await openStarted();
  try {
    const traces = ['bot', 'consumer'].map((part) => {
      const file = join(bridge.folders.root, `${part}.strace`);
      const tracer = spawn('strace', [
        '-f',
        '-y',
        '-tt',
        '-e',
        'trace=fsync,fdatasync,sync_file_range,syncfs,sync',
        '-o',
        file,
        '-p',
        String(bridge.pidOf(part)),
      ]);
      return { file, tracer };
    });
    for (const { tracer } of traces) await attached(tracer);
    await bridge.oneStart();
    for (const { tracer } of traces) {
      tracer.kill('SIGINT');
      await once(tracer, 'exit');
    }
    return traces
      .flatMap(({ file }) => readFileSync(file, 'utf8').split('\n').flatMap(syncOf))
      .map((path) => nameOf(path, bridge.folders.root));
  } finally {
    await bridge.close();
  }
}

function syncOf(line) {
  return /(?:fsync|fdatasync)\(\d+<([^>]+)>/u.exec(line)?.[1] ?? [];
}

/** Numbers of files are of no interest. */
function nameOf(path, root) {
  const real = execFileSync('realpath', [root], { encoding: 'utf8' }).trim();
  return path
    .replace(`${real}/`, '')
    .replace(/\/[^/]+\.tmp.*$/u, '/*.tmp')
    .replace(/^(spool\/requests|state\/links|state)\/\d+\.json$/u, '$1/<id>.json');
}

function attached(tracer) {
  return new Promise((resolve) => {
    tracer.stderr.setEncoding('utf8').on('data', (text) => {
      if (/attached/u.test(text)) resolve(undefined);
    });
  });
}
