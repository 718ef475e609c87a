/**
 * Owns: one answer to one request of a browser.
 * Guarantees: only reads; each answer has the headers that keep it to this page: nothing is cached, framed, sniffed, or loaded
 *   from elsewhere, and no address (it holds the token) goes anywhere.
 * Fails: with a page that says so.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { errorWords } from '../core/failure.ts';
import { webWordsIn } from '../core/web-words.ts';
import { wordsIn } from '../core/words.ts';
import type { Language } from '../core/settings.ts';
import { pause } from '../platform/clock.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { ownProgram } from '../platform/own-files.ts';
import { preferredLanguage } from './accept-language.ts';
import { admit } from './gate.ts';
import type { HomeView, PageContext } from './home-view.ts';
import type { Html } from './html.ts';
import type { LiveStream } from './live-stream.ts';
import { activityPage } from './pages/activity-page.ts';
import { conversationPage } from './pages/conversation-page.ts';
import { notFoundPage, troublePage } from './pages/message-page.ts';
import { overviewPage } from './pages/overview-page.ts';
import { requestPage } from './pages/request-page.ts';
import { requestsPage } from './pages/requests-page.ts';
import { openPicture } from './pictures.ts';
import { type Route, routeOf } from './routes.ts';
import { ICON, STYLE } from './style.ts';
import { TimeWords } from './time-words.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const LONGEST_WAIT_MS = 1_500;

const ASSETS = new Map([
  ['style.css', { type: 'text/css; charset=utf-8', text: STYLE }],
  ['icon.svg', { type: 'image/svg+xml', text: ICON }],
  ['follow.js', { type: 'text/javascript; charset=utf-8', text: readScript() }],
]);

export interface AnswerPorts {
  token: string;
  /** Of `config.json`; undefined leaves it to the browser. */
  language: Language | undefined;
  folders: HomeFolders;
  /** A command of this program as a person types it, for this home. */
  typed: (words: string) => string;
  /** Resolves when the first page can tell what is there. */
  begun: Promise<void>;
  /** The home as it is at this moment. */
  view: () => HomeView;
  stream: LiveStream;
}

export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  ports: AnswerPorts,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const admission = admit(request, ports.token);
  if (!admission.ok) {
    if (admission.status === 405) response.setHeader('allow', 'GET, HEAD');
    send(request, response, admission.status, 'text/plain; charset=utf-8', `${admission.words}\n`);
    return;
  }
  const route = routeOf(admission.path, admission.query);
  if (route?.page === 'events') return openEvents(request, response, ports.stream);
  if (route?.page === 'asset') {
    const asset = ASSETS.get(route.name);
    if (asset !== undefined) return send(request, response, 200, asset.type, asset.text);
  }
  if (route?.page === 'picture' && (await sendPicture(request, response, route, ports))) return;
  // A home of a million names takes seconds: then a page that says so is better than none.
  await Promise.race([ports.begun, pause(LONGEST_WAIT_MS)]);
  const context = contextOf(request, ports);
  const { status, page } = await pageFor(route, context);
  send(request, response, status, 'text/html; charset=utf-8', page.text);
}

async function pageFor(route: Route | null, context: PageContext): Promise<{ status: number; page: Html }> {
  try {
    const page = await findPage(route, context);
    return page === null ? { status: 404, page: notFoundPage(context) } : { status: 200, page };
  } catch (error) {
    return { status: 500, page: troublePage(context, errorWords(error)) };
  }
}

function findPage(route: Route | null, context: PageContext): Html | null | Promise<Html | null> {
  switch (route?.page) {
    case 'overview':
      return overviewPage(context);
    case 'requests':
      return requestsPage(context, route);
    case 'activity':
      return activityPage(context);
    case 'request':
      return requestPage(context, route.id);
    case 'conversation':
      return conversationPage(context, route.id, route.number);
    default:
      return null;
  }
}

function contextOf(request: IncomingMessage, { language, token, typed, view }: AnswerPorts): PageContext {
  const spoken = language ?? preferredLanguage(request.headers['accept-language']);
  const now = new Date();
  return {
    home: view(),
    words: webWordsIn(spoken),
    chatWords: wordsIn(spoken),
    typed,
    language: spoken,
    time: new TimeWords(spoken, now),
    now,
    base: `/${token}`,
  };
}

function openEvents(request: IncomingMessage, response: ServerResponse, stream: LiveStream): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (request.method === 'HEAD') response.end();
  else stream.join(response);
}

async function sendPicture(
  request: IncomingMessage,
  response: ServerResponse,
  route: Extract<Route, { page: 'picture' }>,
  { folders, view }: AnswerPorts,
): Promise<boolean> {
  const picture = await openPicture(folders, view().story(route.id)?.receipt ?? null, route);
  if (picture === null) return false;
  const { handle, mime, bytes, tag } = picture;
  try {
    // By its tag a browser need not read the same picture twice; a rerun may put another in its place.
    response.setHeader('cache-control', 'private, no-cache').setHeader('etag', tag);
    response.setHeader('content-security-policy', "default-src 'none'; sandbox");
    if (request.headers['if-none-match'] === tag) response.writeHead(304).end();
    else if (request.method === 'HEAD')
      response.writeHead(200, { 'content-type': mime, 'content-length': bytes }).end();
    else {
      response.writeHead(200, { 'content-type': mime });
      await pipeline(handle.createReadStream({ start: 0, autoClose: false }), response).catch(() => response.destroy());
    }
  } finally {
    await handle.close();
  }
  return true;
}

function send(request: IncomingMessage, response: ServerResponse, status: number, type: string, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Compiled for itself; a stranger to the rest of the program, since it runs in a browser. */
function readScript(): string {
  return readFileSync(ownProgram('web/browser/follow.js'), 'utf8');
}
