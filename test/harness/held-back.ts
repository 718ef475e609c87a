/** A home in a synced folder, and files in it whose content does not come until a test lets it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Running, type World, eventually } from './bridge.ts';
import { removeFolder } from './remove-folder.ts';

/** An empty home in Dropbox, as its path says; gone after the test. */
export function syncedHome(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-test-')));
  onTestFinished(() => removeFolder(folder));
  const home = join(folder, 'Dropbox', 'blog');
  mkdirSync(home, { recursive: true });
  return home;
}

export interface HeldBack {
  running: Running;
  /** The opens that wait go on, and later ones wait no more. */
  contentComes: () => void;
}

/** @param path in the home; opening it takes the process, and those that it starts, ten minutes, unless its content comes */
export async function runHeldBack(world: World, path: string, ...args: string[]): Promise<HeldBack> {
  const calls = 'open,openat';
  // The child is the process itself, and its tracer a grandchild. Not with --seccomp-bpf: it loses injections.
  const options = ['-D', '-f', '-o', '/dev/null', '-e', 'signal=none', '-e', `trace=${calls}`];
  options.push('-e', `inject=${calls}:delay_enter=600000000`, '-P', world.path(path));
  const running = world.runUnder(['strace', ...options], {}, ...args);
  const tracer = await eventually(
    () => tracerOf(running.pid),
    `the tracer of ${running.pid}`,
    10_000,
    () => () => undefined,
    () => running.stderr,
  );
  const contentComes = (): void => {
    try {
      process.kill(tracer, 'SIGKILL');
    } catch {
      // Gone already.
    }
  };
  // It would outlive the process, whose output it shares.
  onTestFinished(contentComes);
  return { running, contentComes };
}

function tracerOf(pid: number): number | undefined {
  const tracer = Number(/^TracerPid:\s+(\d+)$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return tracer > 0 ? tracer : undefined;
}
