/** What the ACP agent is told by `config.json`, and how long and how much it bears. */
import { join, dirname } from 'node:path';
import type { RunSpec } from '../core/ports.ts';

export interface AcpSettings {
  command: readonly string[];
  cwd: string;
  permissions: 'ask' | 'allow' | 'reject';
  /** Id of one of the agent's modes; set after every new, load and resume. */
  mode?: string | undefined;
  limits?: Partial<AcpLimits> | undefined;
  /** What the agent inherits; by default what this process has. */
  environment?: NodeJS.ProcessEnv | undefined;
}

export interface AcpLimits {
  /** For each answer before the prompt. The first one is long: `npx` may fetch the adapter. */
  startMs: number;
  /** After `session/cancel`, for the agent to end its turn by itself. */
  cancelMs: number;
  /** After its input was closed, for the agent to write its history and leave. */
  closeMs: number;
  /** From SIGTERM to SIGKILL, for its whole group. */
  termMs: number;
  /** Without an update for so long, a replay that outlasts the answer to `session/load` is over. */
  quietMs: number;
  /** All that it may print in one run. */
  outputBytes: number;
}

const LIMITS: AcpLimits = {
  startMs: 120_000,
  cancelMs: 3_000,
  closeMs: 1_500,
  termMs: 5_000,
  quietMs: 300,
  outputBytes: 256 * 1024 * 1024,
};

export function limitsOf(settings: AcpSettings): AcpLimits {
  return { ...LIMITS, ...settings.limits };
}

/** Names the run in the agent's own history, where a later consumer looks for it. */
export function markerOf(spec: Pick<RunSpec, 'requestId' | 'run'>): string {
  return `[blog-bridge request ${spec.requestId} run ${spec.run}]`;
}

/** `run-<n>.<ending>` beside the run's other files. */
export function runFile(spec: RunSpec, ending: string): string {
  return join(dirname(spec.outputPath), `run-${spec.run}.${ending}`);
}
