/** A conversation as it went: what the person wrote and sent, what the agent answered. */
import { type Html, type Piece, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { itemsOf } from '../pictures.ts';
import { replyHtml } from '../reply-html.ts';
import { type Story, agentTime } from '../story.ts';
import { pageOf } from './layout.ts';
import { whyNeedy } from './overview-page.ts';
import { stateMark } from './request-row.ts';
import { pager } from './requests-page.ts';

const TURNS = 30;

/** Null where this home has no such conversation. The latest turns stand on page 1, each page in the order of time. */
export async function conversationPage(context: PageContext, id: string, wanted: number): Promise<Html | null> {
  const { home, words, time, base } = context;
  const ids = home.conversation(id);
  if (ids.length === 0) return null;
  const pages = Math.ceil(ids.length / TURNS);
  const number = Math.min(wanted, pages);
  const end = ids.length - (number - 1) * TURNS;
  const stories = ids.slice(Math.max(0, end - TURNS), end).flatMap((one) => home.story(one) ?? []);
  const turns = await Promise.all(stories.map((story) => turnOf(context, story)));
  return pageOf(context, words.conversation(id), 'requests', [
    html`<h1>${words.conversation(id)} <span class="muted">${words.turns(time.number(ids.length))}</span></h1>`,
    html`<div class="thread">${turns}</div>`,
    html`<section id="pages">${pager(context, `${base}/conversation/${id}`, {}, number, pages)}</section>`,
  ]);
}

async function turnOf(context: PageContext, story: Story): Promise<Html> {
  const { words, time, base } = context;
  const { id, request, receipt, requestFault } = story;
  const took = receipt === null ? NaN : agentTime(receipt);
  return html`<section class="turn" id="r${id}" aria-label="${words.request(id)}">
<div class="bubble person"><p class="who"><bdi>${request?.from.name ?? words.from}</bdi>${request !== null && html` <time datetime="${request.sentAt}">${time.instant(request.sentAt)}</time>`}</p>
${quotation(context, story)}${request === null ? html`<p class="fault" dir="auto">${requestFault}</p>` : request.text.trim() !== '' && html`<div class="text" dir="auto">${request.text}</div>`}${await filesIn(context, story)}</div>
<div class="bubble agent"><p class="who">${words.agent}</p>${await answerOf(context, story)}</div>
<p class="turn-about">${stateMark(context, story)}${!Number.isNaN(took) && html` <span>${time.duration(took)}</span>`} <a href="${base}/request/${id}">${words.details} #${id}</a></p></section>`;
}

function quotation({ words }: PageContext, { request }: Story): Piece {
  const quoted = request?.replyTo ?? null;
  // A reply to the answer that stands just above says nothing new.
  if (quoted === null || quoted.requestId !== null || quoted.text.trim() === '') return null;
  return html`<blockquote dir="auto"><span class="muted">${words.quoted}</span><br>${quoted.text}</blockquote>`;
}

/** What the person sent along: pictures to look at, the rest by name. */
export async function filesIn(context: PageContext, { id, request, receipt }: Story): Promise<Piece> {
  const { words, home } = context;
  const fetched = receipt?.attachments ?? [];
  if (fetched.length === 0) {
    const names = (request?.attachments ?? []).map(({ kind, name }) => html`<li dir="auto">${name ?? kind}</li>`);
    return names.length > 0 && html`<ul class="files">${names}</ul>`;
  }
  const shown = await home.pictures(id, 'in');
  const others = fetched.flatMap(({ name, kind, problem, file }, index) => {
    if (shown.has(index)) return [];
    const about = file === null || problem !== null ? words.notFetched : '';
    return html`<li dir="auto">${name ?? kind}${about !== '' && html` <span class="muted">(${about})</span>`}</li>`;
  });
  return [
    gallery(
      context,
      id,
      'in',
      [...shown].map((index) => ({ index, caption: fetched[index]?.name ?? '' })),
    ),
    others.length > 0 && html`<ul class="files">${others}</ul>`,
  ];
}

/** The reply's parts in their order, as they went to the chat. */
export async function answerOf(context: PageContext, story: Story): Promise<Piece> {
  const { words, home } = context;
  const { id, receipt } = story;
  const reply = receipt?.reply ?? null;
  if (reply === null) {
    const isNeedy = story.needsPerson || (receipt !== null && receipt.state === 'submitted' && !home.consumer.running);
    if (isNeedy) return whyNeedy(context, story);
    return receipt?.error == null ? html`<p class="muted">${words.noAnswerYet}</p>` : faultOf(context, story);
  }
  const shown = await home.pictures(id, 'out');
  let index = 0;
  const parts = reply.parts.map((part) => {
    if (part.kind === 'text') return html`<div class="text" dir="auto">${replyHtml(part)}</div>`;
    const items = itemsOf(part).map((item) => ({ ...item, index: index++ }));
    const others = items.filter((item) => !shown.has(item.index));
    return [
      gallery(
        context,
        id,
        'out',
        items.filter((item) => shown.has(item.index)),
      ),
      others.length > 0 &&
        html`<ul class="files">${others.map(({ name, caption }) => html`<li dir="auto">${name}${caption !== '' && html` <span class="muted">${caption}</span>`}</li>`)}</ul>`,
    ];
  });
  const isDoubtful = story.needsPerson || receipt?.state === 'failed';
  return [
    reply.recovered === true && html`<p class="note">${words.recovered}</p>`,
    ...parts,
    isDoubtful && html`<div class="note">${whyNeedy(context, story)}</div>`,
  ];
}

export function faultOf({ words }: PageContext, { receipt }: Story): Piece {
  const error = receipt?.error ?? null;
  return (
    error !== null &&
    html`<p class="fault" dir="auto"><b>${words.stage[error.stage]}</b>: ${error.message} <code>${error.code}</code></p>`
  );
}

function gallery(
  { base, words }: PageContext,
  id: string,
  side: 'in' | 'out',
  pictures: readonly { index: number; caption: string }[],
): Piece {
  if (pictures.length === 0) return null;
  return html`<div class="gallery${pictures.length === 1 && ' single'}">${pictures.map(({ index, caption }, place) => {
    const address = `${base}/picture/${id}/${side}/${index}`;
    return html`<figure><a href="${address}"><img src="${address}" alt="${caption === '' ? words.picture(place + 1) : caption}" loading="lazy" decoding="async"></a>${side === 'out' && caption !== '' && html`<figcaption dir="auto">${caption}</figcaption>`}</figure>`;
  })}</div>`;
}
