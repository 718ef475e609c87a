/** `blog-bridge status`: the queue, and what needs a person. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { type Problem, problemsOf } from '../bridge/health.ts';
import { type Overview, type ProcessView, type RequestView, overviewOf } from '../bridge/overview.ts';
import { EXIT, errorWords } from '../core/failure.ts';
import { type Order, byAge } from '../core/order.ts';
import { oneLine } from '../core/one-line.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { OrderInbox } from '../spool/order-inbox.ts';
import { RequestStore } from '../spool/request-store.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { openHome } from './open-home.ts';
import { typedCommand } from './typed-command.ts';
import { choiceLines, columns, commandsFor, sinceWords, timeWords } from './words-for-terminal.ts';

/** More are only counted. */
const WAITING_SHOWN = 20;

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show the queue and what needs attention')
    .option('--json', 'print it as JSON')
    .option('--check', 'for cron: print only what is wrong, and exit with 1 where anything is')
    .action((options: { json?: boolean; check?: boolean }) => {
      const { home } = program.opts<{ home?: string }>();
      const { folders, settings } = openHome(home);
      const requests = new RequestStore(folders, settings.telegram.chatId);
      const overview = overviewOf({ home: folders, requests, receipts: new ReceiptStore(folders) });
      const { orders, faults } = waitingOrders(folders);
      const now = new Date();
      const problems = problemsOf(overview, now.getTime());
      if (options.json === true) process.stdout.write(asJson(overview, orders, problems, home));
      else if (options.check === true) process.stdout.write(problems.map(({ words }) => `${words}\n`).join(''));
      else process.stdout.write(asText(overview, orders, faults, { now, home }));
      if (options.check === true && problems.length > 0) process.exitCode = EXIT.failed;
    });
}

function waitingOrders(folders: HomeFolders): { orders: Order[]; faults: string[] } {
  const faults: string[] = [];
  if (!existsSync(folders.orders)) return { orders: [], faults };
  const inbox = new OrderInbox(folders);
  const orders = inbox.ids().flatMap((id) => {
    try {
      return inbox.read(id) ?? [];
    } catch (error) {
      faults.push(errorWords(error));
      return [];
    }
  });
  return { orders: orders.sort(byAge), faults };
}

/** When it is printed, and the home as it was named on the command line. */
interface Printing {
  now: Date;
  home: string | undefined;
}

function asText(overview: Overview, orders: Order[], faults: string[], printing: Printing): string {
  const { running, waiting, attention, recent, unread, stray } = overview;
  const { now } = printing;
  const sections = [
    columns([processRow('bot', overview.bot, printing), processRow('consumer', overview.consumer, printing)]),
    running === null ? [] : ['running', ...rowsOf([running], now)],
    waiting.length === 0
      ? []
      : [
          `waiting (${waiting.length})`,
          ...rowsOf(waiting.slice(0, WAITING_SHOWN), now),
          ...more(waiting.length - WAITING_SHOWN),
        ],
    attention.length === 0 ? [] : [`needs you (${attention.length})`, ...needyLines(attention, printing)],
    orders.length === 0 ? [] : [`decisions not carried out yet (${orders.length})`, ...orderRows(orders, now)],
    faults.length === 0 ? [] : ['decisions that cannot be read just now', ...faults.map((words) => `  ! ${words}`)],
    unread.length === 0 ? [] : [`updates that could not be read: ${unread.length}, kept in spool/unread/`],
    stray.length === 0 ? [] : [`names in spool/pending/ that are no requests: ${stray.join(', ')}`],
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

function processRow(name: string, view: ProcessView, { now, home }: Printing): string[] {
  if (!view.running) return [name, `not running; start it: ${typedCommand(name, home)}`];
  const trouble = view.heartbeat?.lastError ?? null;
  return [
    name,
    `running for ${sinceWords(view.since, now)} (pid ${view.pid})${trouble === null ? '' : `\n          ! ${oneLine(trouble, 200)}`}`,
  ];
}

function rowsOf(views: readonly RequestView[], now: Date): string[] {
  return columns(
    views.map((view) => [
      `  ${view.id}`,
      stateWords(view),
      timeWords(view.at, now),
      oneLine(view.fault === null ? view.text : `! ${view.fault}`, view.fault === null ? 60 : 200),
    ]),
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

function needyLines(views: readonly RequestView[], { now, home }: Printing): string[] {
  const rows = rowsOf(views, now);
  return views.flatMap((view, index) => [rows[index] ?? '', ...whatToDo(view, home).map((line) => `      ${line}`)]);
}

function whatToDo({ id, attention, receipt }: RequestView, home: string | undefined): string[] {
  if (receipt === null) return [typedCommand(`show ${id}`, home)];
  if (attention === null)
    return [`Its consumer is gone. The next one says how far it came: ${typedCommand('consumer', home)}`];
  return choiceLines(receipt, home);
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

/** The shape that scripts may rely on (README.md); the receipts themselves are read with `show ID --json`. */
function asJson(overview: Overview, orders: Order[], problems: Problem[], home: string | undefined): string {
  const { bot, consumer, running, waiting, attention, recent, unread, stray } = overview;
  const brief = (view: RequestView): object => briefOf(view, home);
  const status = {
    version: 1,
    problems,
    bot,
    consumer,
    running: running === null ? null : brief(running),
    waiting: waiting.map(brief),
    attention: attention.map(brief),
    orders: orders.map(({ id, verb, requestId, at, by }) => ({ id, verb, requestId, at, by: by.name })),
    recent: recent.map(brief),
    unread,
    stray,
  };
  return `${JSON.stringify(status, null, 2)}\n`;
}

function briefOf({ id, state, attention, at, text, receipt }: RequestView, home: string | undefined): object {
  return { id, state, attention, at, text, commands: receipt === null ? [] : commandsFor(receipt, home) };
}
