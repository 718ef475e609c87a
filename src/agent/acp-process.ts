/**
 * Owns: one process group of an agent that speaks over stdin and stdout, from its start to its last member.
 * Guarantees: until `stand` was called the group dies with this process, however this one ends; `close` resolves only
 *   when nothing of the group is left.
 * Fails: by its result; throws only what passes by itself (no room on the disk, too many files or processes).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { errorCode, errorWords } from '../core/failure.ts';
import type { AgentProcess } from '../core/receipt.ts';
import { nowIso, pause } from '../platform/clock.ts';
import { endGroup } from '../platform/process-group.ts';
import { identityOf } from '../platform/process-identity.ts';
import { isTemporary } from './held-process.ts';

/**
 * The agent must run before its claim, so no receipt names it yet. It begins once this process has seen who it is (an agent
 * that is gone at once could not be asked), and a watcher of its own group waits on the same pipe: told `go`, it leaves;
 * when the pipe closes untold, this process is gone, and the whole group with the watcher is killed. Forked twice, so
 * that the agent, which takes the place of the shell, has no child that it does not know. Fixed text: what it runs comes
 * as arguments, which no shell reads.
 */
const GATE = [
  'IFS= read -r seen <&3 || exit',
  '( ( IFS= read -r go <&3 || kill -KILL 0 ) </dev/null >/dev/null 2>&1 & )',
  'exec 3<&-',
  'exec "$@"',
].join('\n');

/** A grandchild may hold the output open after the agent has left. */
const DRAIN_MS = 2_000;

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** False where it was ended by us. */
  byItself: boolean;
}

export interface AcpProcess {
  process: AgentProcess;
  input: WritableStream<Uint8Array>;
  output: ReadableStream<Uint8Array>;
  /** From now on a receipt names the group, and the next consumer ends it. */
  stand(): void;
  /** Closes its input, waits so long for it to leave by itself, then ends the group. */
  close(patienceMs: number): Promise<ProcessEnd>;
}

export interface AcpProcessSpec {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  errorPath: string;
  /** From SIGTERM to SIGKILL. */
  termMs: number;
}

export async function startProcess(spec: AcpProcessSpec): Promise<AcpProcess | { unavailable: string }> {
  let child: ChildProcess;
  try {
    child = spawnBehindGate(spec);
  } catch (error) {
    if (isTemporary(error)) throw error;
    return { unavailable: errorCode(error) ?? errorWords(error) };
  }
  const failed = new Promise<Error>((resolve) => child.on('error', resolve));
  if (child.pid === undefined) {
    const error = await failed;
    if (isTemporary(error)) throw error;
    return { unavailable: errorCode(error) ?? error.message };
  }
  const identity = identityOf(child.pid);
  const { stdin, stdout } = child;
  const gate = child.stdio[3];
  if (identity === null || stdin === null || stdout === null || !(gate instanceof Writable)) {
    return { unavailable: 'it ended at once' };
  }
  // An agent that is gone is seen by its output's end, not by what could not be written.
  for (const pipe of [stdin, stdout, gate]) pipe.on('error', () => undefined);
  gate.write('seen\n');
  let ended: Omit<ProcessEnd, 'byItself'> | null = null;
  const exited = new Promise<Omit<ProcessEnd, 'byItself'>>((resolve) => {
    child.once('exit', (code, signal) => {
      setTimeout(() => stdout.destroy(), DRAIN_MS).unref();
      resolve((ended = { code, signal }));
    });
  });
  const close = async (patienceMs: number): Promise<ProcessEnd> => {
    stdin.end();
    const patience = new AbortController();
    await Promise.race([exited, pause(patienceMs, patience.signal)]);
    patience.abort();
    const byItself = ended !== null;
    await endGroup(identity, { graceMs: spec.termMs });
    gate.destroy();
    return { ...(await exited), byItself };
  };
  let closing: Promise<ProcessEnd> | undefined;
  return {
    process: { ...identity, startedAt: nowIso() },
    input: Writable.toWeb(stdin) as WritableStream<Uint8Array>,
    output: Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
    stand: () => void gate.end('go\n'),
    close: (patienceMs) => (closing ??= close(patienceMs)),
  };
}

function spawnBehindGate(spec: AcpProcessSpec): ChildProcess {
  const errors = openSync(spec.errorPath, 'w', 0o600);
  try {
    return spawn('/bin/sh', ['-c', GATE, 'gate', spec.program, ...spec.args], {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ['pipe', 'pipe', errors, 'pipe'],
    });
  } finally {
    closeSync(errors);
  }
}
