/** Every request, the newest first: to search, to filter, to turn pages. */
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { STATE_FILTERS, type StateFilter } from '../receipt-index.ts';
import { pageOf } from './layout.ts';
import { requestList } from './request-row.ts';

const ROWS = 25;

export interface Wanted {
  query: string;
  state: StateFilter;
  /** Counted from 1. */
  number: number;
}

export function requestsPage(context: PageContext, wanted: Wanted): Html {
  const { home, words, time, base } = context;
  const first = home.index.find(wanted.query, wanted.state, (wanted.number - 1) * ROWS, ROWS);
  const pages = Math.max(1, Math.ceil(first.total / ROWS));
  const number = Math.min(wanted.number, pages);
  const found =
    number === wanted.number ? first : home.index.find(wanted.query, wanted.state, (number - 1) * ROWS, ROWS);
  const stories = found.ids.flatMap((id) => home.story(String(id)) ?? []);
  const { total } = home.index.progress;
  const isPartial = !home.isComplete && (wanted.query !== '' || wanted.state !== 'all');
  return pageOf(context, words.requests, 'requests', [
    html`<h1>${words.requests}</h1>`,
    html`<form class="search" role="search" action="${base}/requests" method="get">
<label class="field"><span>${words.search}</span><input type="search" name="q" value="${wanted.query}" placeholder="${words.searchHint}" maxlength="200" autocomplete="off"></label>
<label class="field"><span>${words.filter}</span><select name="state">${STATE_FILTERS.map((filter) => html`<option value="${filter}"${filter === wanted.state && html` selected`}>${words.filters[filter]}</option>`)}</select></label>
<button type="submit">${words.find}</button></form>`,
    html`<section id="found"><p class="muted">${words.found(time.number(found.total))}${isPartial && html`. ${words.stillReading}`}</p>${
      stories.length === 0
        ? html`<p class="quiet">${total === 0 ? words.nothingYet : words.nothingFound}</p>`
        : requestList(context, stories)
    }${pager(context, `${base}/requests`, { q: wanted.query, state: wanted.state === 'all' ? '' : wanted.state }, number, pages)}</section>`,
  ]);
}

/** @param query what the other pages' addresses have besides their number; empty texts are left out */
export function pager(
  { words, time }: PageContext,
  path: string,
  query: Record<string, string>,
  number: number,
  pages: number,
): Html {
  if (pages === 1) return html``;
  const to = (page: number): string => {
    const kept = Object.entries(query).filter(([, value]) => value !== '');
    return `${path}?${new URLSearchParams([...kept, ['page', String(page)]]).toString()}`;
  };
  const turn = (page: number, name: string, rel: string): Html =>
    page < 1 || page > pages
      ? html`<span class="off">${name}</span>`
      : html`<a rel="${rel}" href="${to(page)}">${name}</a>`;
  return html`<nav class="pager" aria-label="${words.page(time.number(number), time.number(pages))}">${turn(number - 1, `← ${words.newer}`, 'prev')}<span>${words.page(time.number(number), time.number(pages))}</span>${turn(number + 1, `${words.older} →`, 'next')}</nav>`;
}
