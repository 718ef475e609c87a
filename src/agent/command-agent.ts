/**
 * Owns: running any program as the agent: prompt on stdin, reply on stdout, exit 0 means success (contract §7 `command`).
 * Guarantees: no shell reads the command or the prompt; both outputs go straight to files.
 * Fails: by its outcomes.
 */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorWords } from '../core/failure.ts';
import { isBlank } from '../core/reply/clean-text.ts';
import type { Agent, AgentFailure, HeldRun, HoldOutcome, RunOutcome, RunSpec, StopReason } from '../core/ports.ts';
import { LEAST_ROOM_BYTES, roomAt } from '../platform/disk-room.ts';
import { inheritedEnvironment, variablesOf } from './environment.ts';
import { endWords, lastWords } from './end-words.ts';
import { locateProgram, notStarted } from './find-program.ts';
import { Gates } from './gates.ts';
import { type HeldProcess, holdProcess } from './held-process.ts';
import { MAX_REPLY_BYTES, readHead } from './run-output.ts';

/** An agent that prints more than this has run wild; it would fill the disk. */
const FLOOD_BYTES = 1024 * 1024 * 1024;
const CHECK_MS = 1_000;

export interface CommandSettings {
  command: readonly string[];
  /** Used from the second run of a session on. */
  resumeCommand?: readonly string[] | undefined;
  cwd: string;
}

export function commandAgent(settings: CommandSettings): Agent {
  const gates = new Gates(settings.cwd, inheritedEnvironment(process.env));
  return {
    resumesSessions: settings.resumeCommand !== undefined,
    prepare: () => gates.prepare(),
    hold: (spec, _hooks, signal) => hold(settings, gates, spec, signal),
  };
}

async function hold(
  settings: CommandSettings,
  gates: Gates,
  spec: RunSpec,
  signal: AbortSignal | undefined,
): Promise<HoldOutcome> {
  if (signal?.aborted === true) return { kind: 'dropped' };
  const command = spec.turn > 1 && settings.resumeCommand !== undefined ? settings.resumeCommand : settings.command;
  const [name = '', ...args] = command.map((argument) => argument.replaceAll('{sessionId}', spec.session));
  const located = locateProgram(name, settings.cwd, gates.env['PATH']);
  if ('code' in located) return { kind: 'unavailable', ...located };
  const { program } = located;
  const input = { text: spec.prompt, path: join(dirname(spec.outputPath), `run-${spec.run}.in`) };
  const held = await holdProcess(gates, {
    program,
    args,
    variables: variablesOf(spec),
    input,
    outputPath: spec.outputPath,
    errorPath: spec.errorPath,
  });
  if ('unavailable' in held) return notStarted(program, held.unavailable);
  return { kind: 'held', run: runOf(held, spec) };
}

function runOf(held: HeldProcess, spec: RunSpec): HeldRun {
  let stopped: StopReason | 'flood' | undefined;
  let isCut = false;
  const stop = (reason: StopReason | 'flood'): void => {
    if (held.end()) stopped ??= reason;
  };
  const guard = setInterval(() => {
    isCut ||= roomAt(spec.outFolder) < LEAST_ROOM_BYTES;
    if (sizeOf(spec.outputPath) + sizeOf(spec.errorPath) > FLOOD_BYTES) stop('flood');
  }, CHECK_MS);
  const finished = held.ended
    .then(({ code, signal }): RunOutcome => {
      if (stopped === 'flood')
        return failed('agent-flood', `the agent printed more than ${FLOOD_BYTES} bytes and was ended`);
      if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
      // Many a program loses what a full disk does not take, and still says that all went well.
      isCut ||= roomAt(spec.outFolder) < LEAST_ROOM_BYTES;
      if (code === 0 && signal === null) return answerOf(spec, isCut);
      return failed(
        signal === null ? 'agent-exit' : 'agent-signal',
        `${endWords(code, signal)}${lastWords(spec.errorPath)}`,
      );
    })
    .catch((error: unknown) => failed('agent-not-ended', errorWords(error)))
    .finally(() => clearInterval(guard));
  const told = { session: spec.session, origin: spec.turn > 1 ? 'resumed' : 'new' } as const;
  return {
    process: held.process,
    ...told,
    activity: () => null,
    steps: () => [],
    letGo: () => held.letGo(),
    finished,
    stop,
  };
}

function answerOf(spec: RunSpec, isCut: boolean): RunOutcome {
  const { text, totalBytes } = readHead(spec.outputPath);
  if (isCut && isBlank(text))
    return failed('agent-disk-full', 'the disk was full while the agent worked, and took nothing of what it printed');
  return {
    ...(isCut ? { note: 'disk_full' as const } : {}),
    kind: 'answered',
    markdown: text,
    whole: totalBytes > MAX_REPLY_BYTES ? spec.outputPath : null,
  };
}

function failed(code: AgentFailure, message: string): RunOutcome {
  return { kind: 'failed', code, message };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
