/**
 * The real disk under simulated processes: each call that changes it is a step (see `simulated-process`), may be the last
 * thing that its process does, and may fail. What gets a final name is told, so that a test has every version that ever was.
 *
 * Installed once, over `node:fs`; code that is in no simulated process is served as ever.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type SimulatedProcess, currentProcess } from './simulated-process.ts';

/** A file that has just come to stand under `path`. */
export type OnPublished = (path: string) => void;

const listeners = new Set<OnPublished>();
/** Every path that a simulated process names in a call, as it names it. */
const watchers = new Set<(path: string, process: SimulatedProcess) => void>();

export function onTouched(watcher: (path: string, process: SimulatedProcess) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function touched(args: readonly unknown[], process: SimulatedProcess): void {
  if (watchers.size === 0) return;
  for (const path of args.slice(0, 2))
    if (typeof path === 'string' && path.includes('/')) for (const watcher of watchers) watcher(path, process);
}

export function onPublished(listener: OnPublished): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The disk as the test itself uses it. */
export const rawDisk = {
  readFileSync: fs.readFileSync,
  writeFileSync: fs.writeFileSync,
  existsSync: fs.existsSync,
  readdirSync: fs.readdirSync,
  rmSync: fs.rmSync,
  mkdirSync: fs.mkdirSync,
};

const CHANGING = [
  'writeSync',
  'fsyncSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'rmSync',
  'mkdirSync',
  'openSync',
] as const;
const READING = [
  'readFileSync',
  'readdirSync',
  'opendirSync',
  'statSync',
  'lstatSync',
  'existsSync',
  'readSync',
  'fstatSync',
  'copyFileSync',
] as const;

// oxlint-disable-next-line typescript/no-explicit-any -- one wrapper for calls of many shapes
type AnyCall = (...args: any[]) => unknown;

for (const name of CHANGING) {
  const call = fs[name] as AnyCall;
  const wrapped = (...args: unknown[]): unknown => {
    const process = currentProcess();
    if (process === undefined) return call(...args);
    process.assertAlive();
    if (name !== 'writeSync') touched(args, process);
    if (name !== 'openSync' || args[1] === 'wx') {
      process.step();
      const fault = process.takeDiskFault(name);
      if (fault !== null) throw fault;
    }
    // No power cut happens here, so that a sync changes nothing; it is a step all the same.
    if (name === 'fsyncSync') return undefined;
    const result = call(...args);
    if (name === 'linkSync' || name === 'renameSync') for (const listener of listeners) listener(String(args[1]));
    return result;
  };
  Object.assign(fs, { [name]: wrapped });
}
for (const name of READING) {
  const call = fs[name] as AnyCall;
  Object.assign(fs, {
    [name]: (...args: unknown[]): unknown => {
      const process = currentProcess();
      if (process === undefined) return call(...args);
      process.assertAlive();
      touched(args, process);
      return call(...args);
    },
  });
}
const { fsync } = fs;
Object.assign(fs, {
  fsync: (descriptor: number, done: (error: Error | null) => void): void => {
    if (currentProcess() === undefined) return fsync(descriptor, done);
    try {
      fs.fsyncSync(descriptor);
    } catch (error) {
      return done(error as Error);
    }
    done(null);
  },
});
syncBuiltinESMExports();
