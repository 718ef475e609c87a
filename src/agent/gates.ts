/**
 * Owns: the gate that is opened ahead, so that a run need not wait for a fork.
 * Guarantees: it is handed out only if it would be opened just so now: same folder, same environment, still waiting.
 * Fails: as `openGate`.
 */
import { statSync } from 'node:fs';
import { type Gate, openGate } from './gate.ts';

interface Spare {
  gate: Gate;
  env: Record<string, string>;
  folder: string | null;
}

export class Gates {
  readonly #cwd: string;
  readonly #env: () => Record<string, string>;
  readonly #open: typeof openGate;
  #spare: Spare | null = null;
  #isOpening = false;

  constructor(cwd: string, env: () => Record<string, string>, open = openGate) {
    this.#cwd = cwd;
    this.#env = env;
    this.#open = open;
  }

  async take(): Promise<Gate> {
    const env = this.#env();
    const spare = this.#spare;
    this.#spare = null;
    if (spare === null) return this.#open(this.#cwd, env);
    if (spare.folder !== null && spare.folder === folderAt(this.#cwd) && isSame(spare.env, env)) return spare.gate;
    spare.gate.close();
    return this.#open(this.#cwd, env);
  }

  /** Opens one ahead, unless one waits; what hinders it is met again, and told, when a gate is taken. */
  async prepare(): Promise<void> {
    if (this.#spare !== null || this.#isOpening) return;
    this.#isOpening = true;
    try {
      const env = this.#env();
      const spare = { folder: folderAt(this.#cwd), gate: await this.#open(this.#cwd, env), env };
      this.#spare = spare;
      spare.gate.child.once('exit', () => {
        if (this.#spare === spare) this.#spare = null;
      });
    } catch {
      // see above
    } finally {
      this.#isOpening = false;
    }
  }
}

/** Which folder the path leads to, so that one that was made anew is told apart. */
function folderAt(path: string): string | null {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? null : `${status.dev} ${status.ino}`;
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
