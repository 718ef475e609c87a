/**
 * Owns: whether an agent is there and answers, asked without giving it any work.
 * Guarantees: its process group is ended before this resolves; what it printed goes into files of `folder`.
 * Fails: by its result; throws only what passes by itself (no room on the disk, too many files or processes).
 */
import { join } from 'node:path';
import type { RunSpec } from '../core/ports.ts';
import { cleanText } from '../core/reply/clean-text.ts';
import type { AgentSettings } from '../core/settings.ts';
import { pause } from '../platform/clock.ts';
import { greetAgent } from './acp-agent.ts';
import { endWords, lastWords } from './end-words.ts';
import { inheritedEnvironment, variablesOf } from './environment.ts';
import { locateProgram, notStarted } from './find-program.ts';
import { Gates } from './gates.ts';
import { holdProcess } from './held-process.ts';
import { readLastLines } from './run-output.ts';

export interface AgentCheck {
  agent: AgentSettings;
  cwd: string;
  /** What it would inherit. */
  environment: NodeJS.ProcessEnv;
  folder: string;
  /** How long an answer is waited for. */
  patienceMs: number;
}

/** `silent`: it can be started, and does not tell its version; that alone is no fault. */
export type AgentAnswer = { kind: 'answers' | 'silent' | 'fails'; words: string };

export async function askAgent(check: AgentCheck): Promise<AgentAnswer> {
  const { agent } = check;
  if (agent.kind === 'sample') return { kind: 'answers', words: 'built in' };
  return agent.kind === 'acp' ? greet(check, agent) : version(check, agent);
}

type Commanded = Exclude<AgentSettings, { kind: 'sample' }>;

async function greet({ cwd, environment, patienceMs, folder }: AgentCheck, agent: Commanded): Promise<AgentAnswer> {
  const settings = { ...agent, cwd, environment, limits: { startMs: patienceMs } };
  const greeting = await greetAgent(settings, specIn(folder));
  if ('code' in greeting) return { kind: 'fails', words: greeting.message };
  const { name, version: number } = greeting.agentInfo ?? { name: agent.command[0], version: '' };
  return { kind: 'answers', words: oneLine(`${name} ${number}`) };
}

/** What it is told is what nearly every program knows; the other arguments would make it work. */
async function version({ cwd, environment, patienceMs, folder }: AgentCheck, agent: Commanded): Promise<AgentAnswer> {
  const spec = specIn(folder);
  const gates = new Gates(cwd, inheritedEnvironment(environment));
  const located = locateProgram(agent.command[0], cwd, gates.env['PATH']);
  if ('code' in located) return { kind: 'fails', words: located.message };
  const { program } = located;
  const { outputPath, errorPath } = spec;
  const input = { text: '', path: join(folder, 'in') };
  const variables = variablesOf(spec);
  const held = await holdProcess(gates, {
    program,
    args: ['--version'],
    variables,
    input,
    outputPath,
    errorPath,
  });
  if ('unavailable' in held) return { kind: 'fails', words: notStarted(program, held.unavailable).message };
  const patience = new AbortController();
  held.letGo();
  const late = pause(patienceMs, patience.signal).then(() => held.end());
  const { code, signal } = await held.ended;
  patience.abort();
  const wasLate = await late;
  if (wasLate) return { kind: 'silent', words: `${program} --version did not end within ${patienceMs / 1000} s` };
  if (code === 0) return { kind: 'answers', words: oneLine(readLastLines(outputPath, 1)) };
  const words = `${program} --version: ${endWords(code, signal)}${lastWords(errorPath)}`;
  // By these a shell or `env` says that what it was to start is not there.
  return { kind: code === 126 || code === 127 ? 'fails' : 'silent', words: oneLine(words) };
}

function specIn(folder: string): RunSpec {
  const id = '0';
  const session = '00000000-0000-4000-8000-000000000000';
  const named = { requestId: id, conversation: id, session, turn: 1, run: 1, prompt: '', filesFolder: null };
  return { ...named, outFolder: folder, outputPath: join(folder, 'run-1.out'), errorPath: join(folder, 'run-1.err') };
}

function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/gu, ' ').trim().slice(0, 300);
}
