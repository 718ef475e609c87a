/** `blog-bridge show ID`: one request's whole story. */
import type { Command } from 'commander';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type RequestView, livingOwner, viewOf } from '../bridge/overview.ts';
import { BridgeError, errorWords } from '../core/failure.ts';
import { oneLine } from '../core/one-line.ts';
import type { Part, Receipt } from '../core/receipt.ts';
import type { Request } from '../core/request.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { RequestStore } from '../spool/request-store.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { openHome } from './open-home.ts';
import { typedCommand } from './typed-command.ts';
import { choiceLines, columns, durationWords, timeWords } from './words-for-terminal.ts';

interface Story {
  view: RequestView;
  request: Request | null;
  /** Why the request's file is none, or one of its files cannot be read just now; null where all is well. */
  fault: string | null;
  hasConsumer: boolean;
  files: string[];
  /** As it was named on the command line. */
  home: string | undefined;
}

/** What `show` prints; also how the demo tells the end of a request. */
export function storyText(id: string, folders: HomeFolders, chatId: number, home?: string): string {
  return asText(storyOf(id, folders, chatId, home), new Date());
}

export function addShowCommand(program: Command): void {
  program
    .command('show <id>')
    .description('show one request from its arrival to its end')
    .option('--json', 'print request and receipt as JSON')
    .action((id: string, options: { json?: boolean }) => {
      const { home } = program.opts<{ home?: string }>();
      const { folders, settings } = openHome(home);
      const { chatId } = settings.telegram;
      const story = options.json === true ? storyJson(id, folders, chatId) : storyText(id, folders, chatId, home);
      process.stdout.write(story);
    });
}

function storyJson(id: string, folders: HomeFolders, chatId: number): string {
  const { request, view } = storyOf(id, folders, chatId);
  return `${JSON.stringify({ request, receipt: view.receipt, state: view.state }, null, 2)}\n`;
}

function storyOf(id: string, folders: HomeFolders, chatId: number, home?: string): Story {
  const requests = new RequestStore(folders, chatId);
  const isId = /^[1-9]\d{0,15}$/u.test(id);
  const view = isId ? viewOf(id, { home: folders, requests, receipts: new ReceiptStore(folders) }) : null;
  if (view === null || view.state === 'stray') {
    throw new BridgeError('unknown-request', `${id}: expected the id of a request, found none in ${folders.requests}`, {
      hint: '"blog-bridge status" lists the latest.',
    });
  }
  const read = readRequest(id, requests);
  return {
    view,
    request: read.ok ? read.request : null,
    fault: read.ok ? view.fault : read.message,
    hasConsumer: livingOwner(folders.consumerLock) !== null,
    files: filesOf(id, folders),
    home,
  };
}

function readRequest(
  id: string,
  requests: RequestStore,
): { ok: true; request: Request } | { ok: false; message: string } {
  try {
    return requests.read(id);
  } catch (error) {
    return { ok: false, message: errorWords(error) };
  }
}

function filesOf(id: string, { root, requests, state, files }: HomeFolders): string[] {
  const folder = join(files, id);
  const inside = existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
    : [];
  const all = [join(requests, `${id}.json`), join(state, `${id}.json`), ...inside];
  return all.filter((path) => existsSync(path)).map((path) => relative(root, path));
}

