/** A request's way from left to right: what each stretch was spent on, what the agent did, when its parts were sent. */
import { type Html, type Piece, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import type { Phase } from '../../core/web-words.ts';
import { type Stretch, stretchesOf } from '../phases.ts';
import type { Story } from '../story.ts';
import { figure, percent } from './figure.ts';

/** A stretch is drawn at least so wide, or it could not be seen beside a night of waiting. */
const LEAST_SHARE = 0.06;
const LANE = 26;
const PHASES: readonly Phase[] = ['waiting', 'agent', 'sending', 'person'];
const MAX_MARKS = 300;

export function timeLine(context: PageContext, story: Story): Html {
  const { words, time, now } = context;
  const stretches = stretchesOf(story, now.getTime());
  const first = stretches[0];
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return html`<h2>${words.timeLine}</h2>`;
  const total = time.duration(last.toMs - first.fromMs);
  const scale = scaleOf(stretches);
  const { receipt } = story;
  const steps = (receipt?.steps ?? []).slice(0, MAX_MARKS);
  const sent = (receipt?.reply?.parts ?? []).flatMap((part, index) =>
    part.at === null ? [] : [{ ...part, at: part.at, index }],
  );
  const stepsY = LANE + 10;
  const partsY = stepsY + (steps.length > 0 ? LANE : 0);
  const height = partsY + (sent.length > 0 ? LANE : 4);
  const shown = PHASES.filter((phase) => stretches.some((stretch) => stretch.phase === phase));
  return figure(words.timeLine, total, [
    html`<svg class="drawing time-line" height="${height}" role="img" aria-label="${words.timeLineOf(story.id, total)}">
${stretches.map((stretch, index) => {
  const [from, to] = scale.edges(index);
  return html`<rect class="phase-${stretch.phase}${stretch.isOpen && ' open'}" x="${percent(from)}" width="${percent(Math.max(0, to - from - 0.002))}" y="4" height="${LANE}" rx="3"><title>${words.phase[stretch.phase]}: ${time.duration(stretch.toMs - stretch.fromMs)}</title></rect>`;
})}
${steps.map(({ at, endedAt, title }) => stepMark(scale.at(Date.parse(at)), scale.at(Date.parse(endedAt ?? at)), stepsY, title))}
${sent.map(({ at, index, state }) => html`<circle class="part-${state}" cx="${percent(scale.at(Date.parse(at)))}" cy="${partsY + 12}" r="5"><title>${words.parts} ${index + 1}: ${words.partState[state]}, ${time.second(at)}</title></circle>`)}
</svg>`,
    html`<ul class="legend">${shown.map((phase) => html`<li><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><rect class="phase-${phase}" width="12" height="12" rx="2"/></svg>${words.phase[phase]} <b>${time.duration(lengthOf(stretches, phase))}</b></li>`)}${steps.length > 0 && html`<li><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><rect class="step" y="3" width="12" height="6" rx="2"/></svg>${words.steps}</li>`}${sent.length > 0 && html`<li><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><circle class="part-sent" cx="6" cy="6" r="5"/></svg>${words.parts}</li>`}</ul>`,
    scale.isStretched && html`<p class="muted small">${words.notToScale}</p>`,
  ]);
}

function stepMark(from: number, to: number, y: number, title: string): Piece {
  return html`<rect class="step" x="${percent(from)}" width="${percent(Math.max(0.006, to - from - 0.001))}" y="${y + 6}" height="12" rx="3"><title>${title}</title></rect>`;
}

function lengthOf(stretches: readonly Stretch[], phase: Phase): number {
  return stretches.filter((one) => one.phase === phase).reduce((sum, one) => sum + one.toMs - one.fromMs, 0);
}

interface Scale {
  isStretched: boolean;
  /** Where a stretch begins and ends, as shares of the whole width. */
  edges(index: number): [number, number];
  at(ms: number): number;
}

/** In proportion to time within each stretch; short stretches are widened at the cost of the others. */
function scaleOf(stretches: readonly Stretch[]): Scale {
  const lengths = stretches.map(({ fromMs, toMs }) => toMs - fromMs);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const least = Math.min(LEAST_SHARE, 1 / (2 * stretches.length));
  const shares = lengths.map((length) => Math.max(least, total === 0 ? least : length / total));
  const sum = shares.reduce((all, share) => all + share, 0);
  const ends: number[] = [];
  for (const share of shares) ends.push((ends.at(-1) ?? 0) + share / sum);
  const edges = (index: number): [number, number] => [ends[index - 1] ?? 0, ends[index] ?? 1];
  return {
    isStretched: lengths.some((length) => total > 0 && length / total < least),
    edges,
    at: (ms) => {
      const index = stretches.findIndex(({ toMs }) => ms <= toMs);
      const stretch = stretches[index];
      if (stretch === undefined) return 1;
      const [from, to] = edges(index);
      const length = Math.max(1, stretch.toMs - stretch.fromMs);
      return from + Math.min(1, Math.max(0, (ms - stretch.fromMs) / length)) * (to - from);
    },
  };
}
