/** What `service` and `doctor` need of a service manager, be it launchd or systemd; and how its programs are called. */
import { execFile } from 'node:child_process';
import type { Part, ServicePlan } from './service-plan.ts';

export interface ServiceFile {
  part: Part;
  /** As the manager names it. */
  name: string;
  path: string;
  text: string;
}

export interface ServiceState {
  /** Started by itself at the next log-in. */
  enabled: boolean;
  running: boolean;
  pid: number | null;
  /** The manager's own words. */
  words: string;
}

export interface ServiceManager {
  readonly kind: 'launchd' | 'systemd';
  files(plan: ServicePlan): ServiceFile[];
  /** @throws BridgeError `service-failed` where it cannot be spoken to, so that nothing is half installed */
  assertReachable(): Promise<void>;
  stateOf(file: Pick<ServiceFile, 'name'>): Promise<ServiceState>;
  /** Loads, enables and starts what has been written. */
  start(files: readonly ServiceFile[]): Promise<void>;
  /** The same for one that runs with other settings. */
  restart(files: readonly ServiceFile[]): Promise<void>;
  /** Stops and disables. */
  stop(files: readonly ServiceFile[]): Promise<void>;
  /** After the files were removed. */
  forget(): Promise<void>;
  /** What every service of this user is given, beside what its own file says. */
  environment(): Promise<Record<string, string>>;
  /** PATH and program, read back from a file of ours; null where it is none. */
  readBack(text: string): { path: string; node: string } | null;
  /** What a person has yet to do by hand; null without. */
  hint(): string | null;
}

export interface ToolResult {
  code: number | null;
  stdout: string;
  /** What it said on stderr, else on stdout, in one line. */
  words: string;
}

/** Longer than systemd waits for a service to stop (30 s) and to start. */
const PATIENCE_MS = 90_000;

/** Code null: it could not be started. */
export function runTool(program: string, args: readonly string[], env = process.env): Promise<ToolResult> {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: PATIENCE_MS, maxBuffer: 4 * 1024 * 1024 }, (error, stdout, stderr) => {
      const said = (stderr.trim() || stdout.trim()).replaceAll(/\s*\n\s*/gu, ' · ');
      if (error === null) return resolve({ code: 0, stdout, words: said });
      const code = typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, words: said || (error.killed === true ? 'no answer' : error.message) });
    });
  });
}

/** What a session of this user would hold in any case. */
export function bareEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'XDG_RUNTIME_DIR'];
  return Object.fromEntries(names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])));
}
