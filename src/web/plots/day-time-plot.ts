/** Day by day the middle run's length and that of the slowest of ten, on a logarithmic scale. */
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import type { DayFigures } from '../statistics.ts';
import { dayAt, dayLabels, dayWidth, figure, gridLine, tableOf } from './figure.ts';

const HEIGHT = 220;
const TOP = 22;
const BOTTOM = 190;
const LEAST_MS = 1_000;
const GRID_MS = [1, 10, 60, 600, 3600, 36_000].map((seconds) => seconds * 1000);

export function dayTimePlot(context: PageContext, days: readonly DayFigures[]): Html {
  const { words, time } = context;
  const slowest = Math.max(...days.map(({ agentMs }) => agentMs?.slow ?? 0));
  if (slowest === 0)
    return figure(words.perDayTime, words.perDayTimeAbout, html`<p class="muted">${words.noFigures}</p>`);
  const top = GRID_MS.find((value) => value >= slowest) ?? slowest;
  const reach = Math.log(Math.max(top, LEAST_MS * 10) / LEAST_MS);
  const y = (ms: number): number =>
    Math.round(BOTTOM - (Math.log(Math.max(ms, LEAST_MS) / LEAST_MS) / reach) * (BOTTOM - TOP));
  return figure(words.perDayTime, words.perDayTimeAbout, [
    html`<svg class="drawing" height="${HEIGHT}" role="img" aria-label="${words.perDayTime}: ${words.perDayTimeAbout}">
${GRID_MS.filter((value) => value <= top).map((value) => gridLine(y(value), time.duration(value)))}
${days.map(({ agentMs, noonMs }, index) => {
  if (agentMs === null) return null;
  const x = dayAt(index, 0.5, days.length);
  const told = `${time.day(noonMs)}: ${words.median} ${time.duration(agentMs.median)}, ${words.slowest} ${time.duration(agentMs.slow)}`;
  return html`<g><line class="reach" x1="${x}" x2="${x}" y1="${y(agentMs.median)}" y2="${y(agentMs.slow)}"/><circle class="dot-median" cx="${x}" cy="${y(agentMs.median)}" r="3.5"/><rect class="hover" x="${dayAt(index, 0, days.length)}" width="${dayWidth(1, days.length)}" y="${TOP}" height="${BOTTOM - TOP}"><title>${told}</title></rect></g>`;
})}
${dayLabels(context, days, HEIGHT - 8)}</svg>`,
    tableOf(
      words,
      'day-time-table',
      [words.day, words.count, words.median, words.slowest],
      days
        .toReversed()
        .flatMap(({ noonMs, agentMs }) =>
          agentMs === null
            ? []
            : [
                [
                  time.day(noonMs),
                  time.number(agentMs.count),
                  time.duration(agentMs.median),
                  time.duration(agentMs.slow),
                ],
              ],
        ),
    ),
  ]);
}
