/** How many requests each day had, and how they ended. */
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import type { DayFigures } from '../statistics.ts';
import { dayAt, dayLabels, dayWidth, figure, gridLine, tableOf } from './figure.ts';

const HEIGHT = 190;
const TOP = 22;
const BOTTOM = 160;
const OUTCOMES = ['sent', 'failed', 'open'] as const;

export function dayPlot(context: PageContext, days: readonly DayFigures[]): Html {
  const { words, time } = context;
  const totals = days.map(({ sent, failed, open }) => sent + failed + open);
  const total = totals.reduce((sum, count) => sum + count, 0);
  const about = words.perDayAbout(days.length, time.number(total));
  if (total === 0) return figure(words.perDay, about, html`<p class="muted">${words.noFigures}</p>`);
  const top = roundTop(Math.max(...totals));
  const y = (count: number): number => BOTTOM - (count / top) * (BOTTOM - TOP);
  return figure(words.perDay, about, [
    html`<p class="legend">${OUTCOMES.map((outcome) => html`<span><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><rect class="bar-${outcome}" width="12" height="12"/></svg>${words.outcome[outcome]}</span>`)}</p>`,
    html`<svg class="drawing" height="${HEIGHT}" role="img" aria-label="${words.perDay}: ${about}">
${[top, top / 2].map((value) => gridLine(y(value), time.number(value)))}
${days.map((day, index) => bar(context, day, index, days.length, y))}
<line class="axis" x1="0" x2="100%" y1="${BOTTOM}" y2="${BOTTOM}"/>
${dayLabels(context, days, HEIGHT - 12)}</svg>`,
    tableOf(
      words,
      'day-table',
      [words.day, ...OUTCOMES.map((outcome) => words.outcome[outcome])],
      rowsOf(context, days),
    ),
  ]);
}

function bar(
  { words, time }: PageContext,
  day: DayFigures,
  index: number,
  count: number,
  y: (count: number) => number,
): Html {
  let below = 0;
  const pieces = OUTCOMES.flatMap((outcome) => {
    if (day[outcome] === 0) return [];
    const [from, to] = [y(below), y(below + day[outcome])];
    below += day[outcome];
    return html`<rect class="bar-${outcome}" x="${dayAt(index, 0.14, count)}" width="${dayWidth(0.72, count)}" y="${to}" height="${Math.max(1, from - to - 1)}"/>`;
  });
  const told = OUTCOMES.filter((outcome) => day[outcome] > 0).map(
    (outcome) => `${words.outcome[outcome]} ${day[outcome]}`,
  );
  return html`<g>${pieces}<rect class="hover" x="${dayAt(index, 0, count)}" width="${dayWidth(1, count)}" y="${TOP}" height="${BOTTOM - TOP}"><title>${time.day(day.noonMs)}: ${told.length === 0 ? '0' : told.join(', ')}</title></rect></g>`;
}

function rowsOf({ time }: PageContext, days: readonly DayFigures[]): string[][] {
  return days
    .toReversed()
    .map((day) => [time.day(day.noonMs), ...OUTCOMES.map((outcome) => time.number(day[outcome]))]);
}

/** The next of 2, 4, 10, 20, 40, 100, …: its half is a whole number too. */
function roundTop(most: number): number {
  for (let size = 1; ; size *= 10) {
    for (const step of [2, 4, 10]) if (step * size >= most) return step * size;
  }
}
