/** What the tests of the consumer have in common: requests as the bot stores them, orders, an agent that leaves traces. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Order, parseButtonData } from '../../src/core/order.ts';
import type { OrderVerb, Receipt } from '../../src/core/receipt.ts';
import type { Request } from '../../src/core/request.ts';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { groupMembers } from '../../src/platform/process-group.ts';
import { identityOf } from '../../src/platform/process-identity.ts';
import { bindHome } from '../../src/spool/home-binding.ts';
import { OrderInbox } from '../../src/spool/order-inbox.ts';
import { RequestStore } from '../../src/spool/request-store.ts';
import type { ChatMessage } from '../../src/stand-in/chat-message.ts';
import { Running, type World, type WorldOptions, openWorld } from './bridge.ts';

/**
 * Notes each run in `runs.log`, then does what the request's text says: `fail`; `parts` (an answer of three parts);
 * `hold` (notes its pid in `held-<id>`, stays until `go-<id>` exists); anything else: one short answer.
 */
const TRACER = `#!/bin/sh
read -r order
echo "$BLOG_REQUEST_ID" >> runs.log
case "$order" in
  fail*) echo "no luck" >&2; exit 3 ;;
  parts*) i=0; while [ $i -lt 150 ]; do echo "$BLOG_REQUEST_ID line $i, made long enough that some sixty of them fill a message"; i=$((i+1)); done ;;
  hold*) echo $$ > "held-$BLOG_REQUEST_ID.new"; mv "held-$BLOG_REQUEST_ID.new" "held-$BLOG_REQUEST_ID"
    while [ ! -e "go-$BLOG_REQUEST_ID" ]; do sleep 0.1; done; echo "held, then answered $BLOG_REQUEST_ID" ;;
  *) echo "answer to $BLOG_REQUEST_ID" ;;
esac
`;

/** A home whose agent is the tracer, bound and with its folders, as a bot leaves it. */
export async function openDesk(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({
    ...options,
    agent: { kind: 'command', command: ['./tracer'], cwd: '.', ...options.agent },
  });
  world.program('tracer', TRACER);
  const folders = homeFolders(world.home);
  makeHomeFolders(folders);
  bindHome(folders, world.telegram.botId, world.telegram.chatId);
  return world;
}

/** Says it in the chat, and stores it as the bot does. Returns its id. */
export function ask(world: World, text: string, { messageId, ...fields }: Partial<Request> = {}): string {
  const { message_id: id } = world.telegram.say({
    text: `/blog ${text}`,
    ...(messageId === undefined ? {} : { messageId }),
    ...(fields.threadId == null ? {} : { threadId: fields.threadId }),
  });
  const store = new RequestStore(homeFolders(world.home), world.telegram.chatId);
  store.place(world.requestFile(id, { text, ...fields }));
  return String(id);
}

let given = 0;

/** An order about the receipt as it stands, or as `seen`; null: about whatever runs. Returns its id. */
export function give(
  world: World,
  verb: OrderVerb,
  requestId: string | null,
  seen?: Receipt | null,
  id = `x${verb}-${(given += 1)}`,
): string {
  if (seen === undefined) return give(world, verb, requestId, requestId === null ? null : world.receipt(requestId), id);
  const order: Order = {
    version: 1,
    id,
    verb,
    requestId,
    run: seen?.run ?? null,
    historyLength: seen?.history.length ?? null,
    by: { name: 'Owner' },
    at: new Date().toISOString(),
  };
  new OrderInbox(homeFolders(world.home)).put(order);
  return id;
}

/** What became of an order, once it is known. */
export async function outcomeOf(world: World, orderId: string): Promise<string> {
  const read = (): string | undefined => {
    const path = world.path('state', 'decisions', `${orderId}.json`);
    if (!existsSync(path)) return undefined;
    const { outcome } = JSON.parse(readFileSync(path, 'utf8')) as {
      outcome: { result: string; reason?: string } | null;
    };
    return outcome === null ? undefined : (outcome.reason ?? outcome.result);
  };
  return world.eventually(read, `the outcome of ${orderId}`);
}

/** How often the agent ran for a request. */
export function runsOf(world: World, id: string): number {
  const path = world.path('runs.log');
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line === id).length
    : 0;
}

/** The notices about a request: messages of the bot that have buttons, or had them. */
export function noticesOf(world: World, id: string): ChatMessage[] {
  return world.telegram.botMessages.filter(({ text, edits }) =>
    new RegExp(`(Request|answer to) ${id}\\b.*(\\.|\\?|\\))`, 'u').test(edits[0] ?? text),
  );
}

/** The orders that a notice's buttons give. */
export function buttonsOf(notice: ChatMessage | undefined): string[] {
  return (notice?.buttons ?? [])
    .flat()
    .map(({ callback_data: data }) => parseButtonData(data ?? '')?.verb ?? 'unknown');
}

/** Final, or waiting for a person who has been told. */
export function isOver({ state, attention, notice }: Receipt): boolean {
  const isTold = notice === null || notice.state === 'sent' || notice.state === 'unknown';
  return isTold && (attention !== null || state === 'sent' || state === 'failed' || state === 'rejected');
}

export interface KillAt {
  when: 'before' | 'after';
  call: 'linkSync' | 'renameSync' | 'rmSync';
  to: string;
  holding?: string;
  signal?: NodeJS.Signals;
}

const PRELOAD = fileURLToPath(new URL('./kill-at.mjs', import.meta.url));

/** A consumer that ends, or freezes, at a named file call. */
export function consumerEndingAt(world: World, at: KillAt): Running {
  const env = { ...world.env, NODE_OPTIONS: `--import=${PRELOAD}`, KILL_AT: JSON.stringify(at) };
  const running = new Running(['consumer', '--home', world.home], env);
  world.started.push(running);
  return running;
}

/** Of a process, or (negative) of any in a group. A zombie does not count. */
export function isAlive(pid: number): boolean {
  return pid < 0 ? groupMembers(-pid).length > 0 : identityOf(pid) !== null;
}

/** All that these processes printed. */
export function outputOf(running: readonly Running[]): string {
  return running.map(({ stdout, stderr }) => stdout + stderr).join('\n');
}
