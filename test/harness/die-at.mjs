// Preloaded into a process (NODE_OPTIONS=--import=…): kills it at the instant that DIE_AT names, before the call is made.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { call, path, nth = 1 } = JSON.parse(process.env.DIE_AT ?? '{}');
if (call !== undefined) {
  const pattern = new RegExp(path, 'u');
  const original = fs[call];
  let seen = 0;
  fs[call] = (...args) => {
    const isMeant = args.some((argument) => typeof argument === 'string' && pattern.test(argument));
    if (isMeant && ++seen === nth) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
  syncBuiltinESMExports();
}
