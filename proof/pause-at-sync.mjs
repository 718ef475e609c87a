/**
 * Preloaded into a process under proof: before each sync it asks the proof for leave, and waits, so that the disk can be looked
 * at as it is at that instant. SYNC_AT holds JSON: `control`, the folder where it asks; `skip`, a regular expression for paths
 * whose sync is left out on purpose.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { control, skip } = JSON.parse(process.env.SYNC_AT ?? '{}');
if (control !== undefined) {
  const original = fs.fsyncSync;
  const skipped = skip === undefined ? null : new RegExp(skip, 'u');
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const asked = `${control}/${process.pid}.asked`;
  const leave = `${control}/${process.pid}.leave`;
  fs.fsyncSync = (descriptor) => {
    const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
    if (skipped?.test(path) === true) return undefined;
    fs.writeFileSync(`${asked}.new`, path);
    fs.renameSync(`${asked}.new`, asked);
    while (!fs.existsSync(leave)) Atomics.wait(clock, 0, 0, 1);
    fs.unlinkSync(leave);
    return original(descriptor);
  };
  syncBuiltinESMExports();
}
