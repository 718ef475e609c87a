/**
 * Preloaded into a process under test: at SIGUSR2 it collects its garbage and appends what it then weighs, as a line of JSON
 * (heap and resident bytes, open descriptors), to the file that SOAK_SCALES names with its process id.
 */
import { appendFileSync, readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const scales = process.env.SOAK_SCALES;

if (scales !== undefined) {
  setFlagsFromString('--expose_gc');
  const gc = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    gc();
    gc();
    const { heapUsed, rss, external } = process.memoryUsage();
    // The folder that is being read is one of them.
    const descriptors = readdirSync('/proc/self/fd').length - 1;
    appendFileSync(`${scales}.${process.pid}`, `${JSON.stringify({ heapUsed, rss, external, descriptors })}\n`);
  });
}
