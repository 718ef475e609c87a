/** One simulated history: a home on the real disk, a chat, the two processes as they come and go, and the story of it all. */
import { cpSync, existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Consumer } from '../../src/bridge/consumer.ts';
import type { Order, OrderOutcome } from '../../src/core/order.ts';
import type { OrderVerb, Receipt } from '../../src/core/receipt.ts';
import type { Request } from '../../src/core/request.ts';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { jsonText } from '../../src/platform/json-file.ts';
import type { Log } from '../../src/platform/log.ts';
import { type Around, type Bot, openBot, openConsumer } from './bridge.ts';
import { Chat, type Fate } from './chat.ts';
import { scriptedAgent } from './scripted-agent.ts';
import { onPublished, rawDisk } from './simulated-disk.ts';
import { Died, type DiskFault, type ProcessName, SimulatedProcess } from './simulated-process.ts';
import { SimulatedTime, livesIn } from './simulated-time.ts';
import { type Rest, type Story, openStory } from './story.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** In memory where the system has such a folder: nothing here outlives a power cut anyway. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const SECONDS = 1_000;

export class World {
  readonly folders;
  readonly time = new SimulatedTime();
  readonly chat: Chat;
  readonly story: Story;
  /** What becomes of the next sends of parts and notices; accepted once these are used up. */
  fates: Fate[] = [];
  bot: (Bot & { process: SimulatedProcess }) | null = null;
  consumer: { process: SimulatedProcess; consumer: Consumer } | null = null;
  readonly #around: Around;
  readonly #unlisten: () => void;
  readonly #scratch: string;
  #isOver = false;
  #given = 0;

