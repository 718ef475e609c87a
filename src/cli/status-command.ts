/** `blog-bridge status`: the queue, and what needs a person. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { type Overview, type ProcessView, type RequestView, overviewOf } from '../bridge/overview.ts';
import { type Order, byAge } from '../core/order.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { OrderInbox } from '../spool/order-inbox.ts';
import { RequestStore } from '../spool/request-store.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { openHome } from './open-home.ts';
import { choiceLines, columns, commandsFor, oneLine, sinceWords, timeWords } from './words-for-terminal.ts';

/** More are only counted. */
const WAITING_SHOWN = 20;

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show the queue and what needs attention')
    .option('--json', 'print it as JSON')
    .action((options: { json?: boolean }) => {
      const { folders, settings } = openHome(program.opts<{ home?: string }>().home);
      const requests = new RequestStore(folders, settings.telegram.chatId);
      const overview = overviewOf({ home: folders, requests, receipts: new ReceiptStore(folders) });
      const orders = waitingOrders(folders);
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify(asJson(overview, orders), null, 2)}\n`
          : asText(overview, orders, new Date()),
      );
    });
}

function waitingOrders(folders: HomeFolders): Order[] {
  if (!existsSync(folders.orders)) return [];
  const inbox = new OrderInbox(folders);
  return inbox
    .ids()
    .flatMap((id) => inbox.read(id) ?? [])
    .sort(byAge);
}

function asText(overview: Overview, orders: Order[], now: Date): string {
  const { running, waiting, attention, recent, unread } = overview;
  const sections = [
    columns([processRow('bot', overview.bot, now), processRow('consumer', overview.consumer, now)]),
    running === null ? [] : ['running', ...rowsOf([running], now)],
    waiting.length === 0
      ? []
      : [
          `waiting (${waiting.length})`,
          ...rowsOf(waiting.slice(0, WAITING_SHOWN), now),
          ...more(waiting.length - WAITING_SHOWN),
        ],
    attention.length === 0 ? [] : [`needs you (${attention.length})`, ...needyLines(attention, now)],
    orders.length === 0 ? [] : [`decisions not carried out yet (${orders.length})`, ...orderRows(orders, now)],
    unread.length === 0 ? [] : [`updates that could not be read: ${unread.length}, kept in spool/unread/`],
    running === null && waiting.length === 0 && attention.length === 0
      ? ['Nothing is running, nothing waits, nothing needs you.']
      : [],
    recent.length === 0 ? [] : ['last ten', ...rowsOf(recent, now)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function processRow(name: string, view: ProcessView, now: Date): string[] {
  if (!view.running) return [name, `not running; start it: blog-bridge ${name}`];
  const trouble = view.heartbeat?.lastError ?? null;
  return [
    name,
    `running for ${sinceWords(view.since, now)} (pid ${view.pid})${trouble === null ? '' : `\n          ! ${oneLine(trouble, 200)}`}`,
  ];
}

function rowsOf(views: readonly RequestView[], now: Date): string[] {
  return columns(
    views.map((view) => [`  ${view.id}`, stateWords(view), timeWords(view.at, now), oneLine(view.text, 60)]),
  );
}

function stateWords({ state, attention, receipt }: RequestView): string {
  const code = receipt?.error?.code;
  if (attention !== null && attention !== 'failed') return attention;
  return code === undefined ? state : `${state} (${code})`;
}

function more(count: number): string[] {
  return count > 0 ? [`  … and ${count} more`] : [];
}

function needyLines(views: readonly RequestView[], now: Date): string[] {
  const rows = rowsOf(views, now);
  return views.flatMap((view, index) => [rows[index] ?? '', ...whatToDo(view).map((line) => `      ${line}`)]);
}

function whatToDo({ id, attention, receipt }: RequestView): string[] {
  if (receipt === null) return [`blog-bridge show ${id}`];
  if (attention === null) return ['Its consumer is gone. The next one says how far it came: blog-bridge consumer'];
  return choiceLines(receipt);
}

function orderRows(orders: readonly Order[], now: Date): string[] {
  return columns(
    orders.map(({ requestId, verb, at, by }) => [
      `  ${requestId ?? '–'}`,
      verb,
      timeWords(at, now),
      oneLine(by.name, 40),
    ]),
  );
}

/** The shape that scripts may rely on; the receipts themselves are read with `show ID --json`. */
function asJson(overview: Overview, orders: Order[]): object {
  const { bot, consumer, running, waiting, attention, recent, unread } = overview;
  return {
    bot,
    consumer,
    running: running === null ? null : brief(running),
    waiting: waiting.map(brief),
    attention: attention.map(brief),
    orders: orders.map(({ id, verb, requestId, at, by }) => ({ id, verb, requestId, at, by: by.name })),
    recent: recent.map(brief),
    unread,
  };
}

function brief({ id, state, attention, at, text, receipt }: RequestView): object {
  return { id, state, attention, at, text, commands: receipt === null ? [] : commandsFor(receipt) };
}
