/**
 * Owns: what a run's end means for its receipt.
 * Guarantees: every file that a reply names is on disk before the event is handed out.
 * Fails: with the disk's errors; it may be repeated.
 */
import type { AgentFailure, HeldRun, RunOutcome } from '../core/ports.ts';
import type { OrderMark, ReceiptEvent } from '../core/receipt-machine.ts';
import type { Words } from '../core/words.ts';
import { type AnswerPlaces, replyOf } from './answer-parts.ts';

export interface EndedRun {
  requestId: string;
  number: number;
  outcome: RunOutcome;
  steps: ReturnType<HeldRun['steps']>;
  cancelledBy: OrderMark | null;
  timeoutSeconds: number;
}

/** Null where nobody knows how far the run came, because we ended it to stop: the next start says so. */
export function eventOfEnd(ended: EndedRun, places: AnswerPlaces, words: Words): ReceiptEvent | null {
  const { outcome, cancelledBy, timeoutSeconds } = ended;
  const facts = ended.steps.length === 0 ? {} : { steps: ended.steps.map((step) => ({ ...step })) };
  const failed = (code: AgentFailure, message: string): ReceiptEvent => ({
    type: 'failed',
    error: { stage: 'agent', code, message },
    facts,
  });
  switch (outcome.kind) {
    case 'stopped':
      if (outcome.reason === 'shutdown') return null;
      if (outcome.reason === 'cancelled' && cancelledBy !== null)
        return { type: 'cancelled', order: cancelledBy, facts };
      return failed('agent-timeout', `the agent ran longer than ${timeoutSeconds} s and was ended`);
    case 'failed':
      return failed(outcome.code, outcome.message);
    case 'answered': {
      const reply = replyOf(outcome, ended.requestId, ended.number, places, words);
      if (reply !== null) return { type: 'recorded', reply, facts };
      const output = `state/files/${ended.requestId}/run-${ended.number}.out`;
      return failed('agent-empty', `the agent gave no text; ${output} holds what it printed`);
    }
  }
}
