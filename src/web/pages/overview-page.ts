/** The first page: what runs, what waits, what needs a person, and what was done lately. */
import { ordersFor } from '../../core/order.ts';
import type { OrderVerb, Receipt } from '../../core/receipt.ts';
import { noticeWords } from '../../core/words.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { dayPlot } from '../plots/day-plot.ts';
import { type Statistics, statisticsOf } from '../statistics.ts';
import type { Story } from '../story.ts';
import { pageOf } from './layout.ts';
import { conversationOf, isAtWork, requestList, stateMark, textOf } from './request-row.ts';

/** More are only counted. */
const SHOWN = 20;
const LATEST = 10;

export function overviewPage(context: PageContext): Html {
  const { home, words } = context;
  const { index } = home;
  const open = storiesOf(context, index.find('', 'open', 0, SHOWN * 5).ids);
  const attention = index.find('', 'attention', 0, SHOWN);
  const atWork = open.filter(isAtWork);
  const abandoned = home.consumer.running ? [] : atWork;
  const needy = [...abandoned, ...storiesOf(context, attention.ids)];
  const running = home.consumer.running ? atWork : [];
  const waiting = open.filter(({ state }) => state === 'waiting').toReversed();
  const latest = storiesOf(context, index.find('', 'all', 0, LATEST).ids);
  const statistics = statisticsOf(index.facts(), context.now);
  const waitingCount = index.find('', 'open', 0, 0).total - atWork.length;
  return pageOf(context, words.overview, 'overview', [
    html`<h1 class="unseen">${words.overview}</h1>`,
    troubles(context),
    needySection(context, needy, attention.total + abandoned.length),
    html`<section id="now">${
      running.length + waiting.length + needy.length === 0
        ? html`<p class="quiet"><span aria-hidden="true">☕</span> ${words.allQuiet}</p>`
        : [running.length > 0 && html`<h2>${words.running}</h2>${running.map((story) => runningCard(context, story))}`]
    }</section>`,
    html`<section id="waiting" ${waiting.length === 0 && html`hidden`}>${
      waiting.length > 0 &&
      html`<h2>${words.waiting} <span class="count">${context.time.number(waitingCount)}</span></h2>${requestList(context, waiting.slice(0, SHOWN))}${moreThan(context, waitingCount, Math.min(SHOWN, waiting.length), 'open')}`
    }</section>`,
    html`<section id="figures" class="figures">${tiles(context, statistics)}${dayPlot(context, statistics.days)}</section>`,
    html`<section id="latest"><h2>${words.latest}</h2>${
      latest.length === 0
        ? html`<p class="muted">${words.nothingYet}</p>`
        : [requestList(context, latest), html`<p><a href="${context.base}/requests">${words.all} →</a></p>`]
    }</section>`,
  ]);
}

function storiesOf({ home }: PageContext, ids: readonly number[]): Story[] {
  return ids.flatMap((id) => home.story(String(id)) ?? []);
}

function troubles({ home, words, time, typed }: PageContext): Html {
  const parts = [
    { name: words.bot, command: typed('bot'), view: home.bot },
    { name: words.consumer, command: typed('consumer'), view: home.consumer },
  ];
  const lines = parts.flatMap(({ name, command, view }) => {
    if (!view.running) return html`<li>${name}: ${words.notRunning}; ${words.startIt} <code>${command}</code></li>`;
    return view.trouble === null ? [] : html`<li>${name}: <span dir="auto">${view.trouble}</span></li>`;
  });
  if (home.unreadUpdates > 0) lines.push(html`<li>${words.unreadUpdates(time.number(home.unreadUpdates))}</li>`);
  return html`<section id="troubles" ${lines.length === 0 && html`hidden`}>${lines.length > 0 && html`<ul class="troubles">${lines}</ul>`}</section>`;
}

function needySection(context: PageContext, stories: readonly Story[], total: number): Html {
  const { words, time } = context;
  if (stories.length === 0) return html`<section id="needy" hidden></section>`;
  return html`<section id="needy"><h2>${words.needsYou} <span class="count">${time.number(total)}</span></h2>
${stories.map((story) => needyCard(context, story))}${moreThan(context, total, stories.length, 'attention')}</section>`;
}

