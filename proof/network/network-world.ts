/** One home whose processes speak with Telegram through a line on which things go wrong, from its first request to its rest. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { OrderVerb, Receipt } from '../../src/core/receipt.ts';
import { png } from '../../test/stand-in/bot-client.ts';
import { chance } from '../budget.ts';
import { type SeenCall, faultsOf } from '../history-checker.ts';
import { type Stage, atRest, isQuiet, openStage, witnessed } from '../scenario.ts';
import { type Deck, MISHAPS, openDeck } from './mishap.ts';
import { type Exchange, type SpoilingProxy, openProxy } from './spoiling-proxy.ts';

/** The exchanges that are counted; the others of the bridge (reactions, “typing…”) are best effort and are spoilt too. */
export const COUNTED = [
  'getUpdates',
  'sendMessage',
  'sendPhoto',
  'sendDocument',
  'sendMediaGroup',
  'getFile',
  'download',
];
/** How many of a method's exchanges are spoilt. A text mostly comes first, and after a doubtful one nothing is sent. */
const SPOILT: Record<string, number> = {
  getUpdates: 0.4,
  sendMessage: 0.3,
  sendPhoto: 0.6,
  sendDocument: 0.6,
  sendMediaGroup: 0.6,
  getFile: 0.5,
  download: 0.6,
  // Asked only when the bot starts, until they are answered.
  getMe: 0.8,
  deleteWebhook: 0.8,
};
const SPEED = 20;
/** What the limits of the product come to by the real clock is held to this much more: a slow machine is no fault. */
const SLACK_MS = 20_000;
/** The longest that any of them may take by the product's own limits, in ms: a long poll, a call, an upload of these sizes. */
const LIMIT_MS = 60_000;
const CLOCK = fileURLToPath(new URL('../fast-clock.mjs', import.meta.url));
const FILE_BYTES = 30_000;

export interface Report {
  exchanges: readonly Exchange[];
  faults: string[];
  /** How requests ended, and what was true of the unknown ones. */
  ends: Record<string, number>;
  /** Mishaps not dealt to a counted method in this world. */
  undealt: number;
}

export interface Wanted {
  name: string;
  /** Which share of the pack of mishaps this world deals, of how many. */
  share: readonly [number, number];
  /** Counted exchanges at least. */
  exchanges: number;
  /** Whether each mishap must have met each counted method. */
  whole: boolean;
}

export async function runNetworkWorld(wanted: Wanted): Promise<Report> {
  const stage = await openStage({ env: { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_SPEED: String(SPEED) } });
  const { world } = stage;
  writeFileSync(world.path('picture.png'), Buffer.concat([png(8, 8), randomBytes(FILE_BYTES)]));
  const decks = new Map<string, Deck>();
  let isClear = false;
  const proxy = await openProxy({
    port: Number(new URL(world.telegram.apiRoot).port),
    speed: SPEED,
    mishapFor: (method) => {
      if (isClear) return { kind: 'none' };
      const deck = decks.get(method) ?? openDeck(method, wanted.share, SPOILT[method] ?? 0.15);
      decks.set(method, deck);
      return deck.next();
    },
  });
  world.env['TELEGRAM_API_ROOT'] = `http://127.0.0.1:${proxy.port}`;
  const leftOf = (method: string): number => decks.get(method)?.left ?? MISHAPS.length;
  const undealt = (): number => COUNTED.reduce((sum, method) => sum + leftOf(method), 0);
  const counted = (): number => proxy.exchanges.filter(({ method }) => COUNTED.includes(method)).length;
  try {
    const processes = [world.run('bot'), world.run('consumer')];
    await Promise.all([
      processes[0]?.logged('bot ready', {}, 60_000),
      processes[1]?.logged('consumer ready', {}, 60_000),
    ]);
    const persons = new Persons(stage, wanted.name);
    for (let round = 1; counted() < wanted.exchanges || (wanted.whole && undealt() > 0); round += 1) {
      persons.say(wanted.whole ? leftOf : undefined);
      await world.eventually(
        () => (persons.answer() <= 3 ? true : undefined),
        'room for one more request',
        120_000,
        () =>
          `${processes.map(({ stderr }) => stderr.slice(-3_000)).join('\n---\n')}\n${JSON.stringify(proxy.exchanges.slice(-12))}`,
      );
      if (round % 40 === 0) {
        await proxy.goDown();
        await pause(300);
        await proxy.goUp();
      }
      const ended = processes.find(({ child }) => child.exitCode !== null);
      if (ended !== undefined) throw new Error(`a process ended by itself: ${ended.stderr.slice(-2_000)}`);
    }
    isClear = true;
    await atRest(stage, 180_000);
    const exits = await Promise.all(processes.map((running) => running.kill('SIGTERM')));
    await proxy.settled();
    const faults = [
      ...exits.filter(({ code }) => code !== 0).map(({ code, signal }) => `a process ended with ${code ?? signal}`),
      ...lineFaults(proxy),
      ...joinFaults(stage, proxy.exchanges),
      ...fileFaults(stage, persons),
      ...secretFaults(stage),
      ...faultsOf({ ...witnessed(stage, true), calls: oncePerExchange(world.telegram.calls) }),
    ];
    return { exchanges: proxy.exchanges, faults, ends: endsOf(stage), undealt: undealt() };
  } finally {
    await stage.close();
    await proxy.close();
  }
}

