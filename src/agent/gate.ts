/**
 * Owns: a gate: a shell that waits, in a process group of its own, for what it is to run, and then becomes it.
 * Guarantees: nothing that it is told is read as shell text: each value is data. It runs only what it was told whole; when
 *   its pipe closes before, also because this process died, it leaves.
 * Fails: as `spawn` does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { errorCode, errorWords } from '../core/failure.ts';
import { type ProcessIdentity, identityOf } from '../platform/process-identity.ts';

/**
 * A fixed program text. One line a step: `v` begins a value, `n` goes on with it after a line break; then the value is an
 * argument (`a`), a variable of the environment (`e`), or the file of one stream (`i`, `o`, `r`); `go` runs it. Its own two
 * variables have names that no agent is given.
 */
const GATE = `set --
while IFS= read -r BLOG_BRIDGE_LINE <&3; do
  case $BLOG_BRIDGE_LINE in
    v*) BLOG_BRIDGE_VALUE=\${BLOG_BRIDGE_LINE#v} ;;
    n*) BLOG_BRIDGE_VALUE="$BLOG_BRIDGE_VALUE
\${BLOG_BRIDGE_LINE#n}" ;;
    a) set -- "$@" "$BLOG_BRIDGE_VALUE" ;;
    e) export "$BLOG_BRIDGE_VALUE" ;;
    i) exec <"$BLOG_BRIDGE_VALUE" ;;
    o) exec >"$BLOG_BRIDGE_VALUE" ;;
    r) exec 2>"$BLOG_BRIDGE_VALUE" ;;
    go) exec 3<&- && exec "$@" ;;
  esac
done
exit 125`;

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
export async function openGate(cwd: string, env: Record<string, string>): Promise<Gate> {
  const child = spawn('/bin/sh', ['-c', GATE, 'gate'], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
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
  const pipe = child.stdio[3];
  if (identity === null || !(pipe instanceof Writable)) throw new Error('it ended at once');
  // A gate that died before it was told is seen by its exit, not by the pipe.
  pipe.on('error', () => undefined);
  return {
    child,
    identity,
    exited,
    run: (order) => {
      pipe.end(linesOf(order));
    },
    close: () => {
      pipe.destroy();
    },
  };
}

function linesOf({ words, variables, inputPath, outputPath, errorPath }: GateOrder): string {
  const steps: [string, string][] = [
    ...words.map((word): [string, string] => ['a', word]),
    ...Object.entries(variables).map(([name, value]): [string, string] => ['e', `${name}=${value}`]),
    ['i', inputPath],
    ['o', outputPath],
    ['r', errorPath],
  ];
  const lines = steps.map(([step, value]) => `v${value.replaceAll('\n', '\nn')}\n${step}\n`);
  return `${lines.join('')}go\n`;
}
