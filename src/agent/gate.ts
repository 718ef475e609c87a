/**
 * Owns: a gate: a shell that waits, in a process group of its own, for what it is to run, and then becomes it.
 * Guarantees: whatever it is told is quoted, and so data to the shell. It runs only what it was told whole; when
 *   its pipe closes before, also because this process died, it leaves.
 * Fails: as `spawn` does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { errorCode, errorWords } from '../core/failure.ts';
import { type ProcessIdentity, identityOf } from '../platform/process-identity.ts';

export interface GateOrder {
  /** Program and arguments. */
  words: readonly string[];
  /** Beside those that the gate was started with. */
  variables: Record<string, string>;
  inputPath: string;
  outputPath: string;
  errorPath: string;
}

export interface Gate {
  child: ChildProcess;
  identity: ProcessIdentity;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  run(order: GateOrder): void;
  /** It leaves without having run anything. */
  close(): void;
}

/** @throws the system's error, or an Error whose `code` is that of spawn(2) */
export async function openGate(cwd: string, env: Readonly<Record<string, string>>): Promise<Gate> {
  // Without a script it reads its commands from its input, in blocks; the `read` of a script takes one byte a system call.
  const child = spawn('/bin/sh', [], { cwd, env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const failed = new Promise<Error>((resolve) => child.on('error', resolve));
  if (child.pid === undefined) {
    const error = await failed;
    const code = errorCode(error);
    throw Object.assign(new Error(`/bin/sh could not be started: ${code ?? errorWords(error)}`), { code });
  }
  const identity = identityOf(child.pid);
  if (identity === null) throw new Error('it ended at once');
  const pipe = child.stdin;
  // A gate that died before it was told is seen by its exit, not by the pipe.
  pipe.on('error', () => undefined);
  return {
    child,
    identity,
    exited,
    run: (order) => {
      pipe.end(commandOf(order));
    },
    close: () => {
      pipe.destroy();
    },
  };
}

/** In braces: a shell runs nothing of a group before it has read its end. */
export function commandOf({ words, variables, inputPath, outputPath, errorPath }: GateOrder): string {
  const exported = Object.entries(variables).map(([name, value]) => `export ${quoted(`${name}=${value}`)}\n`);
  const streams = `<${quoted(inputPath)} >${quoted(outputPath)} 2>${quoted(errorPath)}`;
  return `{\n${exported.join('')}exec ${words.map(quoted).join(' ')} ${streams}\n}\n`;
}

/** Between single quotes nothing but their end means anything to a shell (POSIX, Shell Command Language, 2.2.2). */
function quoted(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
