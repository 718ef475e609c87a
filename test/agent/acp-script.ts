import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionOption, RequestPermissionRequest, StopReason } from '@agentclientprotocol/sdk';
import { acpAgent } from '../../src/agent/acp-agent.ts';
import type { AcpSettings } from '../../src/agent/acp-settings.ts';
import type { Agent, HeldRun, RunHooks, RunOutcome, RunSpec } from '../../src/core/ports.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

const PROGRAM = join(import.meta.dirname, 'fixtures', 'scripted-agent.mjs');

/** One thing that the scripted agent does: one key each. */
export type Action =
  | { say: string; messageId?: string }
  | { think: string }
  /** A message of the person that the agent put in itself. */
  | { inject: string }
  | { tool: ToolFields }
  | { update: ToolFields }
  | { plan: { content: string; status: string }[] }
  /** A whole notification, valid or not. */
  | { raw: object }
  /** Says what was answered. */
  | { ask: Omit<RequestPermissionRequest, 'sessionId'> }
  | { echoPrompt: true }
  | { echoEnvironment: true }
  | { print: string }
  | { stderr: string }
  | { flood: number }
  /** Leaves a process in its group that ignores SIGTERM, and writes its pid there. */
  | { child: string }
  | { waitFor: string }
  | { mark: string }
  | { untilCancelled: true }
  | { hang: true }
  | { closeOutput: true }
  | { die: number | NodeJS.Signals }
  | { fail: { code: number; message: string; data?: unknown } }
  | { stop: StopReason };

type ToolFields = { toolCallId: string; [field: string]: unknown };

type Refusal = { code: number; message: string; data?: unknown };

export interface Script {
  protocolVersion?: number;
  capabilities?: object;
  authMethods?: object[];
  modes?: { currentModeId: string; availableModes: { id: string; name: string }[] };
  /** Before it listens. */
  start?: Action[];
  /** One list a prompt; `[{ say: 'done' }]` where none is left. */
  turns?: Action[][];
  /** What it does instead where the prompt says `slowly`. */
  slow?: Action[];
  refuses?: Refusal;
  new?: Refusal;
  load?: { forgets?: true; empty?: true; late?: true; dies?: true; withoutMarker?: true };
  resume?: { forgets?: true };
  /** Neither the end of its input nor SIGTERM ends it. */
  stays?: true;
}

export const LOADS = { loadSession: true };
export const RESUMES = { sessionCapabilities: { resume: {} } };

export const ALLOW_ONCE: PermissionOption = { optionId: 'yes', kind: 'allow_once', name: 'Yes' };
export const REJECT_ONCE: PermissionOption = { optionId: 'no', kind: 'reject_once', name: 'No' };

export class Stage {
  readonly folder = scratchFolder();
  readonly #journal = join(this.folder, 'journal.jsonl');

  constructor() {
    for (const name of ['work', 'out', 'store']) mkdirSync(this.path(name));
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  agent(script: Script, settings: Partial<AcpSettings> = {}): Agent {
    return acpAgent({
      command: this.command(script),
      cwd: this.path('work'),
      permissions: 'ask',
      ...settings,
      limits: { quietMs: 100, cancelMs: 1_500, termMs: 300, ...settings.limits },
    });
  }

  command(script: Script): string[] {
    const path = this.path('script.json');
    writeFileSync(path, JSON.stringify({ ...script, store: this.path('store'), journal: this.#journal }));
    return [process.execPath, PROGRAM, path];
  }

  spec(more: Partial<RunSpec> = {}): RunSpec {
    const run = more.run ?? 1;
    return {
      requestId: '41',
      conversation: '41',
      session: '00000000-0000-4000-8000-000000000000',
      turn: 1,
      run,
      prompt: 'write about spools',
      filesFolder: null,
      outFolder: this.path('out'),
      outputPath: this.path(`run-${run}.out`),
      errorPath: this.path(`run-${run}.err`),
      ...more,
    };
  }

  /** What the agent was told, in order. */
  journal(): Record<string, unknown>[] {
    if (!existsSync(this.#journal)) return [];
    return readFileSync(this.#journal, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }
}

export async function held(agent: Agent, spec: RunSpec, hooks?: RunHooks): Promise<HeldRun> {
  const outcome = await agent.hold(spec, hooks);
  if (outcome.kind !== 'held') throw new Error(`not held: ${JSON.stringify(outcome)}`);
  return outcome.run;
}

/** One whole run. */
export async function ran(
  agent: Agent,
  spec: RunSpec,
  hooks?: RunHooks,
): Promise<{ outcome: RunOutcome; run: HeldRun }> {
  const run = await held(agent, spec, hooks);
  run.letGo();
  return { outcome: await run.finished, run };
}
