/** Processes under strace, which ends them, or makes a call fail, at the N-th call of a kind. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Running, World } from '../test/harness/bridge.ts';
import { faultsAtRest, atRest, openStage, tell } from './scenario.ts';

/** What changes the disk or reaches the network. Node reads sockets with plain `read`. */
export const CALLS =
  'write writev pwrite64 fsync fdatasync link linkat rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir connect sendto sendmsg recvfrom recvmsg read'.split(
    ' ',
  );

export const SERVICES = ['bot', 'consumer'] as const;
export type Service = (typeof SERVICES)[number];

/** One call of one service in the story. */
export interface Point {
  service: Service;
  call: string;
  /** Which of its kind it is in the main thread; with `path`, which of its kind on this path in any thread. */
  nth: number;
  /** Relative to the home. Set for calls of the thread pool, which would otherwise be counted apart. */
  path?: string;
}

/** Why nothing can be traced here; null where it can. */
export function untraceable(): string | null {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', '-e', 'trace=none', 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'strace is not here, or may not trace';
  }
}

interface StraceOptions {
  /** Where the trace goes. */
  trace: string;
  traced: readonly string[];
  /** Such as `fsync:signal=KILL:when=7`. */
  inject?: readonly string[];
  /** False: only the main thread, which does nearly everything. */
  allThreads?: boolean;
  /** Only calls on these very paths are traced, counted and injected. */
  paths?: readonly string[];
}

export function startStraced(
  world: World,
  service: Service,
  { trace, traced, inject = [], allThreads = false, paths = [] }: StraceOptions,
): Running {
  // The child is the service itself, and its tracer a grandchild. Not with --seccomp-bpf: it loses injected signals.
  const options = allThreads ? ['-D', '-f'] : ['-D'];
  options.push('-y', '-s', '0', '-o', trace, '-e', 'signal=none', '-e', `trace=${traced.join(',')}`);
  for (const one of inject) options.push('-e', `inject=${one}`);
  for (const path of paths) options.push('-P', path);
  const wrapper = ['strace', ...options];
  return world.runUnder(wrapper, { UV_THREADPOOL_SIZE: '1' }, service);
}

/** @param what what happens at the point: `signal=KILL`, `error=EIO`, … */
export function startWithPoint(
  world: World,
  { service, call, nth, path }: Point,
  what: string,
  trace: string,
): Running {
  const inject = [`${call}:${what}:when=${nth}`];
  if (path === undefined) return startStraced(world, service, { trace, traced: [call], inject });
  return startStraced(world, service, { trace, traced: [call], inject, allThreads: true, paths: [world.path(path)] });
}

/** The calls of one service in an undisturbed story. */
export async function learn(service: Service, traced: readonly string[] = CALLS): Promise<TracedCall[]> {
  const folder = mkdtempSync(join(tmpdir(), 'proof-learn-'));
  const stage = await openStage();
  try {
    const trace = join(folder, 'trace');
    const running = startStraced(stage.world, service, { trace, traced, allThreads: true });
    const other = stage.world.run(service === 'bot' ? 'consumer' : 'bot');
    await tell(stage);
    await atRest(stage);
    await Promise.all([running, other].map((one) => one.kill('SIGTERM')));
    const faults = faultsAtRest(stage);
    if (faults.length > 0) throw new Error(`the undisturbed story has faults: ${faults.join('; ')}`);
    return callsIn(trace, stage.world.home);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Each call of each kind, and one more, the instant after the last. Calls that only wake threads are left out, and so are
 * reads of anything but the network.
 */
export function pointsIn(service: Service, calls: readonly TracedCall[]): Point[] {
  const points: Point[] = [];
  const mine = inMainThread(calls);
  for (const call of CALLS) {
    const same = mine.filter((one) => one.call === call);
    const meant = same.filter(({ about }) =>
      call === 'read' ? about.startsWith('socket:') : !about.includes('eventfd'),
    );
    for (const { nth } of meant) points.push({ service, call, nth });
    if (same.length > 0 && call !== 'read') points.push({ service, call, nth: same.length + 1 });
  }
  const counts = new Map<string, number>();
  for (const { call, about } of calls.filter((one) => !mine.includes(one))) {
    // Of a rename both names are told; the last is the one that comes to be. The agent works in threads of its own.
    const path = about.split(' ').at(-1) ?? '';
    if (!/^(?:state|spool)\/[^*]+$/u.test(path) || /\/run-|\/out\b/u.test(path)) continue;
    const nth = (counts.get(`${call} ${path}`) ?? 0) + 1;
    counts.set(`${call} ${path}`, nth);
    points.push({ service, call, nth, path });
  }
  return points;
}

export function inMainThread(calls: readonly TracedCall[]): TracedCall[] {
  return calls.filter(({ thread }) => thread === calls[0]?.thread);
}

export interface TracedCall {
  thread: string;
  call: string;
  /** Which of its kind it is in its thread, from 1. */
  nth: number;
  /** What it was about: paths in the home and kinds of descriptors, without what is random in them. */
  about: string;
  /** Whether something else was put in the place of its result. */
  isInjected: boolean;
}

/** All calls of a trace in order. */
export function callsIn(trace: string, home: string): TracedCall[] {
  if (!existsSync(trace)) return [];
  const counts = new Map<string, number>();
  return readFileSync(trace, 'utf8')
    .split('\n')
    .flatMap((line) => {
      // Without -f no thread is told.
      const [, thread = '', call = '', rest = ''] = /^(\d+ +)?([a-z0-9_]+)\((.*)$/u.exec(line) ?? [];
      if (call === '') return [];
      const nth = (counts.get(`${thread}${call}`) ?? 0) + 1;
      counts.set(`${thread}${call}`, nth);
      return [{ thread, call, nth, about: aboutOf(rest, home), isInjected: rest.includes('(INJECTED)') }];
    });
}

function aboutOf(rest: string, home: string): string {
  const names = [...rest.matchAll(/<(?!unfinished)([^>]*)>|"([^"]*)"/gu)].map(
    ([, opened, named]) => opened ?? named ?? '',
  );
  if (rest.startsWith('2<')) return 'stderr';
  const shown = names
    .map((name) => name.replaceAll(`${home}/`, ''))
    .map((name) => name.replaceAll(/\d+-[0-9a-f-]{8,}/gu, '*').replaceAll(/\d{4,}/gu, '*'))
    .filter((name) => name !== '');
  return [...new Set(shown)].join(' ').replaceAll('[*]', '');
}
