/** Days of activity, and how long the agent took, drawn. */
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { classPlot } from '../plots/class-plot.ts';
import { dayPlot } from '../plots/day-plot.ts';
import { dayTimePlot } from '../plots/day-time-plot.ts';
import { statisticsOf } from '../statistics.ts';
import { pageOf } from './layout.ts';

export function activityPage(context: PageContext): Html {
  const statistics = statisticsOf(context.home.index.facts(), context.now);
  return pageOf(context, context.words.activity, 'activity', [
    html`<h1>${context.words.activity}</h1>`,
    html`<section id="per-day" class="figures">${dayPlot(context, statistics.days)}</section>`,
    html`<section id="how-long" class="figures">${classPlot(context, statistics)}</section>`,
    html`<section id="day-times" class="figures">${dayTimePlot(context, statistics.days)}</section>`,
  ]);
}
