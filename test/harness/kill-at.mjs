/**
 * Preloaded into a process under test: ends it by SIGKILL at one named file call, or freezes it there. What to wait for
 * stands in KILL_AT as JSON: `when` (`before` or `after` the call), `call`, `to` (a regular expression for the path that
 * is made, replaced or removed), `holding` (one for the content that gets there), `signal`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const spec = process.env.KILL_AT === undefined ? null : JSON.parse(process.env.KILL_AT);

if (spec !== null) {
  const original = fs[spec.call];
  const targetIsSecond = spec.call === 'linkSync' || spec.call === 'renameSync';
  let isDone = false;
  const isMeant = (args) => {
    if (isDone || !new RegExp(spec.to, 'u').test(targetIsSecond ? args[1] : args[0])) return false;
    return spec.holding === undefined || new RegExp(spec.holding, 'u').test(fs.readFileSync(args[0], 'utf8'));
  };
  const end = () => {
    isDone = true;
    process.kill(process.pid, spec.signal ?? 'SIGKILL');
  };
  fs[spec.call] = (...args) => {
    const isNow = isMeant(args);
    if (isNow && spec.when === 'before') end();
    const result = original(...args);
    if (isNow && spec.when === 'after') end();
    return result;
  };
  syncBuiltinESMExports();
}
