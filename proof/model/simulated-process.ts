/**
 * Processes that live inside this one: each has its own time, its own steps on the disk, and dies when it is told to.
 *
 * A process is a context of Node's AsyncLocalStorage. Whatever the real code does in it goes through here: timers wait for
 * simulated time; every call that changes the disk, every send and every start of an agent is one step, at which the
 * process may be killed or the disk may fail. What is dead never does anything again: its calls throw, its timers are gone.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type ProcessName = 'bot' | 'consumer';

export interface DiskFault {
  /** Steps that still go well. */
  after: number;
  /** Steps that then fail. */
  times: number;
  code: 'EIO' | 'ENOSPC' | 'EMFILE' | 'EACCES';
}

/** Thrown into the code of a process at the instant of its death. */
export class Died extends Error {}

export class SimulatedProcess {
  readonly name: ProcessName;
  readonly ending = new AbortController();
  isDead = false;
  /** Steps until it is killed. */
  stepsToLive = Number.POSITIVE_INFINITY;
  diskFault: DiskFault | null = null;
  readonly #onDeath: () => void;

  constructor(name: ProcessName, onDeath: () => void) {
    this.name = name;
    this.#onDeath = onDeath;
  }

  run<T>(work: () => T): T {
    return context.run(this, work);
  }

  /** Before anything that others can see. */
  step(): void {
    this.assertAlive();
    if (this.stepsToLive <= 0) {
      this.kill();
      throw new Died();
    }
    this.stepsToLive -= 1;
  }

  assertAlive(): void {
    if (this.isDead) throw new Died();
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#onDeath();
  }

  /** The error of the disk for this step, if it is to fail. */
  takeDiskFault(call: string): Error | null {
    const fault = this.diskFault;
    if (fault === null) return null;
    if (fault.after > 0) {
      fault.after -= 1;
      return null;
    }
    fault.times -= 1;
    if (fault.times <= 0) this.diskFault = null;
    return Object.assign(new Error(`${fault.code}: injected, ${call}`), { code: fault.code, errno: -5, syscall: call });
  }
}

const context = new AsyncLocalStorage<SimulatedProcess>();

/** The process whose code runs at this moment; undefined for the test's own. */
export function currentProcess(): SimulatedProcess | undefined {
  return context.getStore();
}
