/** From what is known of every request to the figures that are drawn. Pure but for the time zone of this machine. */
import type { RowFacts } from './receipt-index.ts';

export const DAYS_SHOWN = 30;
/** Upper ends of the classes of a run's length, in ms; the last class has none. */
export const CLASS_ENDS_MS = [10, 30, 60, 120, 300, 600, 1200, 1800].map((seconds) => seconds * 1000);

export interface DayFigures {
  /** Noon of the day, in ms. */
  noonMs: number;
  sent: number;
  failed: number;
  open: number;
  agentMs: Percentiles | null;
}

export interface Percentiles {
  count: number;
  median: number;
  slow: number;
}

export interface Statistics {
  total: number;
  lastWeek: number;
  sent: number;
  failed: number;
  days: DayFigures[];
  /** How many runs fell into each class. */
  classes: number[];
  agentMs: Percentiles | null;
}

export function statisticsOf(rows: Iterable<RowFacts>, now: Date): Statistics {
  const starts = dayStarts(now);
  const first = starts[0] ?? 0;
  const weekAgo = now.getTime() - 7 * 24 * 3600 * 1000;
  const days = starts.slice(0, -1).map((startMs) => ({
    noonMs: startMs + 12 * 3600 * 1000,
    sent: 0,
    failed: 0,
    open: 0,
    times: [] as number[],
  }));
  const classes = Array.from({ length: CLASS_ENDS_MS.length + 1 }, () => 0);
  const times: number[] = [];
  let [total, lastWeek, sent, failed] = [0, 0, 0, 0];
  for (const { state, acceptedMs, agentMs } of rows) {
    const outcome = state === 'sent' ? 'sent' : state === 'failed' || state === 'rejected' ? 'failed' : 'open';
    total += 1;
    if (outcome === 'sent') sent += 1;
    if (outcome === 'failed') failed += 1;
    if (acceptedMs > weekAgo) lastWeek += 1;
    if (!Number.isNaN(agentMs)) {
      times.push(agentMs);
      const index = CLASS_ENDS_MS.findIndex((end) => agentMs <= end);
      const place = index === -1 ? CLASS_ENDS_MS.length : index;
      classes[place] = (classes[place] ?? 0) + 1;
    }
    if (!(acceptedMs >= first)) continue;
    const day = days[starts.findLastIndex((start) => start <= acceptedMs)];
    if (day === undefined) continue;
    day[outcome] += 1;
    if (!Number.isNaN(agentMs)) day.times.push(agentMs);
  }
  return {
    total,
    lastWeek,
    sent,
    failed,
    days: days.map(({ times: ofDay, ...figures }) => ({ ...figures, agentMs: percentiles(ofDay) })),
    classes,
    agentMs: percentiles(times),
  };
}

/** Midnight of each day that is shown, and of tomorrow: a day may have 23 or 25 hours. */
function dayStarts(now: Date): number[] {
  return Array.from({ length: DAYS_SHOWN + 1 }, (_, index) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS_SHOWN + 1 + index).getTime(),
  );
}

function percentiles(values: readonly number[]): Percentiles | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: values.length, median: at(0.5), slow: at(0.9) };
}
