/**
 * Owns: one process group, from a held start to its last member.
 * Guarantees: the program begins only when told; until then the gate waits, and leaves by itself when this process dies.
 *   `ended` resolves only when nothing of the group is left.
 * Fails: by its result; throws only what passes by itself (no room on the disk, too many files or processes).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { errorCode, errorWords } from '../core/failure.ts';
import { isRefusedFor } from '../core/system-refusal.ts';
import { endGroup } from '../platform/process-group.ts';
import { type ProcessIdentity, identityOf } from '../platform/process-identity.ts';
import type { AgentProcess } from '../core/receipt.ts';

/**
 * A fixed program text: what it runs comes as arguments, which no shell reads. `read` fails when the pipe closes untold.
 */
const GATE = 'IFS= read -r go <&3 || exit 125; exec 3<&-; exec "$@"';

/** The disk or the system has no room just now: the same start succeeds later. */
export function isTemporary(error: unknown): boolean {
  return isRefusedFor(error, 'room', 'handles', 'memory', 'processes', 'disk');
}

const GRACE_MS = 5_000;

export interface HeldProcess {
  process: AgentProcess;
  letGo: () => void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** TERM to the whole group, KILL after the grace time. False where the program had ended by itself before. */
  end(): boolean;
}

export interface ProcessSpec {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  input: { text: string; path: string };
  outputPath: string;
  errorPath: string;
}

export async function holdProcess(spec: ProcessSpec): Promise<HeldProcess | { unavailable: string }> {
  let child: ChildProcess;
  try {
    child = spawnGate(spec);
  } catch (error) {
    if (isTemporary(error)) throw error;
    return { unavailable: errorCode(error) ?? errorWords(error) };
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const failed = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(errorCode(error) ?? error.message));
  });
  const identity = child.pid === undefined ? null : identityOf(child.pid);
  if (child.pid === undefined) {
    const code = await failed;
    const failure = Object.assign(new Error(`the agent's gate could not be started: ${code}`), { code });
    if (isTemporary(failure)) throw failure;
    return { unavailable: code };
  }
  const gate = child.stdio[3];
  if (identity === null || !(gate instanceof Writable)) return { unavailable: 'it ended at once' };

  // A gate that died before it was told is seen by its exit, not by the pipe.
  gate.on('error', () => undefined);
  const process: AgentProcess = { ...identity, startedAt: new Date().toISOString() };
  const endAll = (): Promise<unknown> => endGroup(identity, { graceMs: GRACE_MS });
  let ending: Promise<unknown> | undefined;
  return {
    process,
    letGo: () => {
      gate.end('go\n');
    },
    ended: exited.then(async (result) => {
      await (ending ??= endAll());
      return result;
    }),
    end: () => {
      const isRunning = child.exitCode === null && child.signalCode === null && isAlive(identity);
      gate.destroy();
      ending ??= endAll();
      ending.catch(() => undefined);
      return isRunning;
    },
  };
}

/** Also tells of an end that this process has not been told of yet. */
function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  try {
    return identityOf(pid)?.startTime === startTime;
  } catch {
    return true;
  }
}

function spawnGate(spec: ProcessSpec): ChildProcess {
  writeFileSync(spec.input.path, spec.input.text, { mode: 0o600 });
  const open: number[] = [];
  const take = (path: string, flags: string): number => {
    const descriptor = openSync(path, flags, 0o600);
    open.push(descriptor);
    return descriptor;
  };
  try {
    // Files, not pipes: nobody has to drain them, and what was printed outlives both processes.
    const stdio = [take(spec.input.path, 'r'), take(spec.outputPath, 'w'), take(spec.errorPath, 'w'), 'pipe'] as const;
    return spawn('/bin/sh', ['-c', GATE, 'gate', ...unshelled(spec), spec.program, ...spec.args], {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: [...stdio],
    });
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

/** Some shells drop variables whose names they could not write themselves (`npm_package_bin_a-b`): `env` sets those again. */
function unshelled({ env, program }: ProcessSpec): string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_]\w*$/u.test(name));
  // `env` would take a program with a `=` in its path for one more variable.
  if (odd.length === 0 || program.includes('=')) return [];
  return ['/usr/bin/env', ...odd.map(([name, value]) => `${name}=${value}`)];
}
