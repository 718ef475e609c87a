/** One request as a line of a list, and the marks that tell its state. */
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { type Story, agentTime } from '../story.ts';
import { beginningOf } from '../text-beginning.ts';

const SNIPPET_UNITS = 220;

export function requestList(context: PageContext, stories: readonly Story[]): Html {
  return html`<ol class="rows">${stories.map((story) => requestRow(context, story))}</ol>`;
}

function requestRow(context: PageContext, story: Story): Html {
  const { words, time, base } = context;
  const { id, request, receipt } = story;
  const at = request?.receivedAt ?? receipt?.history[0]?.at;
  const took = receipt === null ? NaN : agentTime(receipt);
  return html`<li class="row">${stateMark(context, story)}
<a class="row-text" href="${base}/conversation/${conversationOf(story)}#r${id}" dir="auto">${textOf(context, story)}</a>
<span class="row-about"><a href="${base}/request/${id}" aria-label="${words.request(id)}">#${id}</a>${at !== undefined && html`<time datetime="${at}">${time.instant(at)}</time>`}${!Number.isNaN(took) && html`<span>${time.duration(took)}</span>`}</span></li>`;
}

export function conversationOf({ id, request, receipt }: Story): string {
  const conversation = receipt?.conversation ?? request?.conversation ?? id;
  return /^[1-9]\d{0,15}$/u.test(conversation) ? conversation : id;
}

/** The words of a person, or why there are none. */
export function textOf({ words }: PageContext, { request, requestFault }: Story): string {
  const text = request?.text.trim() ?? requestFault ?? '';
  return text === '' ? words.noText : beginningOf(text, SNIPPET_UNITS);
}

const SIGNS = {
  waiting: '◷',
  submitted: '▶',
  sending: '↑',
  sent: '✓',
  failed: '✕',
  rejected: '✕',
  unreadable: '?',
  attention: '!',
} as const;

/** By sign, word and colour: never by colour alone. */
export function stateMark({ words, home }: PageContext, story: Story): Html {
  const { state, receipt } = story;
  const attention = receipt?.attention ?? null;
  const isAbandoned = isAtWork(story) && !home.consumer.running;
  const kind = attention !== null || isAbandoned ? 'attention' : state;
  const word = attention === null ? words.state[state] : words.attention[attention];
  return html`<span class="state ${kind}"><span aria-hidden="true">${SIGNS[kind]}</span> ${word}</span>`;
}

export function isAtWork({ state, receipt }: Story): boolean {
  return (state === 'submitted' || state === 'sending') && receipt?.attention === null;
}
