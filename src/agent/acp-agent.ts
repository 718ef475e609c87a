/**
 * Owns: running an agent that speaks the Agent Client Protocol over stdio, one process a run (contract §7 `acp`).
 * Guarantees: nothing is prompted before `letGo`; the process group is ended in every case before `finished` resolves.
 * Fails: by its outcomes; throws only what passes by itself (no room on the disk, too many files or processes).
 */
import type { InitializeResponse, SessionNotification } from '@agentclientprotocol/sdk';
import { errorWords } from '../core/failure.ts';
import type { Agent, HoldOutcome, RecoveryOutcome, RunHooks, RunSpec } from '../core/ports.ts';
import { HistoryReader } from './acp-history.ts';
import { type AcpLink, Flood, type LinkSpec, NoAnswer, openLink } from './acp-link.ts';
import { type AcpProcess, startProcess } from './acp-process.ts';
import { RunListener } from './acp-listener.ts';
import { heldRun } from './acp-run.ts';
import { introduce, NoSession, type OpenSession, openSession, replay } from './acp-session.ts';
import { type AcpSettings, limitsOf, markerOf, runFile } from './acp-settings.ts';
import { endWords, lastWords } from './end-words.ts';
import { agentEnvironment } from './environment.ts';
import { isTemporary } from './held-process.ts';
import { locateProgram, notStarted, type Unavailable } from './find-program.ts';

/** For the exit of an agent whose line is down. */
const EXIT_MS = 1_000;

export function acpAgent(settings: AcpSettings): Agent {
  return {
    resumesSessions: true,
    hold: (spec, hooks, signal) => hold(settings, spec, hooks, signal).catch(unlessTemporary),
    recover: (spec, signal) =>
      recover(settings, spec, signal).catch((error: unknown) => ({ kind: 'unavailable', reason: errorWords(error) })),
  };
}

function unlessTemporary(error: unknown): HoldOutcome {
  if (isTemporary(error)) throw error;
  return { kind: 'unavailable', code: 'agent-not-started', message: errorWords(error) };
}

async function hold(
  settings: AcpSettings,
  spec: RunSpec,
  hooks: RunHooks | undefined,
  signal: AbortSignal | undefined,
): Promise<HoldOutcome> {
  const listener = new RunListener(settings, spec, hooks);
  const { onUpdate, onPermission } = listener;
  const ears = { errorPath: spec.errorPath, copyPath: runFile(spec, 'acp.jsonl'), onUpdate, onPermission };
  let isHeld = false;
  try {
    const prepare = (link: AcpLink, greeting: InitializeResponse): Promise<OpenSession> =>
      openSession(link, greeting, settings, spec, () => listener.replayed);
    const opened = await open(settings, spec, ears, prepare, signal);
    if (opened === 'dropped') return { kind: 'dropped' };
    if ('code' in opened) return { kind: 'unavailable', ...opened };
    isHeld = true;
    return { kind: 'held', run: heldRun({ ...opened, session: opened.result }, listener, spec, limitsOf(settings)) };
  } finally {
    if (!isHeld) listener.close();
  }
}

async function recover(
  settings: AcpSettings,
  spec: RunSpec,
  signal: AbortSignal | undefined,
): Promise<RecoveryOutcome> {
  const sessionId = spec.formerSession ?? null;
  if (sessionId === null) return { kind: 'unavailable', reason: 'the run has no session' };
  const history = new HistoryReader(markerOf(spec));
  const listeners: Pick<LinkSpec, 'onUpdate' | 'onPermission'> = {
    onUpdate: ({ sessionId: of, update }: SessionNotification) => {
      if (of === sessionId) history.take(update);
    },
    onPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
  };
  const paths = { errorPath: runFile(spec, 'recovery.err'), copyPath: runFile(spec, 'recovery.jsonl') };
  const prepare = async (link: AcpLink, { agentCapabilities }: InitializeResponse): Promise<void> => {
    if (agentCapabilities?.loadSession !== true) {
      throw new NoSession('agent-session', 'the agent cannot load a session');
    }
    await replay(link, settings, sessionId);
  };
  const opened = await open(settings, spec, { ...paths, ...listeners }, prepare, signal);
  if (opened === 'dropped') return { kind: 'unavailable', reason: 'stopped while its history was read' };
  if ('code' in opened) return { kind: 'unavailable', reason: opened.message };
  await opened.process.close(0);
  opened.link.close();
  return history.result();
}

type Opened<T> = { process: AcpProcess; link: AcpLink; greeting: InitializeResponse; result: T };

/** Starts the agent and does with it what comes before a prompt; where that fails, nothing of it is left. */
async function open<T>(
  settings: AcpSettings,
  spec: RunSpec,
  link: Omit<LinkSpec, 'limits'>,
  prepare: (link: AcpLink, greeting: InitializeResponse) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<Opened<T> | Unavailable | 'dropped'> {
  if (isAborted(signal)) return 'dropped';
  const [name = '', ...args] = settings.command;
  const env = agentEnvironment(process.env, spec);
  const located = locateProgram(name, settings.cwd, env['PATH']);
  if ('code' in located) return located;
  const { program } = located;
  const limits = limitsOf(settings);
  const { cwd } = settings;
  const started = await startProcess({ program, args, env, cwd, errorPath: link.errorPath, termMs: limits.termMs });
  if ('unavailable' in started) {
    const { code, message } = notStarted(program, started.unavailable);
    return { code, message };
  }
  // An agent that is gone ends every wait for it.
  const drop = (): void => void started.close(0).catch(() => undefined);
  signal?.addEventListener('abort', drop, { once: true });
  let line: AcpLink | null = null;
  try {
    if (isAborted(signal)) drop();
    line = openLink(started, { ...link, limits });
    const greeting = await introduce(line);
    const result = await prepare(line, greeting);
    if (isAborted(signal)) throw new Error('not wanted any more');
    return { process: started, link: line, greeting, result };
  } catch (error) {
    const refusal = await refusalOf(error, started, line, link.errorPath);
    return isAborted(signal) ? 'dropped' : refusal;
  } finally {
    signal?.removeEventListener('abort', drop);
  }
}

/** Asked anew after each wait. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

async function refusalOf(
  error: unknown,
  started: AcpProcess,
  line: AcpLink | null,
  errorPath: string,
): Promise<Unavailable> {
  // An agent whose line is down may still be on its way out: its exit says more than the line.
  const isDown = line?.isDown ?? false;
  const end = await started.close(isDown ? EXIT_MS : 0);
  line?.close();
  if (line === null) throw error;
  const stray = line.strayWords();
  const printed = stray === '' ? '' : `; it printed: ${stray}`;
  if (error instanceof NoSession) return { code: error.code, message: error.message };
  if (error instanceof NoAnswer) return { code: 'agent-start-timeout', message: `${error.message}${printed}` };
  if (error instanceof Flood) return { code: 'agent-flood', message: error.message };
  if (!isDown || !end.byItself) return { code: 'agent-protocol', message: `${errorWords(error)}${printed}` };
  const words = `${endWords(end.code, end.signal)} before it took a prompt${lastWords(errorPath)}${printed}`;
  return { code: end.signal === null ? 'agent-exit' : 'agent-signal', message: words };
}
