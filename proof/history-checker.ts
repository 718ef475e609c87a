/**
 * Compares the whole history of a home as three saw it: Telegram (its calls), the agent (its log), and the disk. It knows
 * the promises (contract §1, §4, §5) and the files' fields, and nothing of the code that keeps them: it imports none of it.
 *
 * The agent of a proof writes into each text part and file name a mark `<request>-run<n>-part<k>` (`marking-agent.ts`), so
 * that a delivery is recognised by what Telegram got, not by what the home says of it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface SeenCall {
  method: string;
  params: Record<string, unknown>;
  /** Whether it took effect, whatever became of its answer. */
  accepted: boolean;
  messageIds?: number[];
}

export interface Witnessed {
  home: string;
  /** All calls of the bot, in order. */
  calls: readonly SeenCall[];
  /** The request id of each run that the agent began, in order. */
  runs: readonly string[];
  /** What persons said that must be a request: its message ids, and whether Telegram was told that all of it is done. */
  asked: readonly { messageIds: readonly number[]; isConfirmed: boolean }[];
  /** False while work may still go on: then only what must hold at every instant is judged. */
  isAtRest: boolean;
}

/** What contradicts the promises, in words; empty where nothing does. */
export function faultsOf(witnessed: Witnessed): string[] {
  const faults: string[] = [];
  const disk = readHome(witnessed.home, faults);
  const taken = takenBy(witnessed.calls);
  askedOnce(witnessed, disk, faults);
  runsAllowed(witnessed, disk, faults);
  deliveriesAllowed(taken, disk, faults);
  for (const receipt of disk.receipts.values()) {
    claimsTrue(receipt, taken, faults);
    noticesAllowed(receipt, taken, faults);
    if (witnessed.isAtRest) endSpoken(receipt, disk, faults);
  }
  if (witnessed.isAtRest) nothingLeft(disk, faults);
  return faults;
}

type Json = Record<string, unknown>;

interface PartFacts {
  kind: string;
  state: string;
  messageIds: number[];
  text?: string;
}

interface ReceiptFacts extends Json {
  id: string;
  state: string;
  run: number;
  history: { state: string; code?: string; order?: { id: string; verb: string } }[];
  reply: { parts: PartFacts[] } | null;
  previous: { run: number; reply: { parts: PartFacts[] } | null }[];
  error: { stage: string; code: string } | null;
  attention: string | null;
  notice: { for: string; state: string; messageId: number | null } | null;
}

interface Disk {
  requests: Map<string, Json>;
  receipts: Map<string, ReceiptFacts>;
  pending: Set<string>;
  parts: Set<string>;
  /** How many orders were taken up, by `<verb> <request>`. */
  orders: ReadonlyMap<string, number>;
}

/** A file under a final name is whole at every instant: JSON, of version 1, naming what its name says. */
function readHome(home: string, faults: string[]): Disk {
  const read = (...folder: string[]): Map<string, Json> => {
    const found = new Map<string, Json>();
    for (const name of namesIn(join(home, ...folder))) {
      // Heartbeats are not synced, since a lost one costs nothing: who reads them takes a cut one as none.
      if (!name.endsWith('.json') || (folder.at(-1) === 'state' && /^(?:bot|consumer)\.json$/u.test(name))) continue;
      const json = parsed(join(home, ...folder, name));
      const shown = join(...folder, name);
      if (json === null) faults.push(`${shown}: no whole JSON object under a final name`);
      else if (json['version'] !== undefined && json['version'] !== 1)
        faults.push(`${shown}: version ${JSON.stringify(json['version'])}`);
      else found.set(name.slice(0, -'.json'.length), json);
    }
    return found;
  };
  const requests = read('spool', 'requests');
  const pending = read('spool', 'pending');
  const receipts = new Map<string, ReceiptFacts>();
  for (const [id, json] of read('state')) if (/^\d+$/u.test(id)) receipts.set(id, json as ReceiptFacts);
  for (const [kind, files] of [
    ['request', requests],
    ['pending', pending],
    ['receipt', receipts],
  ] as const) {
    for (const [id, json] of files)
      if (json['id'] !== id) faults.push(`${kind} ${id}: its content is of ${JSON.stringify(json['id'])}`);
  }
  for (const folder of [
    ['spool', 'members'],
    ['spool', 'seals'],
    ['spool', 'decisions'],
    ['state', 'links'],
    ['state', 'conversations'],
  ]) {
    read(...folder);
  }
  for (const name of namesIn(join(home, 'state', 'damaged')))
    faults.push(`state/damaged/${name}: a receipt was damaged`);
  for (const name of namesIn(join(home, 'spool', 'unread')))
    faults.push(`spool/unread/${name}: an update was not understood`);
  const orders = [...read('state', 'decisions').values()].flatMap(({ order }) => {
    const { verb, requestId } = (order ?? {}) as { verb?: string; requestId?: string | null };
    return verb === undefined ? [] : [`${verb} ${requestId ?? ''}`];
  });
  const parts = new Set(read('spool', 'parts').keys());
  return { requests, receipts, pending: new Set(pending.keys()), parts, orders: counted(orders) };
}

