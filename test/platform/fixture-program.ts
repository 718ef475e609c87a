import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';

/** Bundles a TypeScript program from fixtures/, with what it imports from src/, into one file in `outDir` that node can run. */
export async function buildProgram(name: string, outDir: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: join(import.meta.dirname, 'fixtures', name), outDir, minify: false },
  });
  const [file] = readdirSync(outDir);
  return join(outDir, file ?? '');
}

export type Program = {
  child: ChildProcess;
  pid: number;
  /** The next line that it prints. */
  line(): Promise<string>;
  tell(line: string): void;
  /** Ends it by SIGKILL and waits until it has been collected. */
  kill(): Promise<void>;
};

export function runProgram(command: string, args: string[], options: { detached?: boolean } = {}): Program {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  return {
    child,
    pid: child.pid ?? 0,
    async line() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${command} ${args.join(' ')} ended before it printed a line`);
      return value;
    },
    tell: (line) => child.stdin.write(`${line}\n`),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
