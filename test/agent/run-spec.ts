/** What an agent is given for one run, over a folder of the test's own. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Agent, HeldRun, RunOutcome, RunSpec } from '../../src/core/ports.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

export const SESSION = '0b9c2f64-5d0e-4c58-9f0c-4a2a8f0e7a11';

export function runSpec(fields: Partial<RunSpec> = {}): RunSpec {
  const folder = scratchFolder();
  const outFolder = join(folder, 'out');
  mkdirSync(outFolder);
  return {
    requestId: '43',
    conversation: '41',
    session: SESSION,
    turn: 1,
    run: 1,
    prompt: 'write about spools',
    filesFolder: null,
    outFolder,
    outputPath: join(folder, 'run-1.out'),
    errorPath: join(folder, 'run-1.err'),
    ...fields,
  };
}

export async function held(agent: Agent, spec: RunSpec): Promise<HeldRun> {
  const outcome = await agent.hold(spec);
  if (outcome.kind === 'held') return outcome.run;
  throw new Error(JSON.stringify(outcome));
}

/** Held, let go, and waited for. */
export async function ran(agent: Agent, spec: RunSpec): Promise<RunOutcome> {
  const run = await held(agent, spec);
  run.letGo();
  return run.finished;
}

export async function answered(agent: Agent, spec: RunSpec): Promise<string> {
  const outcome = await ran(agent, spec);
  expect(outcome).toMatchObject({ kind: 'answered' });
  return outcome.kind === 'answered' ? outcome.markdown : '';
}

export function printed(spec: RunSpec): Buffer {
  return readFileSync(spec.outputPath);
}