  /** @param template a home to begin with, which is copied */
  constructor(mutate: Around['mutate'] = (stores) => stores, template?: string) {
    this.#scratch = realpathSync(mkdtempSync(join(SCRATCH, 'bridge-model-')));
    this.folders = homeFolders(join(this.#scratch, 'home'));
    if (template !== undefined) cpSync(template, this.folders.root, { recursive: true });
    else {
      rawDisk.mkdirSync(this.folders.root);
      makeHomeFolders(this.folders);
      rawDisk.mkdirSync(this.folders.work);
    }
    this.chat = new Chat({ receiptOf: (id) => this.receiptOf(id), nextFate: () => this.fates.shift() ?? 'accepted' });
    this.story = openStory(this.chat.sends);
    const { runs } = this.story;
    this.#around = {
      folders: this.folders,
      now: () => this.time.iso(),
      sender: this.chat.sender(),
      agent: scriptedAgent({ runs, receiptOf: (id) => this.receiptOf(id), at: () => this.time.iso() }),
      log: SILENT,
      isConsumerAlive: () => this.consumer !== null,
      mutate,
    };
    this.#unlisten = onPublished((path) => this.#published(path));
  }

  close(): void {
    this.#unlisten();
    this.#isOver = true;
    for (const one of [this.bot, this.consumer]) one?.process.kill();
    rawDisk.rmSync(this.#scratch, { recursive: true, force: true });
  }

  receiptOf(id: string): { receipt: Receipt | null; version: number } {
    const versions = this.story.receipts.get(id) ?? [];
    const version = versions.at(-1);
    return { receipt: version === undefined || version === 'damaged' ? null : version, version: versions.length };
  }

  start(name: ProcessName): void {
    if (this[name] !== null) return;
    const process = new SimulatedProcess(name, () => this.#died(process));
    livesIn(process, this.time);
    if (name === 'bot') this.#startBot(process);
    else this.#startConsumer(process);
  }

  kill(name: ProcessName): void {
    this[name]?.process.kill();
  }

  /** SIGTERM. */
  async stop(name: ProcessName): Promise<void> {
    const process = this[name]?.process;
    if (process === undefined) return;
    process.run(() => process.ending.abort());
    await this.time.pass(30 * SECONDS, () => this[name]?.process !== process);
    if (this[name]?.process === process && name === 'bot') this.bot = null;
  }

  killAfter(name: ProcessName, steps: number): void {
    const process = this[name]?.process;
    if (process !== undefined) process.stepsToLive = steps;
  }

  diskFails(name: ProcessName, fault: DiskFault): void {
    const process = this[name]?.process;
    if (process !== undefined) process.diskFault = { ...fault };
  }

  /** The bot polls once, as `telegram/poller` does: what it dealt with is confirmed, then groups may be sealed. */
  async poll(): Promise<void> {
    const { bot } = this;
    if (bot === null) return;
    const next = bot.gathering.nextPoll();
    if (next !== null) await this.time.pass(next.delayMs + next.seconds * SECONDS);
    const askedAtMs = this.time.nowMs;
    await this.time.pass(1);
    const updates = [...this.chat.waiting];
    const handled = await this.#within(bot.process, () => bot.intake.handle(updates));
    if (handled === undefined) return;
    this.#confirm(handled);
    if (handled === updates.length) await this.#within(bot.process, () => bot.intake.polled(askedAtMs));
  }

  async pass(ms: number): Promise<void> {
    this.consumer?.process.run(() => this.consumer?.consumer.wake());
    await this.time.pass(ms);
  }

  /** As the command line does; `isStale`: about a receipt that has moved on since. */
  order(verb: OrderVerb, requestId: string, isStale: boolean): void {
    const { receipt } = this.receiptOf(requestId);
    this.#given += 1;
    const order: Order = {
      version: 1,
      id: `x${this.#given}`,
      verb,
      requestId,
      run: receipt?.run ?? 0,
      historyLength: (receipt?.history.length ?? 0) + (isStale ? 1 : 0),
      by: { name: 'Owner' },
      at: this.time.iso(),
    };
    rawDisk.writeFileSync(join(this.folders.orders, `${order.id}.json`), jsonText(order));
    this.story.orders.push(order);
  }

  /** A hand writes into a file. */
  damage(folder: string, name: string, content: string): boolean {
    const path = join(folder, name);
    if (!rawDisk.existsSync(path)) return false;
    rawDisk.rmSync(path);
    rawDisk.writeFileSync(path, content);
    if (folder === this.folders.state) this.story.receipts.get(basename(name, '.json'))?.push('damaged');
    return true;
  }

  /** Everything works from now on, and time goes by until nothing happens any more. */
  async comeToRest(): Promise<Rest> {
    this.fates = [];
    // A fault that was armed and never reached must not strike now.
    for (const one of [this.bot, this.consumer]) {
      if (one === null) continue;
      one.process.stepsToLive = Number.POSITIVE_INFINITY;
      one.process.diskFault = null;
    }
    // What a hand did to a settled request is seen at the next start.
    if (this.story.damaged.size > 0) await this.stop('consumer');
    for (let round = 0; round < 60; round += 1) {
      this.start('bot');
      this.start('consumer');
      await this.poll();
      await this.pass(round < 10 ? 10 * SECONDS : 90 * SECONDS);
      if (round > 1 && this.#isQuiet()) break;
    }
    return this.rest();
  }

  rest(): Rest {
    const ids = (folder: string): string[] =>
      rawDisk.readdirSync(folder).flatMap((name) => /^([^.]+)\.json$/u.exec(name)?.[1] ?? []);
    const outcomes = new Map<string, OrderOutcome | null>(
      ids(this.folders.takenOrders).map((id) => [
        id,
        this.#json<{ outcome: OrderOutcome | null }>(this.folders.takenOrders, id)?.outcome ?? null,
      ]),
    );
    return {
      requestIds: ids(this.folders.requests),
      receiptIds: ids(this.folders.state),
      pendingIds: ids(this.folders.pending),
      openOrders: ids(this.folders.orders),
      partIds: ids(this.folders.parts),
      outcomes,
    };
  }

  #isQuiet(): boolean {
    const { pendingIds, openOrders, partIds } = this.rest();
    const isParked = (id: string): boolean => {
      if (this.story.fromTheFuture.has(id)) return true;
      const { receipt } = this.receiptOf(id);
      return receipt?.attention != null && (receipt.notice?.state === 'sent' || receipt.notice?.state === 'unknown');
    };
    return (
      this.chat.waiting.length === 0 && openOrders.length === 0 && partIds.length === 0 && pendingIds.every(isParked)
    );
  }

  #startBot(process: SimulatedProcess): void {
    try {
      this.bot = { ...process.run(() => openBot(this.#around, process)), process };
    } catch (error) {
      this.#ended(process, error);
    }
  }

  #startConsumer(process: SimulatedProcess): void {
    const consumer = process.run(() => openConsumer(this.#around, process));
    this.consumer = { process, consumer };
    process
      .run(() => consumer.run())
      .catch((error: unknown) => this.#ended(process, error))
      .finally(() => {
        if (this.consumer?.process === process) this.consumer = null;
        process.kill();
      });
  }

  /** Undefined where the process did not live to its end. */
  async #within<T>(process: SimulatedProcess, work: () => Promise<T>): Promise<T | undefined> {
    let result: T | undefined;
    let isOver = false;
    const running = async (): Promise<void> => {
      try {
        result = await process.run(work);
      } catch (error) {
        this.#ended(process, error);
      }
      isOver = true;
    };
    void running();
    await this.time.pass(3_600 * SECONDS, () => isOver || process.isDead);
    return process.isDead ? undefined : result;
  }

  #ended(process: SimulatedProcess, error: unknown): void {
    if (process.isDead || error instanceof Died) return;
    this.story.surprises.push(
      `${process.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    process.kill();
  }

  #died(process: SimulatedProcess): void {
    this.time.forget(process);
    if (!process.ending.signal.aborted && !this.#isOver) this.story.deaths += 1;
    if (this.bot?.process === process) this.bot = null;
    if (this.consumer?.process === process) this.consumer = null;
  }

  #confirm(count: number): void {
    // Generated input may stand there, `null` for one.
    const updates: readonly ({ message?: { message_id: number } | null } | null)[] = this.chat.waiting;
    for (const update of updates.slice(0, count)) {
      const message = update?.message ?? null;
      if (message !== null && this.#isOwed(message.message_id) && !this.#isStored(message.message_id))
        this.story.confirmedTooEarly.push(message.message_id);
    }
    this.chat.confirm(count);
  }

  #isOwed(messageId: number): boolean {
    return this.story.said.some(
      ({ is, messageIds }) => (is === 'order' || is === 'group') && messageIds.includes(messageId),
    );
  }

  #isStored(messageId: number): boolean {
    const name = `${messageId}.json`;
    return [this.folders.requests, this.folders.parts, this.folders.members].some((folder) =>
      rawDisk.existsSync(join(folder, name)),
    );
  }

  #published(path: string): void {
    const folder = dirname(path);
    const id = basename(path, '.json');
    if (folder === this.folders.requests) add(this.story.requests, id, this.#json<Request>(folder, id));
    if (folder === this.folders.state && /^\d+$/u.test(id))
      add(this.story.receipts, id, this.#json<Receipt>(folder, id));
    if (folder === this.folders.orders) {
      const order = this.#json<Order>(folder, id);
      // Delivered again, its cause gives the same order once more: the first one counts.
      if (order !== null && !this.story.orders.some(({ id: known }) => known === order.id))
        this.story.orders.push(order);
    }
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the file holds is for the caller to say
  #json<T>(folder: string, id: string): T | null {
    try {
      return JSON.parse(rawDisk.readFileSync(join(folder, `${id}.json`), 'utf8')) as T;
    } catch {
      return null;
    }
  }
}

function add<T>(map: Map<string, T[]>, id: string, value: T | null): void {
  if (value === null) return;
  const former = map.get(id);
  if (former === undefined) map.set(id, [value]);
  else former.push(value);
}
