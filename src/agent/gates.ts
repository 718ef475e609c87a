/**
 * Owns: the gate that is opened ahead, so that a run need not wait for a fork.
 * Guarantees: it is handed out only if it would be opened just so now: in the same folder, still waiting.
 * Fails: as `openGate`.
 */
import { statSync } from 'node:fs';
import { type Gate, openGate } from './gate.ts';

interface Spare {
  gate: Gate;
  folder: string | null;
}

export class Gates {
  /** What every program behind them inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly #cwd: string;
  readonly #open: typeof openGate;
  #spare: Spare | null = null;
  #isOpening = false;

  constructor(cwd: string, env: Record<string, string>, open = openGate) {
    this.#cwd = cwd;
    this.env = env;
    this.#open = open;
  }

  async take(): Promise<Gate> {
    const spare = this.#spare;
    this.#spare = null;
    if (spare === null) return this.#open(this.#cwd, this.env);
    if (spare.folder !== null && spare.folder === folderAt(this.#cwd)) return spare.gate;
    spare.gate.close();
    return this.#open(this.#cwd, this.env);
  }

  /** Opens one ahead, unless one waits; what hinders it is met again, and told, when a gate is taken. */
  async prepare(): Promise<void> {
    if (this.#spare !== null || this.#isOpening) return;
    this.#isOpening = true;
    try {
      const spare = { folder: folderAt(this.#cwd), gate: await this.#open(this.#cwd, this.env) };
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
