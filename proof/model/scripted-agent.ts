/**
 * An agent that does what the request's words say, and keeps a record of each time that it was let go:
 * `answer`, `long` (two parts), `file` (a text and a file), `empty`, `fail`, `hang` (until it is stopped), `slow` (20 s),
 * `gone` (it cannot be started). Each answer bears marks, by which its parts are known wherever they arrive.
 */
import { join } from 'node:path';
import type { Agent, HeldRun, HoldOutcome, RunOutcome, RunSpec, StopReason } from '../../src/core/ports.ts';
import type { Receipt } from '../../src/core/receipt.ts';
import { pause } from '../../src/platform/clock.ts';
import { rawDisk } from './simulated-disk.ts';
import { currentProcess } from './simulated-process.ts';

export const PLANS = ['answer', 'long', 'file', 'empty', 'fail', 'hang', 'slow', 'gone'] as const;
export type Plan = (typeof PLANS)[number];

/** One time that the agent was let go. */
export interface Run {
  requestId: string;
  run: number;
  prompt: string;
  /** Its receipt on disk at that moment. */
  receipt: Receipt | null;
}

export interface AgentPorts {
  runs: Run[];
  receiptOf: (requestId: string) => { receipt: Receipt | null };
  at: () => string;
}

export function scriptedAgent(ports: AgentPorts): Agent {
  return {
    resumesSessions: false,
    async hold(spec): Promise<HoldOutcome> {
      currentProcess()?.step();
      const plan = planOf(spec.prompt);
      if (plan === 'gone') return { kind: 'unavailable', code: 'agent-missing', message: 'no such program' };
      return { kind: 'held', run: heldRun(spec, plan, ports) };
    },
  };
}

function planOf(prompt: string): Plan {
  return PLANS.find((plan) => new RegExp(`\\bplan ${plan}\\b`, 'u').test(prompt)) ?? 'answer';
}

let lastPid = 4_200_000;

function heldRun(spec: RunSpec, plan: Plan, { runs, receiptOf, at }: AgentPorts): HeldRun {
  let finish: (outcome: RunOutcome) => void = () => undefined;
  const finished = new Promise<RunOutcome>((resolve) => {
    finish = resolve;
  });
  const stop = (reason: StopReason): void => finish({ kind: 'stopped', reason });
  const work = async (): Promise<void> => {
    await pause(plan === 'slow' ? 20_000 : 100);
    const outcome = outcomeOf(plan, spec);
    if (outcome !== null) finish(outcome);
  };
  lastPid += 1;
  return {
    process: { pid: lastPid, startedAt: at(), bootId: 'simulated', startTime: '1' },
    session: spec.session,
    origin: 'new',
    activity: () => null,
    steps: () => [],
    letGo: () => {
      currentProcess()?.step();
      runs.push({ requestId: spec.requestId, run: spec.run, prompt: spec.prompt, ...receiptOf(spec.requestId) });
      rawDisk.writeFileSync(spec.outputPath, '');
      void work();
    },
    finished,
    stop,
  };
}

/** Null: it never ends by itself. */
function outcomeOf(plan: Plan, { requestId, run, outFolder }: RunSpec): RunOutcome | null {
  const mark = (part: string): string => `mark-${requestId}-${run}-${part}`;
  const answered = (markdown: string): RunOutcome => ({ kind: 'answered', markdown, whole: null });
  switch (plan) {
    case 'hang':
      return null;
    case 'empty':
      return answered('');
    case 'fail':
      return { kind: 'failed', code: 'agent-exit', message: 'exit 3' };
    case 'long':
      return answered(`${mark('a')} ${'many words '.repeat(380)} ${mark('b')}`);
    case 'file':
      rawDisk.writeFileSync(join(outFolder, `${mark('f')}.txt`), 'made by the agent');
      return answered(mark('a'));
    default:
      return answered(mark('a'));
  }
}
