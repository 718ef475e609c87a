/**
 * Runs in the browser: keeps the open page as the home is. The server says that something changed; the page is then asked for
 * once more, and of its sections those are put in that became others. Without this script the page is as it was when it came.
 */
const RETRY_MS = 2_000;
const TICK_MS = 10_000;

const { events = '', lost = '', changed = '' } = document.body.dataset;
let source: EventSource | null = null;
let isFetching = false;
let isStale = false;

/** A hidden page holds no connection: a browser has only six for one server. */
function follow(): void {
  source?.close();
  source = null;
  if (document.hidden) return;
  const opened = new EventSource(events);
  source = opened;
  opened.addEventListener('open', () => showLine('live'));
  opened.addEventListener('change', () => void refresh());
  opened.addEventListener('error', () => {
    showLine('lost');
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    setTimeout(follow, RETRY_MS);
  });
}

function showLine(state: 'live' | 'lost'): void {
  const line = document.getElementById('line');
  const words = line?.querySelector<HTMLElement>('.line-words');
  if (line == null || words == null) return;
  line.className = `line ${state}`;
  words.textContent = state === 'live' ? (words.dataset['liveWords'] ?? '') : lost;
}

async function refresh(): Promise<void> {
  if (isFetching) {
    isStale = true;
    return;
  }
  isFetching = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (answer.ok || answer.status === 404) putIn(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // The line says that it is lost; the next opening of it asks again.
  }
  isFetching = false;
  if (!isStale) return;
  isStale = false;
  void refresh();
}

function putIn(fresh: Document): void {
  if (isSelecting()) {
    isStale = true;
    return;
  }
  for (const [index, old] of document.querySelectorAll('.process').entries()) {
    const next = fresh.querySelectorAll('.process')[index];
    if (next !== undefined) replace(old, next);
  }
  const thread = document.querySelector('.thread');
  for (const turn of fresh.querySelectorAll('.thread > section')) {
    if (thread !== null && document.getElementById(turn.id) === null) thread.append(document.importNode(turn, true));
  }
  let isOther = false;
  for (const old of document.querySelectorAll('main > section[id], .thread > section[id]')) {
    const next = fresh.getElementById(old.id);
    if (next !== null && replace(old, next)) isOther = true;
  }
  const said = document.getElementById('said');
  if (isOther && said !== null)
    said.textContent = `${changed} ${new Date().toLocaleTimeString(document.documentElement.lang)}`;
}

/** True where it says something else now. What a person opened stays open; who is in it with the keyboard stays there. */
function replace(old: Element, next: Element): boolean {
  const open = [...old.querySelectorAll('details[open][id]')].map(({ id }) => id);
  for (const id of open) next.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
  if (old.outerHTML === next.outerHTML) return false;
  const isOther = !old.hasAttribute('data-quiet') && wordsOf(old) !== wordsOf(next);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const node = document.importNode(next, true);
  old.replaceWith(node);
  if (focused !== null) likeIn(node, focused)?.focus({ preventScroll: true });
  return isOther;
}

function likeIn(node: Element, focused: Element): HTMLElement | undefined {
  const address = focused.getAttribute('href');
  const isLike = (one: HTMLElement): boolean =>
    address === null ? one.outerHTML === focused.outerHTML : one.getAttribute('href') === address;
  return [...node.querySelectorAll<HTMLElement>('a, summary, [tabindex]')].find(isLike);
}

/** How long something has run is nothing new. */
function wordsOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const time of copy.querySelectorAll('[data-since]')) time.textContent = '';
  return copy.textContent ?? '';
}

function isSelecting(): boolean {
  const selection = document.getSelection();
  return (
    selection !== null &&
    !selection.isCollapsed &&
    document.getElementById('main')?.contains(selection.anchorNode) === true
  );
}

document.addEventListener('selectionchange', () => {
  if (!isStale || isFetching || isSelecting()) return;
  isStale = false;
  void refresh();
});
document.addEventListener('visibilitychange', () => {
  follow();
  if (!document.hidden) void refresh();
});
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  follow();
  void refresh();
});
// How long something has run grows without any change.
setInterval(() => {
  if (!document.hidden && document.querySelector('[data-since]') !== null) void refresh();
}, TICK_MS);
follow();
