/** A page that only says something: that nothing is here, or that something went wrong. */
import { type Html, html } from '../html.ts';
import type { PageContext } from '../home-view.ts';
import { pageOf } from './layout.ts';

export function notFoundPage(context: PageContext): Html {
  const { words } = context;
  return pageOf(context, words.notFound, null, html`<h1>${words.notFound}</h1><p>${words.notFoundAbout}</p>`);
}

export function troublePage(context: PageContext, cause: string): Html {
  const { words } = context;
  return pageOf(
    context,
    words.trouble,
    null,
    html`<h1>${words.trouble}</h1><p>${words.troubleAbout}</p><p class="fault" dir="auto">${cause}</p>`,
  );
}
