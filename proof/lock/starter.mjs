/**
 * A light process that wants a lock: `<lock> <temporary folder> <log>`. At each line of its input, which names a round, it
 * tries once; while it believes to own the lock it has written so into the log. At `release` it lets go, if it is not killed.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { acquireLock } from '../../build/platform/ownership-lock.js';

const [path, temporaryFolder, log] = process.argv.slice(2);
console.log('ready');
let lock;
for await (const round of createInterface({ input: process.stdin })) {
  if (round === 'release') {
    lock.release();
    console.log('released');
    continue;
  }
  try {
    lock = await acquireLock(path, { temporaryFolder });
    appendFileSync(log, `${round} ${process.pid}\n`);
    console.log(lock.isOwn() ? 'own' : 'robbed');
  } catch (error) {
    console.log(JSON.stringify({ code: error.code, exitCode: error.exitCode, message: error.message }));
  }
}
