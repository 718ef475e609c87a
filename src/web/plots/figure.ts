/**
 * What all plots share. They are drawn with x in percent and y in pixels, so that they fill any width without scaling their
 * texts, and every one of them has its figures as a text or a table too.
 */
import { type Html, type Piece, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import type { DayFigures } from '../statistics.ts';

export function figure(title: string, about: string, drawing: Piece): Html {
  return html`<figure class="plot"><figcaption><h2>${title}</h2><p class="muted">${about}</p></figcaption>${drawing}</figure>`;
}

/** Left of the days is room for the values of the lines across. */
const LEFT = 0.12;

/** Where a day stands; `within` is a share of its width. */
export function dayAt(index: number, within: number, count: number): string {
  return percent(LEFT + ((index + within) / count) * (1 - LEFT));
}

export function dayWidth(share: number, count: number): string {
  return percent((share / count) * (1 - LEFT));
}

export function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/** The first day, one in the middle and the last one, under a plot of days. */
export function dayLabels({ time }: PageContext, days: readonly DayFigures[], y: number): Html[] {
  const last = days.length - 1;
  return days.flatMap(({ noonMs }, index) => {
    if (index !== 0 && index !== last && index !== Math.round(last / 2)) return [];
    const isLast = index === last;
    const x = isLast ? '100%' : dayAt(index, 0.5, days.length);
    return html`<text class="tick" x="${x}" y="${y}" text-anchor="${isLast ? 'end' : 'middle'}">${time.day(noonMs)}</text>`;
  });
}

/** A line across, with its value on it. */
export function gridLine(y: number, label: string): Html {
  return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="tick" x="0" y="${y - 4}">${label}</text>`;
}

export function tableOf(
  words: { asTable: string },
  id: string,
  head: readonly string[],
  rows: readonly string[][],
): Html {
  return html`<details id="${id}"><summary>${words.asTable}</summary><div class="scroll"><table><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(([first, ...cells]) => html`<tr><th scope="row">${first ?? ''}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details>`;
}
