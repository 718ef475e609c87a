/** How long the agent took: how many runs fell into each class of length. */
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { CLASS_ENDS_MS, type Statistics } from '../statistics.ts';
import { figure, percent } from './figure.ts';

export function classPlot({ words, time }: PageContext, { classes, agentMs }: Statistics): Html {
  if (agentMs === null) return figure(words.howLong, '', html`<p class="muted">${words.noFigures}</p>`);
  const about = words.howLongAbout(
    time.number(agentMs.count),
    time.duration(agentMs.median),
    time.duration(agentMs.slow),
  );
  const most = Math.max(...classes);
  const last = classes.findLastIndex((count) => count > 0);
  const rows = classes.slice(0, last + 1).map((count, index) => {
    const end = CLASS_ENDS_MS[index];
    const name =
      end === undefined ? words.over(time.duration(CLASS_ENDS_MS.at(-1) ?? 0)) : words.upTo(time.duration(end));
    return html`<li><span class="class-name">${name}</span><svg class="class-bar" height="18" aria-hidden="true"><rect class="bar-sent" width="${percent(count / most)}" height="18"/></svg><span class="class-count">${time.number(count)}</span></li>`;
  });
  return figure(words.howLong, about, html`<ol class="classes">${rows}</ol>`);
}
