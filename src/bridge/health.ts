/** What is wrong with a home at this moment, for cron and monitoring. Pure but for the clock that is handed in. */
import type { Overview, ProcessView } from './overview.ts';

export interface Problem {
  /** `bot-down`, `bot-stale`, `bot-trouble`, the same of `consumer`, and `needs-you`; fixed, so that scripts can branch on it. */
  code: `${'bot' | 'consumer'}-${'down' | 'stale' | 'trouble'}` | 'needs-you';
  words: string;
}

/** A poll takes half a minute and a look two seconds; a machine that has just woken up gets its time. */
const STALE_AFTER_MS = 5 * 60_000;

export function problemsOf(overview: Overview, nowMs: number): Problem[] {
  const needy = overview.attention.map(({ id }) => id);
  return [
    ...problemsOfProcess('bot', overview.bot, nowMs),
    ...problemsOfProcess('consumer', overview.consumer, nowMs),
    ...(needy.length === 0 ? [] : [{ code: 'needs-you' as const, words: `needs you: ${needy.join(', ')}` }]),
  ];
}

function problemsOfProcess(name: 'bot' | 'consumer', view: ProcessView, nowMs: number): Problem[] {
  if (!view.running) return [{ code: `${name}-down`, words: `the ${name} is not running` }];
  const lastAt = view.heartbeat?.lastCompletedAt ?? view.since;
  const silentMs = lastAt === null ? 0 : nowMs - Date.parse(lastAt);
  const problems: Problem[] = [];
  if (silentMs > STALE_AFTER_MS)
    problems.push({ code: `${name}-stale`, words: `the ${name} has done nothing since ${lastAt} (pid ${view.pid})` });
  const trouble = view.heartbeat?.lastError ?? null;
  if (trouble !== null) problems.push({ code: `${name}-trouble`, words: `the ${name} is in trouble: ${trouble}` });
  return problems;
}