function asText(story: Story, now: Date): string {
  const { view, request, fault, files } = story;
  const { receipt } = view;
  const sections = [
    [`request ${view.id}: ${stateWords(view)}`],
    [...(request === null ? [] : requestLines(request)), ...(fault === null ? [] : [`  ${fault}`])],
    receipt === null ? [] : timeLines(request, receipt, now),
    receipt === null ? [] : agentLines(receipt, now),
    receipt === null ? [] : answerLines(receipt),
    receipt === null ? [] : endLines(receipt),
    nextLines(story),
    files.length === 0 ? [] : ['files', ...files.map((name) => `  ${name}`)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function stateWords({ state, attention }: RequestView): string {
  if (attention !== null) return state === attention ? `${state}, needs you` : `${state}, needs you (${attention})`;
  if (state === 'unreadable') return 'its receipt cannot be read';
  return state === 'waiting' ? 'waiting for its run' : state;
}

function requestLines(request: Request): string[] {
  const { from, kind, conversation, replyTo, attachments } = request;
  const about = kind === 'blog' ? 'opens a conversation' : `goes on with conversation ${conversation}`;
  const rows = [['  from', `${oneLine(from.name, 60)} (${from.id}), ${about}`]];
  if (replyTo !== null) rows.push(['  quoting', `${replyTo.messageId}: ${oneLine(replyTo.text, 70)}`]);
  if (attachments.length > 0) rows.push(['  with', attachments.map((one) => one.name ?? one.kind).join(', ')]);
  return columns([...rows, ['  text', oneLine(request.text, 300)]]);
}

function timeLines(request: Request | null, receipt: Receipt, now: Date): string[] {
  const steps = receipt.history.map(({ at, state, code, order }) => {
    const by = order === undefined ? '' : `   ${order.verb}, ordered by ${oneLine(order.by, 60)}`;
    return { at, words: `${state}${code === undefined ? '' : ` (${code})`}${by}` };
  });
  const all = request === null ? steps : [{ at: request.receivedAt, words: 'accepted' }, ...steps];
  const rows = all.map(({ at, words }, index) => {
    const before = all[index - 1];
    return [
      `  ${timeWords(at, now)}`,
      before === undefined ? '' : `+${durationWords(Date.parse(at) - Date.parse(before.at))}`,
      words,
    ];
  });
  const run =
    receipt.run === 0
      ? []
      : [
          `  run ${receipt.run}${receipt.session === null ? '' : `, turn ${receipt.turn ?? '?'} of session ${receipt.session}`}`,
        ];
  return ['what happened', ...columns(rows), ...run];
}

const ORIGINS = {
  new: 'a new session',
  loaded: 'the former session, loaded',
  resumed: 'the former session, resumed',
  retold: 'a new session, told the conversation so far',
};

/** What the agent did, as far as it said so. */
function agentLines({ steps = [], sessionOrigin, recovery }: Receipt, now: Date): string[] {
  if (steps.length === 0 && recovery === undefined) return [];
  const rows = steps.map(({ at, endedAt, kind, title, status }) => [
    `  ${timeWords(at, now)}`,
    endedAt === null ? '' : durationWords(Date.parse(endedAt) - Date.parse(at)),
    kind,
    status,
    oneLine(title, 60),
  ]);
  const origin = sessionOrigin === undefined ? '' : `, in ${ORIGINS[sessionOrigin]}`;
  const found = recovery === undefined ? [] : [`  its history after the interruption: ${recovery}`];
  return [`what the agent did${origin}`, ...columns(rows), ...found];
}

function answerLines(receipt: Receipt): string[] {
  if (receipt.reply === null) return [];
  const { parts } = receipt.reply;
  const sent = parts.filter((part) => part.state === 'sent').length;
  const rows = parts.map((part, index) => [
    `  ${index + 1}`,
    part.state,
    part.messageIds.length === 0 ? '' : `message ${part.messageIds.join(', ')}`,
    partWords(part),
  ]);
  return [`answer: ${sent} of ${parts.length} parts sent`, ...columns(rows)];
}

function partWords(part: Part): string {
  if (part.kind === 'text') return oneLine(part.text, 60);
  if (part.kind !== 'album') return `${part.kind} ${part.file}`;
  return `${part.items.length} ${part.media}s: ${part.items.map(({ file }) => file).join(', ')}`;
}

function endLines({ error, previous, run, notice }: Receipt): string[] {
  const lines: string[] = [];
  if (error !== null)
    lines.push(
      `error at stage ${error.stage}: ${error.code}`,
      ...error.message.split('\n').map((line) => `  ${oneLine(line, 200)}`),
    );
  if (previous.length > 0)
    lines.push(`This was run ${run}; what the earlier ones gave stands in the receipt under "previous".`);
  if (notice !== null)
    lines.push(
      `notice in the chat (${notice.for}): ${notice.state}${notice.messageId === null ? '' : `, message ${notice.messageId}`}`,
    );
  return lines;
}

function nextLines({ view, hasConsumer, home }: Story): string[] {
  const { receipt, attention, state } = view;
  if (receipt !== null && (attention !== null || state === 'failed')) {
    return [
      attention === null ? 'still possible' : 'decide by one of',
      ...choiceLines(receipt, home).map((line) => `  ${line}`),
    ];
  }
  const isOpen = state === 'waiting' || state === 'submitted' || state === 'sending' || state === 'unreadable';
  return isOpen && !hasConsumer
    ? [`No consumer runs, so nothing goes on here; start one: ${typedCommand('consumer', home)}`]
    : [];
}
