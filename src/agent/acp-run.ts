/**
 * Owns: one run of an ACP agent whose session is open: its one prompt and its end.
 * Guarantees: one prompt at most; `finished` resolves once nothing of the process group is left, and never rejects.
 * Fails: by its outcome.
 */
import * as acp from '@agentclientprotocol/sdk';
import { errorWords } from '../core/failure.ts';
import type { HeldRun, RunOutcome, RunSpec, StopReason } from '../core/ports.ts';
import type { AcpLink } from './acp-link.ts';
import type { RunListener } from './acp-listener.ts';
import { outcomeOf, type TurnEnd } from './acp-outcome.ts';
import type { AcpProcess } from './acp-process.ts';
import { promptBlocks } from './acp-prompt.ts';
import type { OpenSession } from './acp-session.ts';
import type { AcpLimits } from './acp-settings.ts';

/** For the exit of an agent whose line is down. */
const EXIT_MS = 1_000;

export interface Opened {
  process: AcpProcess;
  link: AcpLink;
  greeting: acp.InitializeResponse;
  session: OpenSession;
}

export function heldRun(opened: Opened, listener: RunListener, spec: RunSpec, limits: AcpLimits): HeldRun {
  const { process, link, session } = opened;
  let stopped: StopReason | null = null;
  let isOver = false;
  let isPrompted = false;
  let resolveTurn: ((end: TurnEnd | null) => void) | undefined;
  /** Null: stopped without the agent's own end. */
  const turn = new Promise<TurnEnd | null>((resolve) => {
    resolveTurn = resolve;
  });
  const endTurn = (end: TurnEnd | null): void => {
    isOver = true;
    listener.endQuestions();
    resolveTurn?.(end);
  };
  const conclude = async (end: TurnEnd | null): Promise<RunOutcome> => {
    const patienceMs = end === null ? 0 : link.isDown ? EXIT_MS : limits.closeMs;
    const exit = await process.close(patienceMs);
    if (end === null || stopped !== null) return { kind: 'stopped', reason: stopped ?? 'shutdown' };
    return outcomeOf(end, exit, listener.reply, spec);
  };
  return {
    process: process.process,
    session: session.id,
    origin: session.origin,
    activity: () => (isOver ? null : listener.record.activity()),
    steps: () => listener.record.steps(),
    letGo() {
      if (isPrompted || isOver) return;
      isPrompted = true;
      process.stand();
      listener.begin(session.id);
      void promptOnce(opened, spec).then(endTurn);
    },
    stop(reason) {
      if (isOver || stopped !== null) return;
      stopped = reason;
      listener.endQuestions();
      if (!isPrompted || link.isDown) return endTurn(null);
      link.agent.notify(acp.methods.agent.session.cancel, { sessionId: session.id }).catch(() => undefined);
      setTimeout(() => endTurn(null), limits.cancelMs).unref();
    },
    finished: turn
      .then(conclude)
      .catch((error: unknown): RunOutcome => ({ kind: 'failed', code: 'agent-not-ended', message: errorWords(error) }))
      .finally(() => {
        link.close();
        listener.close();
      }),
  };
}

/** Its deadline is the bridge's: agents try again by themselves inside a turn. */
async function promptOnce({ link, greeting, session }: Opened, spec: RunSpec): Promise<TurnEnd> {
  try {
    const prompt = promptBlocks(spec, session.origin, greeting.agentCapabilities?.promptCapabilities);
    const answer: Partial<acp.PromptResponse> | null = await link.agent.request(acp.methods.agent.session.prompt, {
      sessionId: session.id,
      prompt,
    });
    if (typeof answer?.stopReason === 'string') return { stopReason: answer.stopReason };
    return { error: acp.RequestError.invalidRequest(undefined, 'an answer without a stop reason') };
  } catch (error) {
    return { error };
  }
}
