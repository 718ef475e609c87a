/** What goes wrong on request: which calls, how often, and how. */
import type { Params } from './params.ts';

/** Each says whether the call takes effect although its answer does not come as it should. */
export type FaultAction =
  /** `{"ok": false}` with this code as HTTP status. No effect, but for the first `acceptItems` of an album. */
  | { refuse: { code: number; description: string; parameters?: Record<string, unknown>; acceptItems?: number } }
  /** The connection is reset. `before`: no effect. `after`: full effect. */
  | { reset: 'before' | 'after' }
  /**
   * Silence for `ms`, or for ever. `after`: full effect at once, the answer comes late. `before`: no effect until then;
   * none at all if the client has left meanwhile.
   */
  | { stall: 'before' | 'after'; ms?: number }
  /** Full effect; half of the answer, then a closed connection, or silence if a Content-Length was given. */
  | { cut: 'after'; contentLength?: boolean }
  /** This status and this body, such as a proxy's page. Effect: as `accept` says. */
  | { status: number; body: string; accept: boolean }
  /** The call arrives late: full effect after this time, even if the client has left. */
  | { delayMs: number };

export interface FaultMatch {
  /** A method's name, `download` for files, or `*` for everything. */
  method: string;
  when?: (params: Params) => boolean;
  /** Matching calls to let pass first; none by default. */
  skip?: number;
  /** Calls to spoil; 1 by default. */
  times?: number;
}

export interface FaultHandle {
  /** Calls spoilt so far. */
  readonly hits: number;
  remove(): void;
}

interface Fault {
  match: FaultMatch;
  action: FaultAction;
  seen: number;
  hits: number;
}

export class Faults {
  #faults: Fault[] = [];

  add(match: FaultMatch, action: FaultAction): FaultHandle {
    const fault: Fault = { match, action, seen: 0, hits: 0 };
    this.#faults.push(fault);
    return {
      get hits() {
        return fault.hits;
      },
      remove: () => {
        this.#faults = this.#faults.filter((other) => other !== fault);
      },
    };
  }

  /** The action for this call; the fault that was asked for first goes first. */
  take(method: string, params: Params): FaultAction | undefined {
    for (const fault of this.#faults) {
      if (!matches(fault.match, method, params)) continue;
      fault.seen += 1;
      if (fault.seen <= (fault.match.skip ?? 0) || fault.hits >= (fault.match.times ?? 1)) continue;
      fault.hits += 1;
      return fault.action;
    }
    return undefined;
  }
}

function matches({ method, when }: FaultMatch, called: string, params: Params): boolean {
  return (method === '*' || method.toLowerCase() === called.toLowerCase()) && (when?.(params) ?? true);
}