const KINDS = ['text', 'text', 'long', 'picture', 'album', 'document', 'photo in', 'file in', 'album in'] as const;
/** By which request a method is called. */
const LEADS_TO = {
  sendPhoto: 'picture',
  sendDocument: 'document',
  sendMediaGroup: 'album',
  getFile: 'album in',
  download: 'file in',
} as const;
const WISHES: readonly (OrderVerb | null)[] = ['resend', 'resend', 'arrived', 'dismiss', 'rerun', null];

/** What people write, and which buttons they press: drawn by the seed. */
class Persons {
  /** What came along with each message, in its order. */
  readonly files = new Map<number, Buffer[]>();
  readonly #stage: Stage;
  readonly #draw: () => number;
  readonly #answered = new Set<number>();
  #open: number[] = [];

  constructor(stage: Stage, name: string) {
    this.#stage = stage;
    this.#draw = chance(`${name} persons`);
  }

  /** @param leftOf how many mishaps a method has still to meet: what leads to the one with the most is asked for every other time */
  say(leftOf?: (method: string) => number): void {
    const { telegram } = this.#stage.world;
    const kind = (this.#stage.asked.length % 2 === 1 ? mostLeft(leftOf) : undefined) ?? this.#one(KINDS);
    // All of one size: one that came in the place of another would not be noticed by its size.
    const bytes = (): Buffer => Buffer.concat([png(6, 6), randomBytes(FILE_BYTES)]);
    let messageIds: number[];
    if (kind === 'album in') {
      const mediaGroupId = String(this.#stage.asked.length + 1);
      const files = [bytes(), bytes()];
      messageIds = files.map(
        (photo, index) =>
          telegram.say({ photo, mediaGroupId, ...(index === 0 ? { caption: '/blog what is here' } : {}) }).message_id,
      );
      this.files.set(Math.min(...messageIds), files);
    } else if (kind === 'photo in' || kind === 'file in') {
      const file = bytes();
      const saying = { caption: `/blog ${kind}` };
      const { message_id: id } = telegram.say(
        kind === 'photo in' ? { photo: file, ...saying } : { document: file, ...saying },
      );
      messageIds = [id];
      this.files.set(id, [file]);
    } else {
      messageIds = [telegram.say({ text: `/blog ${kind}, please` }).message_id];
    }
    this.#stage.asked.push({ messageIds, lastUpdate: telegram.updatesWaiting.at(-1)?.update_id ?? 0 });
    this.#open.push(Math.min(...messageIds));
  }

  /** Presses what it wants under each notice that came; tells how many requests are not at their end. */
  answer(): number {
    const { world } = this.#stage;
    this.#open = this.#open.filter((id) => {
      const receipt = world.receipt(id);
      if (receipt === null || !isQuiet(receipt)) return true;
      return receipt.attention !== null && this.#press(receipt);
    });
    return this.#open.length;
  }

