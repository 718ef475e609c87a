/** `resend`, `rerun`, `resolve`: a person's decisions, handed to the consumer as files (contract §6). */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { livingOwner } from '../bridge/overview.ts';
import { type Order, type OrderOutcome, type Refusal, refusalOf } from '../core/order.ts';
import { BridgeError } from '../core/failure.ts';
import type { OrderVerb, Receipt } from '../core/receipt.ts';
import { wordsIn } from '../core/words.ts';
import { nowIso } from '../platform/clock.ts';
import { makeHomeFolders } from '../platform/home-folders.ts';
import { OrderInbox } from '../spool/order-inbox.ts';
import { RequestStore } from '../spool/request-store.ts';
import { OrderLog } from '../state/order-log.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { openHome } from './open-home.ts';

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

export function addOrderCommands(program: Command): void {
  const home = (): string | undefined => program.opts<{ home?: string }>().home;
  const json = ['--json', 'print the order and its outcome as JSON'] as const;
  program
    .command('resend <id>')
    .description('send the parts of an answer that are not sent, once more')
    .option(...json)
    .action((id: string, options: Printing) => order(home(), id, 'resend', options));
  program
    .command('rerun <id>')
    .description('run the agent once more for a request')
    .option(...json)
    .action((id: string, options: Printing) => order(home(), id, 'rerun', options));
  program
    .command('resolve <id>')
    .description('say how a request ended, where only a person can know')
    .option('--sent', 'it arrived, or it was done')
    .option('--failed', 'it is closed as failed')
    .option(...json)
    .action((id: string, options: Printing & { sent?: boolean; failed?: boolean }) => {
      if ((options.sent === true) === (options.failed === true)) {
        throw new BridgeError('usage', 'resolve: expected one of --sent and --failed', {
          hint: `For example: blog-bridge resolve ${id} --sent`,
        });
      }
      return order(home(), id, options.sent === true ? 'arrived' : 'dismiss', options);
    });
}

interface Printing {
  json?: boolean;
}

async function order(home: string | undefined, id: string, verb: OrderVerb, { json = false }: Printing): Promise<void> {
  const { folders, settings } = openHome(home);
  makeHomeFolders(folders);
  const requests = new RequestStore(folders, settings.telegram.chatId);
  const receipts = new ReceiptStore(folders);
  const receipt = receiptOf(id, requests, receipts);
  const given = orderAbout(id, verb, receipt);
  const isAlive = (): boolean => livingOwner(folders.consumerLock) !== null;
  const outcome = await handOver(given, receipt, new OrderInbox(folders), new OrderLog(folders), isAlive);
  if (json) process.stdout.write(`${JSON.stringify({ order: given, outcome }, null, 2)}\n`);
  if (outcome?.result === 'refused') throw refused(id, refusalWords(outcome.reason, receipt));
  if (json) return;
  if (outcome !== null) process.stdout.write(`${id}: ${wordsIn('en').applied[verb]}\n`);
  else if (isAlive()) process.stdout.write(`${id}: noted as ${given.id}; it waits for its turn.\n`);
  else process.stdout.write(`${id}: noted as ${given.id}; no consumer runs, so it waits until one is started.\n`);
}

function receiptOf(id: string, requests: RequestStore, receipts: ReceiptStore): Receipt {
  const isId = /^[1-9]\d{0,15}$/u.test(id);
  const stored = isId ? receipts.read(id) : ({ kind: 'none' } as const);
  if (stored.kind === 'receipt') return stored.receipt;
  if (stored.kind !== 'none') throw refused(id, 'Its receipt cannot be read; start the consumer, which sets it aside.');
  if (isId && requests.has(id)) throw refused(id, 'It waits for its first run; nothing is to be decided yet.');
  throw new BridgeError('unknown-request', `${id}: expected the id of a request, found none`, {
    hint: '"blog-bridge status" lists the latest.',
  });
}

/** The order names what the person could see at this moment. */
function orderAbout(id: string, verb: OrderVerb, receipt: Receipt): Order {
  return {
    version: 1,
    id: `x${randomUUID()}`,
    verb,
    requestId: id,
    run: receipt.run,
    historyLength: receipt.history.length,
    by: { name: `${userInfo().username} (command line)`, terminal: userInfo().username },
    at: nowIso(),
  };
}

/** What cannot apply is refused here and now; null where the consumer has not answered in time. */
async function handOver(
  given: Order,
  receipt: Receipt,
  inbox: OrderInbox,
  taken: OrderLog,
  isAlive: () => boolean,
): Promise<OrderOutcome | null> {
  const reason = refusalOf(given, receipt);
  if (reason !== null) return { result: 'refused', reason, at: given.at };
  inbox.put(given);
  const until = performance.now() + PATIENCE_MS;
  do {
    const outcome = taken.read(given.id)?.outcome ?? null;
    if (outcome !== null) return outcome;
    if (!isAlive()) return taken.read(given.id)?.outcome ?? null;
    await pause(LOOK_EVERY_MS);
  } while (performance.now() < until);
  return null;
}

function refusalWords(reason: Refusal, receipt: Receipt): string {
  if (reason !== 'not-now') return wordsIn('en').refused[reason];
  return `It is ${receipt.state}${receipt.attention === null ? '' : ` (${receipt.attention})`}; that order does not apply to it.`;
}

function refused(id: string, words: string): BridgeError {
  return new BridgeError('order-refused', `${id}: refused. ${words}`, {
    hint: `"blog-bridge show ${id}" tells how it stands.`,
  });
}
