/** What every page has: its head, the way to the others, and whether bot and consumer live. */
import { type Html, type Piece, html } from '../html.ts';
import type { PageContext, ProcessView } from '../home-view.ts';

export type Place = 'overview' | 'requests' | 'activity';

/**
 * @param sections each an element with an id: only those whose text changed are put in anew while the page is open
 * @param place which of the main pages it belongs to
 */
export function pageOf(context: PageContext, title: string, place: Place | null, sections: Piece): Html {
  const { words, language, base, home } = context;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · ${home.name} · blog-bridge</title>
<link rel="icon" href="${base}/asset/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/asset/style.css">
<script type="module" src="${base}/asset/follow.js"></script>
</head>
<body data-events="${base}/events" data-lost="${words.line.lost}" data-changed="${words.changed}">
<a class="skip" href="#main">${words.skip}</a>
<header class="top">
<a class="brand" href="${base}/"><svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><path d="M3 24V15a13 13 0 0 1 26 0v9M11 24v-7a5 5 0 0 1 10 0v7"/></svg><span>blog-bridge</span></a>
<nav aria-label="${words.menu}">${link(context, '/', 'overview', place)}${link(context, '/requests', 'requests', place)}${link(context, '/activity', 'activity', place)}</nav>
<div id="processes" class="processes">${processMark(context, words.bot, home.bot)}${processMark(context, words.consumer, home.consumer)}<span class="line" id="line" role="status"><span class="dot"></span><span class="line-words" data-live-words="${words.line.live}"></span></span></div>
</header>
<main id="main" tabindex="-1">
${progress(context)}
${sections}
</main>
<footer><p>${words.readOnly}</p></footer>
<div id="said" class="unseen" role="status"></div>
</body>
</html>
`;
}

function link({ words, base }: PageContext, path: string, place: Place, here: Place | null): Html {
  return html`<a href="${base}${path}"${place === here && html` aria-current="page"`}>${words[place]}</a>`;
}

function processMark({ words, time }: PageContext, name: string, { running, since }: ProcessView): Html {
  const about = running ? words.runningSince(since === null ? '–' : time.since(since)) : words.notRunning;
  return html`<span class="process ${running ? 'up' : 'down'}" title="${name}: ${about}"><span class="dot"></span>${name}<span class="${running ? 'unseen' : 'about'}"> ${running ? words.state.submitted : words.notRunning}</span></span>`;
}

function progress({ home, words, time }: PageContext): Html {
  const { read, total } = home.index.progress;
  const isDone = home.isComplete;
  return html`<section id="progress" class="progress" ${isDone && html`hidden`}>${!isDone && html`<p>${words.indexing(time.number(read), time.number(total))}</p><progress max="${Math.max(1, total)}" value="${read}" aria-label="${words.indexing(time.number(read), time.number(total))}"></progress>`}</section>`;
}