  /** False where nothing more is ordered about it. */
  #press({ notice }: Receipt): boolean {
    const messageId = notice?.messageId ?? null;
    if (messageId === null) return false;
    if (this.#answered.has(messageId)) return false;
    this.#answered.add(messageId);
    const wish = this.#one(WISHES);
    const { telegram } = this.#stage.world;
    const message = telegram.botMessages.find(({ id }) => id === messageId);
    const data = message?.buttons.flat().find(({ callback_data: told }) => told?.startsWith(`order:${wish}:`) === true);
    if (data?.callback_data === undefined) return false;
    telegram.press(messageId, data.callback_data);
    return true;
  }

  #one<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#draw() * choices.length)] as T;
  }
}

function mostLeft(leftOf: ((method: string) => number) | undefined): (typeof KINDS)[number] | undefined {
  if (leftOf === undefined) return undefined;
  const [first] = Object.entries(LEADS_TO).sort(([a], [b]) => leftOf(b) - leftOf(a));
  return first !== undefined && leftOf(first[0]) > 0 ? first[1] : undefined;
}

/** No stall is longer than the bridge's own limits let it be. */
function lineFaults({ exchanges }: SpoilingProxy): string[] {
  return exchanges
    .filter(({ hung, tookMs = 0 }) => hung || tookMs > LIMIT_MS / SPEED + SLACK_MS)
    .map(
      ({ number, method, mishap, tookMs }) =>
        `exchange ${number} ${method} ${JSON.stringify(mishap)}: took ${tookMs} ms`,
    );
}

/** The line and the server agree on what was accepted, exchange by exchange. */
function joinFaults({ world }: Stage, exchanges: readonly Exchange[]): string[] {
  const accepted = new Map<number, number>();
  for (const call of world.telegram.calls) {
    const number = exchangeOf(call);
    if (call.accepted) accepted.set(number, (accepted.get(number) ?? 0) + 1);
  }
  return exchanges.flatMap(({ number, method, mishap, answers }) => {
    const seen = accepted.get(number) ?? 0;
    const told = answers.filter(Boolean).length;
    // A poll is given up with its client; what it was given comes again.
    return method === 'getUpdates' || seen === told
      ? []
      : [
          `exchange ${number} ${method} ${JSON.stringify(mishap)}: ${told} acceptances on the line, ${seen} at the server`,
        ];
  });
}

function exchangeOf(call: SeenCall): number {
  return Number(call.params['exchange']);
}

/** What the line doubled is one act of the bridge. */
function oncePerExchange(calls: readonly SeenCall[]): SeenCall[] {
  const byExchange = new Map<number, SeenCall>();
  for (const call of calls) {
    const former = byExchange.get(exchangeOf(call));
    if (former === undefined || !former.accepted) byExchange.set(exchangeOf(call), { ...call });
    else if (call.accepted) former.messageIds = [...(former.messageIds ?? []), ...(call.messageIds ?? [])];
  }
  return [...byExchange.values()];
}

/** A file that came is the one that was sent, to its last byte; one that did not come is told as missing. */
function fileFaults({ world }: Stage, { files }: Persons): string[] {
  return [...files].flatMap(([id, sent]) => {
    const attachments = world.receipt(id)?.attachments ?? [];
    return attachments.flatMap(({ file, problem }, index) => {
      if (file === null) return problem === null ? [`request ${id}: file ${index + 1} is missing in silence`] : [];
      const path = world.path('state', 'files', String(id), file);
      const isSame = existsSync(path) && readFileSync(path).equals(sent[index] ?? Buffer.alloc(0));
      return isSame ? [] : [`request ${id}: file ${index + 1} is not the one that was sent`];
    });
  });
}

function secretFaults({ world }: Stage): string[] {
  const { token } = world.telegram;
  const tells = (text: string): boolean => text.includes(token) || text.includes(token.split(':')[1] ?? token);
  const logs = world.started
    .filter(({ stdout, stderr }) => tells(stdout + stderr))
    .map(() => 'the token stands in a log');
  const receipts = world
    .names('state')
    .filter((name) => name.endsWith('.json') && tells(readFileSync(world.path('state', name), 'utf8')))
    .map((name) => `the token stands in state/${name}`);
  return [...logs, ...receipts];
}

function endsOf({ world, asked }: Stage): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { messageIds } of asked) {
    const receipt = world.receipt(Math.min(...messageIds));
    const end = receipt?.attention ?? `${receipt?.state}${receipt?.error ? ` (${receipt.error.code})` : ''}`;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}
