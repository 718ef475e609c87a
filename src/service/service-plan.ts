/** What the two services of one home are to be: names, command lines, environment and log files. Pure but for the hash. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { BridgeError } from '../core/failure.ts';

export const PARTS = ['bot', 'consumer'] as const;
export type Part = (typeof PARTS)[number];

export interface ServicePlan {
  /** Absolute and real: the home's identity. */
  home: string;
  /** Absolute path of node: a service's own PATH may know none. */
  node: string;
  /** Absolute path of `dist/cli/main.js`. */
  main: string;
  /** PATH that the agent is looked for on. */
  path: string;
}

/** Stays the same for one home, and differs between homes, also where their folders have the same name. */
export function homeTag(home: string): string {
  const words = basename(home)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 32);
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 8);
  return words === '' ? hash : `${words}-${hash}`;
}

/** The program and its arguments. */
export function commandLine(plan: ServicePlan, part: Part): string[] {
  return [plan.node, plan.main, part, '--service', '--home', plan.home];
}

export function logPath(home: string, part: Part): string {
  return join(home, `${part}.log`);
}

/** What no unit and no property list can hold. */
export function assertWritable(plan: ServicePlan): void {
  for (const [what, text] of Object.entries(plan) as [string, string][]) {
    if (!/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text)) continue;
    throw new BridgeError(
      'service-failed',
      `${what} ${JSON.stringify(text)}: expected a path without control characters, found one`,
      { hint: 'Rename the folder; no service manager takes such a path.' },
    );
  }
}