function counted(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function parsed(path: string): Json | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch (error) {
    // Removed between the listing and the reading: that is no half file.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : null;
  }
}

/** Accepted: exactly one request each once Telegram was told so, and never more. */
function askedOnce({ asked, isAtRest }: Witnessed, { requests, parts }: Disk, faults: string[]): void {
  const holders = new Map<number, string[]>();
  for (const [id, request] of requests) {
    for (const messageId of (request['messageIds'] ?? []) as number[]) {
      holders.set(messageId, [...(holders.get(messageId) ?? []), id]);
    }
  }
  for (const [messageId, ids] of holders) {
    if (ids.length > 1) faults.push(`message ${messageId}: in ${ids.length} requests (${ids.join(', ')})`);
  }
  const known = new Set(asked.flatMap(({ messageIds }) => messageIds));
  for (const messageId of holders.keys()) {
    if (!known.has(messageId)) faults.push(`message ${messageId}: in a request, and nobody asked for one`);
  }
  for (const { messageIds, isConfirmed } of asked) {
    const ids = new Set(messageIds.flatMap((messageId) => holders.get(messageId) ?? []));
    const isWhole = messageIds.every((messageId) => holders.has(messageId));
    // Until it is sealed a group waits as parts.
    const isGathered = messageIds.every((messageId) => holders.has(messageId) || parts.has(String(messageId)));
    if (ids.size > 1)
      faults.push(`messages ${messageIds.join(', ')}: one request was asked, ${[...ids].join(', ')} exist`);
    if (isConfirmed && !(isAtRest ? isWhole : isGathered))
      faults.push(
        `messages ${messageIds.join(', ')}: Telegram was told that they are done, and they are in no request`,
      );
    if (isAtRest && !isConfirmed) faults.push(`messages ${messageIds.join(', ')}: never confirmed`);
  }
}

/** At most one run for a request, and one more for each order to run again. */
function runsAllowed({ runs }: Witnessed, disk: Disk, faults: string[]): void {
  for (const [id, count] of counted(runs)) {
    const allowed = 1 + ordersOf(disk, id, 'rerun');
    if (count > allowed) faults.push(`request ${id}: ${count} runs, ${allowed} allowed`);
    if (!disk.receipts.has(id)) faults.push(`request ${id}: its agent ran, and there is no receipt`);
    if (!disk.requests.has(id)) faults.push(`request ${id}: its agent ran, and there is no request`);
  }
}

function ordersOf({ orders }: Disk, id: string, verb: string): number {
  return orders.get(`${verb} ${id}`) ?? 0;
}

interface Delivery {
  mark: string;
  request: string;
  run: number;
  messageIds: number[];
}

const MARK = /\b(\d+)-run(\d+)-part(\d+)\b/gu;
const SENDS = /^send(?:message|photo|document|mediagroup)$/iu;

/** What Telegram took of the bot's messages. */
interface Taken {
  messageIds: ReadonlySet<number>;
  deliveries: ReadonlyMap<string, readonly Delivery[]>;
  /** By request, how many notices of each attention: `<run>:<length of history>`, as their buttons say. */
  notices: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

function takenBy(calls: readonly SeenCall[]): Taken {
  const messageIds = new Set(
    calls.filter(({ method, accepted }) => accepted && SENDS.test(method)).flatMap((call) => call.messageIds ?? []),
  );
  const deliveries = new Map<string, Delivery[]>();
  for (const delivery of deliveriesOf(calls)) {
    const same = deliveries.get(delivery.mark);
    if (same === undefined) deliveries.set(delivery.mark, [delivery]);
    else same.push(delivery);
  }
  const notices = new Map<string, Map<string, number>>();
  for (const { method, params, accepted } of calls) {
    if (!accepted || !/^sendmessage$/iu.test(method)) continue;
    const button = /"order:[a-z]+:(\d+):(\d+:\d+)"/u.exec(JSON.stringify(params['reply_markup'] ?? null));
    const [, id, about] = button ?? [];
    if (id === undefined || about === undefined) continue;
    const counts = notices.get(id) ?? new Map<string, number>();
    notices.set(id, counts.set(about, (counts.get(about) ?? 0) + 1));
  }
  return { messageIds, deliveries, notices };
}

/** What of the agents' answers Telegram took, by the marks in texts, captions and file names. */
export function deliveriesOf(calls: readonly SeenCall[]): Delivery[] {
  return calls
    .filter(({ method, accepted }) => accepted && SENDS.test(method))
    .flatMap(({ params, messageIds = [] }) => {
      const marks = new Set([...marked(params)].map(([mark]) => mark));
      return [...marks].map((mark) => {
        const [, request = '', run = ''] = /^(\d+)-run(\d+)/u.exec(mark) ?? [];
        return { mark, request, run: Number(run), messageIds };
      });
    });
}

function* marked(value: unknown): Generator<RegExpExecArray> {
  if (typeof value === 'string') yield* value.matchAll(MARK);
  else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    for (const inner of Object.values(value)) yield* marked(inner);
  }
}

