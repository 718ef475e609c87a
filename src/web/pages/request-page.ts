/** One request's whole story: its time line, its answer, what went wrong, its receipt. */
import type { Part, Receipt } from '../../core/receipt.ts';
import { type Html, type Piece, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { itemsOf } from '../pictures.ts';
import { timeLine } from '../plots/time-line.ts';
import type { Story } from '../story.ts';
import { beginningOf } from '../text-beginning.ts';
import { answerOf, faultOf, filesIn } from './conversation-page.ts';
import { pageOf } from './layout.ts';
import { whyNeedy } from './overview-page.ts';
import { conversationOf, isAtWork, stateMark } from './request-row.ts';

const MAX_RAW_UNITS = 100_000;
const MAX_STEPS = 200;

/** Null where this home has no such request. */
export async function requestPage(context: PageContext, id: string): Promise<Html | null> {
  const { home, words, base } = context;
  const story = home.story(id);
  if (story === null) return null;
  const { request, receipt, requestFault } = story;
  const isNeedy = story.needsPerson || (isAtWork(story) && !home.consumer.running);
  return pageOf(context, words.request(id), 'requests', [
    html`<section id="head" class="head"><h1>${words.request(id)} ${stateMark(context, story)}</h1>
<p><a href="${base}/conversation/${conversationOf(story)}#r${id}">← ${words.openConversation}</a></p></section>`,
    html`<section id="needy" ${!isNeedy && html`hidden`}>${isNeedy && html`<div class="card needy">${whyNeedy(context, story)}</div>`}</section>`,
    html`<section id="asked" class="bubble person">${request === null ? html`<p class="fault" dir="auto">${requestFault}</p>` : html`<div class="text" dir="auto">${request.text.trim() === '' ? words.noText : request.text}</div>`}${await filesIn(context, story)}</section>`,
    html`<section id="time-line" data-quiet>${timeLine(context, story)}${historyList(context, story)}</section>`,
    html`<section id="error" ${receipt?.error == null && html`hidden`}>${receipt?.error != null && html`<h2>${words.error}</h2>${faultOf(context, story)}`}</section>`,
    html`<section id="answer">${receipt?.reply != null && html`<h2>${words.answer}</h2><div class="bubble agent">${await answerOf(context, { ...story, needsPerson: false, receipt: { ...receipt, attention: null } })}</div>${partList(context, receipt)}`}</section>`,
    html`<section id="facts"><h2>${words.facts}</h2>${facts(context, story)}${steps(context, receipt)}${rawReceipt(context, receipt)}</section>`,
  ]);
}

function historyList(context: PageContext, { request, receipt }: Story): Html {
  const { words, time } = context;
  const entries = [
    ...(request === null ? [] : [{ at: request.receivedAt, name: words.accepted, about: '' }]),
    ...(receipt?.history ?? []).map(({ at, state, code, order }) => ({
      at,
      name: words.state[state],
      about: [code, order === undefined ? undefined : words.by(order.by)]
        .filter((text) => text !== undefined)
        .join(', '),
    })),
  ];
  return html`<ol class="history" aria-label="${words.whatHappened}">${entries.map(({ at, name, about }, index) => {
    const before = entries[index - 1];
    const after = before === undefined ? NaN : Date.parse(at) - Date.parse(before.at);
    return html`<li><time datetime="${at}" title="${at}">${index === 0 ? time.instant(at) : time.second(at)}</time> <b>${name}</b>${about !== '' && html` <span class="muted" dir="auto">${about}</span>`}${!Number.isNaN(after) && html` <span class="after">+${time.duration(after)}</span>`}</li>`;
  })}</ol>`;
}

function partList({ words, time }: PageContext, receipt: Receipt): Piece {
  const parts = receipt.reply?.parts ?? [];
  return html`<details id="parts"><summary>${words.parts}: ${parts.filter(({ state }) => state === 'sent').length} / ${parts.length}</summary><div class="scroll"><table><tbody>${parts.map(
    (part, index) =>
      html`<tr><td>${index + 1}</td><td>${words.partState[part.state]}</td><td>${part.messageIds.length > 0 && words.message(part.messageIds.join(', '))}</td><td>${part.at !== null && time.second(part.at)}</td><td dir="auto">${partWords(part)}</td></tr>`,
  )}</tbody></table></div></details>`;
}

function partWords(part: Part): string {
  if (part.kind !== 'text')
    return itemsOf(part)
      .map(({ name }) => name)
      .join(', ');
  const text = part.text.trim();
  return beginningOf(text, 60);
}

function facts({ words, time, base }: PageContext, story: Story): Html {
  const { request, receipt } = story;
  const rows: [string, Piece][] = [];
  if (request !== null) rows.push([words.from, html`<bdi>${request.from.name}</bdi> (${request.from.id})`]);
  const conversation = conversationOf(story);
  rows.push([words.conversation(''), html`<a href="${base}/conversation/${conversation}">${conversation}</a>`]);
  if (receipt !== null && receipt.run > 0) {
    rows.push([words.run, `${receipt.run}${receipt.turn === undefined ? '' : `, ${words.turn(receipt.turn)}`}`]);
    const origin = receipt.sessionOrigin === undefined ? '' : ` – ${words.origin[receipt.sessionOrigin]}`;
    rows.push([words.session, html`<code>${receipt.session ?? '–'}</code>${origin}`]);
  }
  if (receipt !== null && receipt.previous.length > 0)
    rows.push([words.earlierRuns, time.number(receipt.previous.length)]);
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name.trim()}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function steps({ words, time }: PageContext, receipt: Receipt | null): Piece {
  const all = receipt?.steps ?? [];
  if (all.length === 0) return null;
  return html`<details id="steps"><summary>${words.steps} <span class="count">${all.length}</span></summary><div class="scroll"><table><tbody>${all
    .slice(0, MAX_STEPS)
    .map(
      ({ at, endedAt, kind, title, status }) =>
        html`<tr><td>${time.second(at)}</td><td>${endedAt !== null && time.duration(Date.parse(endedAt) - Date.parse(at))}</td><td>${kind}</td><td>${status}</td><td dir="auto">${title}</td></tr>`,
    )}</tbody></table></div></details>`;
}

function rawReceipt({ words }: PageContext, receipt: Receipt | null): Piece {
  if (receipt === null) return null;
  const text = JSON.stringify(receipt, null, 2);
  return html`<details id="raw"><summary>${words.rawReceipt}</summary><pre class="raw">${beginningOf(text, MAX_RAW_UNITS)}${text.length > MAX_RAW_UNITS && ` ${words.cut}`}</pre></details>`;
}
