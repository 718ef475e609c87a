/** A request's way as stretches of time, each with what it was spent on. Pure. */
import type { HistoryEntry, Receipt } from '../core/receipt.ts';
import type { Phase } from '../core/web-words.ts';
import type { Story } from './story.ts';

export interface Stretch {
  phase: Phase;
  fromMs: number;
  toMs: number;
  /** Not over: it reaches to now. */
  isOpen: boolean;
}

export function stretchesOf({ request, receipt }: Story, nowMs: number): Stretch[] {
  const history = receipt?.history ?? [];
  const points = history.map((entry) => ({ entry, ms: Date.parse(entry.at) }));
  const stretches: Stretch[] = [];
  const push = (phase: Phase, fromMs: number, toMs: number, isOpen = false): void => {
    // A clock that was set back makes no stretch of time run backwards.
    if (Number.isFinite(fromMs) && Number.isFinite(toMs))
      stretches.push({ phase, fromMs, toMs: Math.max(fromMs, toMs), isOpen });
  };
  if (request !== null) push('waiting', Date.parse(request.receivedAt), points[0]?.ms ?? nowMs, points.length === 0);
  for (const [index, { entry, ms }] of points.entries()) {
    const next = points[index + 1];
    if (next !== undefined) push(phaseBetween(entry, next.entry), ms, next.ms);
  }
  const last = points.at(-1);
  const phase = receipt === null ? null : openPhase(receipt);
  if (last !== undefined && phase !== null) push(phase, last.ms, nowMs, true);
  return stretches;
}

function phaseBetween(entry: HistoryEntry, next: HistoryEntry): Phase {
  // What only an order ended had come to a halt before.
  if (next.order !== undefined && next.order.verb !== 'cancel') return 'person';
  if (entry.state === 'submitted') return 'agent';
  return entry.state === 'sending' ? 'sending' : 'person';
}

function openPhase({ state, attention }: Receipt): Phase | null {
  if (attention !== null) return 'person';
  if (state === 'submitted') return 'agent';
  return state === 'sending' ? 'sending' : null;
}