/** At most one delivery of a part, and one more for each order to send again; none that no receipt had recorded before. */
function deliveriesAllowed({ deliveries }: Taken, disk: Disk, faults: string[]): void {
  for (const [mark, same] of deliveries) {
    const { request, run } = same[0] as Delivery;
    const allowed = 1 + ordersOf(disk, request, 'resend');
    if (same.length > allowed) faults.push(`part ${mark}: delivered ${same.length} times, ${allowed} allowed`);
    const receipt = disk.receipts.get(request);
    if (receipt === undefined) faults.push(`part ${mark}: delivered, and there is no receipt`);
    else if (replyOfRun(receipt, run) === null) faults.push(`part ${mark}: delivered, and no receipt says \`sending\``);
  }
}

function replyOfRun(receipt: ReceiptFacts, run: number): { parts: PartFacts[] } | null {
  if (receipt.run === run) return receipt.reply;
  return receipt.previous.find((former) => former.run === run)?.reply ?? null;
}

/** Never `sent` without an acceptance, never `failed` with one, but by a person's word. */
function claimsTrue(receipt: ReceiptFacts, { messageIds, deliveries }: Taken, faults: string[]): void {
  const { id, state, reply, history } = receipt;
  const byPerson = history.some(({ order }) => order?.verb === 'arrived' || order?.verb === 'dismiss');
  const replies = [reply, ...receipt.previous.map((former) => former.reply)];
  for (const part of replies.flatMap((one) => one?.parts ?? [])) {
    const strange = part.messageIds.filter((messageId) => !messageIds.has(messageId));
    if (strange.length > 0)
      faults.push(`request ${id}: a part names messages that Telegram never took (${strange.join(', ')})`);
    if (part.state === 'sent' && part.messageIds.length === 0 && !byPerson)
      faults.push(`request ${id}: a part is \`sent\` without a message`);
    if (part.state === 'failed' && !byPerson && [...marked(part)].some(([mark]) => deliveries.has(mark)))
      faults.push(`request ${id}: a part is \`failed\`, and Telegram took it`);
  }
  if (state === 'sent' && !byPerson && (reply === null || reply.parts.some((part) => part.state !== 'sent')))
    faults.push(`request ${id}: \`sent\`, and not every part is`);
  const last = history.at(-1);
  if (last?.state !== state) faults.push(`request ${id}: \`${state}\`, and its history ends with \`${last?.state}\``);
}

/** One notice at most for each attention, which its buttons name by run and length of history; one exactly where it says so. */
function noticesAllowed(receipt: ReceiptFacts, { notices }: Taken, faults: string[]): void {
  const { id, notice, run, history } = receipt;
  const counts = notices.get(id) ?? new Map<string, number>();
  for (const [about, count] of counts)
    if (count > 1) faults.push(`request ${id}: ${count} notices of one attention (${about})`);
  const told = counts.get(`${run}:${history.length}`) ?? 0;
  if (notice?.state === 'sent' && notice.for !== 'rejected' && told !== 1)
    faults.push(`request ${id}: its notice is \`sent\`, and Telegram has ${told}`);
  if (notice?.state === 'waiting' && told > 0) faults.push(`request ${id}: its notice waits, and Telegram has it`);
}

/** At rest: final, or open to everybody's eyes. */
function endSpoken(receipt: ReceiptFacts, { pending }: Disk, faults: string[]): void {
  const { id, state, attention, notice, history } = receipt;
  const isFinal = state === 'sent' || state === 'failed' || state === 'rejected';
  if (!isFinal && attention === null) faults.push(`request ${id}: \`${state}\` for ever, and nobody is told`);
  if (attention !== null && notice === null) faults.push(`request ${id}: attention \`${attention}\` without a notice`);
  if (notice !== null && notice.state !== 'sent' && notice.state !== 'unknown')
    faults.push(`request ${id}: its notice is \`${notice.state}\` for ever`);
  if (state === 'failed' && attention === null && history.at(-1)?.order === undefined)
    faults.push(`request ${id}: \`failed\` in silence`);
  if (attention === null && pending.has(id)) faults.push(`request ${id}: settled, and still pending`);
  if (attention !== null && !pending.has(id)) faults.push(`request ${id}: open, and not pending any more`);
}

function nothingLeft({ requests, receipts, parts, pending }: Disk, faults: string[]): void {
  for (const id of requests.keys()) if (!receipts.has(id)) faults.push(`request ${id}: no receipt`);
  for (const id of receipts.keys()) if (!requests.has(id)) faults.push(`receipt ${id}: no request`);
  for (const id of pending) if (!requests.has(id)) faults.push(`pending ${id}: no request`);
  if (parts.size > 0) faults.push(`parts ${[...parts].join(', ')}: in no group that was sealed`);
}
