/**
 * Preloaded into a process of the proof (NODE_OPTIONS=--import=…): its timers and its monotonic clock run CLOCK_SPEED times
 * as fast, so that a stall of 30 s is over after 1.5. Nothing in the product knows of it: what is seen are its own limits, in
 * their own proportions. The time of day is left alone.
 */
import { performance } from 'node:perf_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';

const speed = Number(process.env.CLOCK_SPEED ?? 1);

const quick = (original) => {
  const patched = (callback, ms, ...rest) => original(callback, Number(ms ?? 0) / speed, ...rest);
  return Object.defineProperties(patched, Object.getOwnPropertyDescriptors(original));
};
for (const name of ['setTimeout', 'setInterval']) {
  timers[name] = quick(timers[name]);
  globalThis[name] = timers[name];
}
const pause = promises.setTimeout;
promises.setTimeout = (ms, ...rest) => pause(Number(ms ?? 0) / speed, ...rest);
const after = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => after(Math.ceil(ms / speed));
const now = performance.now.bind(performance);
performance.now = () => now() * speed;
syncBuiltinESMExports();
