/**
 * Owns: one process group, from a held start to its last member.
 * Guarantees: the program begins only when told; until then the gate waits, and leaves by itself when this process dies.
 *   `ended` resolves only when nothing of the group is left.
 * Fails: by its result; throws only what passes by itself (no room on the disk, too many files or processes).
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { errorCode, errorWords } from '../core/failure.ts';
import { isRefusedFor } from '../core/system-refusal.ts';
import { endGroup } from '../platform/process-group.ts';
import { type ProcessIdentity, identityOf } from '../platform/process-identity.ts';
import type { AgentProcess } from '../core/receipt.ts';
import type { Gate } from './gate.ts';
import type { Gates } from './gates.ts';

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
  /** What the gates were not started with. */
  variables: Record<string, string>;
  input: { text: string; path: string };
  outputPath: string;
  errorPath: string;
}

/** Linux, execve(2): the longest string that a program can be given, with its NUL. */
const MAX_STRING_BYTES = 131_072;

export async function holdProcess(gates: Gates, spec: ProcessSpec): Promise<HeldProcess | { unavailable: string }> {
  const words = [...unshelled(gates.env, spec.program), spec.program, ...spec.args];
  const fault = faultOf(words);
  if (fault !== null) return { unavailable: fault };
  let gate: Gate;
  try {
    makeFiles(spec);
    gate = await gates.take();
  } catch (error) {
    if (isTemporary(error)) throw error;
    return { unavailable: errorCode(error) ?? errorWords(error) };
  }
  const { identity, child, exited } = gate;
  const process: AgentProcess = { ...identity, startedAt: new Date().toISOString() };
  const endAll = (): Promise<unknown> => endGroup(identity, { graceMs: GRACE_MS });
  let ending: Promise<unknown> | undefined;
  return {
    process,
    letGo: () => {
      const { variables, outputPath, errorPath } = spec;
      gate.run({ words, variables, inputPath: spec.input.path, outputPath, errorPath });
    },
    ended: exited.then(async (result) => {
      await (ending ??= endAll());
      return result;
    }),
    end: () => {
      const isRunning = child.exitCode === null && child.signalCode === null && isAlive(identity);
      gate.close();
      ending ??= endAll();
      ending.catch(() => undefined);
      return isRunning;
    },
  };
}

/** What no program can be given, in the codes of the system; the gate itself would not tell. */
function faultOf(words: readonly string[]): string | null {
  if (words.some((word) => word.includes('\0'))) return 'EINVAL (an argument holds NUL)';
  return words.some((word) => Buffer.byteLength(word) >= MAX_STRING_BYTES) ? 'E2BIG' : null;
}

/** Files, not pipes: nobody has to drain them, and what was printed outlives both processes. */
function makeFiles({ input, outputPath, errorPath }: ProcessSpec): void {
  writeFileSync(input.path, input.text, { mode: 0o600 });
  for (const path of [outputPath, errorPath]) closeSync(openSync(path, 'w', 0o600));
}

/** Also tells of an end that this process has not been told of yet. */
function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  try {
    return identityOf(pid)?.startTime === startTime;
  } catch {
    return true;
  }
}

/** Some shells drop variables whose names they could not write themselves (`npm_package_bin_a-b`): `env` sets those again. */
function unshelled(inherited: Readonly<Record<string, string>>, program: string): string[] {
  const odd = Object.entries(inherited).filter(([name]) => !/^[A-Za-z_]\w*$/u.test(name));
  // `env` would take a program with a `=` in its path for one more variable.
  if (odd.length === 0 || program.includes('=')) return [];
  return ['/usr/bin/env', ...odd.map(([name, value]) => `${name}=${value}`)];
}