function needyCard(context: PageContext, story: Story): Html {
  const { base, time } = context;
  const { id, receipt, request } = story;
  const at = receipt?.history.at(-1)?.at ?? request?.receivedAt;
  return html`<article class="card needy"><p class="card-head">${stateMark(context, story)} <a href="${base}/request/${id}">#${id}</a>${at !== undefined && html` <time datetime="${at}">${time.instant(at)}</time>`}</p>
<p class="card-text"><a href="${base}/conversation/${conversationOf(story)}#r${id}" dir="auto">${textOf(context, story)}</a></p>
${whyNeedy(context, story)}</article>`;
}

/** Why a person is needed, and by what commands one decides; nothing where nobody is. */
export function whyNeedy(context: PageContext, { receipt, receiptFault, state }: Story): Html {
  const { words, chatWords } = context;
  if (state === 'unreadable') return html`<p>${words.unreadable}</p><p class="fault" dir="auto">${receiptFault}</p>`;
  if (receipt === null) return html``;
  if (receipt.attention === null) return html`<p>${words.consumerGone}</p>`;
  const { parts = [] } = receipt.reply ?? {};
  const sent = parts.filter((part) => part.state === 'sent').length;
  // The words of the chat say "look above", where the answer would be.
  const why =
    receipt.attention === 'unknown-delivery' ? words.doubtful(sent, parts.length) : noticeWords(chatWords, receipt);
  return html`<p class="why">${why}</p>${commandList(context, receipt)}`;
}

export function commandList({ words, typed }: PageContext, receipt: Receipt): Html {
  const commands: Partial<Record<OrderVerb, string>> = {
    rerun: typed(`rerun ${receipt.id}`),
    resend: typed(`resend ${receipt.id}`),
    arrived: typed(`resolve ${receipt.id} --sent`),
    dismiss: typed(`resolve ${receipt.id} --failed`),
  };
  const rows = ordersFor(receipt).flatMap((verb) => {
    const command = commands[verb];
    return command === undefined ? [] : html`<li><code>${command}</code> <span>${words.does[verb]}</span></li>`;
  });
  return rows.length === 0 ? html`` : html`<p class="muted">${words.decideBy}</p><ul class="commands">${rows}</ul>`;
}

function runningCard(context: PageContext, story: Story): Html {
  const { base, time, home } = context;
  const { id, receipt } = story;
  const since = receipt?.history.at(-1)?.at ?? '';
  const activity = home.consumer.activity;
  return html`<article class="card running"><p class="card-head">${stateMark(context, story)} <a href="${base}/request/${id}">#${id}</a> <time datetime="${since}" data-since="${since}">${time.since(since)}</time></p>
<p class="card-text"><a href="${base}/conversation/${conversationOf(story)}#r${id}" dir="auto">${textOf(context, story)}</a></p>
${activity?.request === id && html`<p class="activity" dir="auto">${activity.words}</p>`}</article>`;
}

function moreThan({ words, time, base }: PageContext, total: number, shown: number, state: string): Html {
  if (total <= shown) return html``;
  return html`<p><a href="${base}/requests?state=${state}">${words.more(time.number(total - shown))}</a></p>`;
}

function tiles({ words, time }: PageContext, { total, lastWeek, sent, failed, agentMs }: Statistics): Html {
  const ended = sent + failed;
  const figures = [
    [time.number(total), words.tile.total],
    [time.number(lastWeek), words.tile.week],
    [ended === 0 ? '–' : `${Math.round((sent / ended) * 1000) / 10} %`, words.tile.answered],
    [agentMs === null ? '–' : time.duration(agentMs.median), words.tile.median],
  ];
  return html`<dl class="tiles">${figures.map(([figure, name]) => html`<div><dt>${name ?? ''}</dt><dd>${figure ?? ''}</dd></div>`)}</dl>`;
}
