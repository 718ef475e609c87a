/**
 * Owns a stand-in for Telegram's Bot API on the loopback interface: one bot, its chats, and the people in them.
 * Guarantees Telegram's rules as documented (https://core.telegram.org/bots/api), stricter where Telegram repairs silently.
 * Fails only when its port cannot be had; what a bot does wrong is answered as Telegram answers it.
 */
import { randomBytes } from 'node:crypto';
import type { Message, Update } from './bot-api.ts';
import { type Call, CallLog } from './calls.ts';
import { type FaultAction, type FaultHandle, type FaultMatch, Faults } from './faults.ts';
import type { FileFacts } from './files.ts';
import { closeTopic, openTopic, upgradeToSupergroup } from './group-events.ts';
import { edit, personOf, press, say, type Saying } from './person.ts';
import type { ChatMessage } from './chat-message.ts';
import type { MemberStatus, Room } from './room.ts';
import { listen } from './server.ts';
import { createWorld, type StandInOptions } from './world.ts';

export interface StandIn extends PersonSide, BotSide {
  /** Such as `http://127.0.0.1:1234`. */
  readonly apiRoot: string;
  readonly token: string;
  readonly botId: number;
  readonly chatId: number;
  /** Makes calls go wrong; says in each action whether they take effect all the same. */
  fault(match: FaultMatch, action: FaultAction): FaultHandle;
  /** Connections are refused until `goOnline`, which takes the same port again. */
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
  /** Whether the chat lets bots react. */
  reactionsAllowed: boolean;
  close(): Promise<void>;
}

/** Where no chat is named, the stand-in's own chat is meant. */
interface PersonSide {
  /** The message as it was put; the bot gets it as an update. */
  say(saying: string | Saying): Message;
  edit(messageId: number, text: string, chatId?: number): Message;
  /** The person deletes a message; no update tells the bot. */
  deleteMessage(messageId: number, chatId?: number): void;
  /** The id of the callback query. */
  press(
    messageId: number,
    data: string,
    from?: Saying['from'],
    options?: { chatId?: number; isInaccessible?: boolean },
  ): string;
  /** The id of the topic. */
  openTopic(name: string, chatId?: number): number;
  closeTopic(topicId: number, chatId?: number): void;
  deleteTopic(topicId: number, chatId?: number): void;
  setMember(user: NonNullable<Saying['from']>, status: MemberStatus, chatId?: number): void;
  upgradeToSupergroup(supergroupId: number, chatId?: number): void;
  /** The `file_id`. */
  addFile(bytes: Uint8Array | string, facts?: FileFacts): string;
  /** A raw update; its id is given unless it stands in `update_id`. */
  push(update: Record<string, unknown>): Update;
  /** The same update under a new `update_id`. */
  redeliver(updateId: number): Update;
  /** This update and all after it once more under their own ids, whatever offset the bot asks for next. */
  rewind(updateId: number): void;
}

interface BotSide {
  /** All calls of the bot in order of arrival. */
  readonly calls: readonly Call[];
  /** Those that took effect, also if a fault then spoilt the answer. */
  accepted(method: string): Call[];
  /** All messages of the chat by id, of people and bot. */
  readonly messages: ChatMessage[];
  messagesOf(chatId: number): ChatMessage[];
  /** The messages that the bot has put into the chat. */
  readonly botMessages: ChatMessage[];
  /** The first truthy value of `probe`, asked now and after each change. */
  waitFor<T>(probe: (standIn: StandIn) => T, timeoutMs?: number): Promise<T>;
  /** Calls `listener` after each change; the function it gives ends that. */
  onChange(listener: () => void): () => void;
  /** The highest offset that getUpdates has asked for; undefined before the first. */
  readonly confirmedOffset: number | undefined;
  /** Updates that the bot has not confirmed. */
  readonly updatesWaiting: Update[];
  /** Whether a getUpdates call waits now. */
  readonly isPolled: boolean;
  /** The commands of the default scope, as set. */
  readonly commands: unknown[];
  /** What Telegram dropped without telling the bot. */
  readonly warnings: readonly string[];
}

export async function openStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const botId = options.botId ?? Number(options.token?.split(':')[0] ?? 110_201_543);
  const token = options.token ?? `${botId}:STAND-IN_${randomBytes(13).toString('hex')}`;
  const world = createWorld(options, botId);
  const log = new CallLog();
  const faults = new Faults();
  const server = await listen({ world, log, faults, token }, options.port ?? 0);
  const room = (chatId?: number): Room => {
    const found = chatId === undefined ? world.home : world.rooms.get(chatId);
    if (found === undefined) throw new Error(`no chat ${chatId}`);
    return found;
  };
  const told = <T>(value: T): T => {
    log.changed();
    return value;
  };

  const standIn: StandIn = {
    apiRoot: `http://127.0.0.1:${server.port}`,
    token,
    botId,
    chatId: world.home.chat.id,

    say: (saying) => told(structuredClone(say(world, saying))),
    edit: (messageId, text, chatId) => told(structuredClone(edit(world, room(chatId), messageId, text))),
    deleteMessage: (messageId, chatId) => told(room(chatId).deleteMessage(messageId)),
    press: (messageId, data, from, { chatId, isInaccessible = false } = {}) =>
      told(press(world, room(chatId), messageId, data, { from, isInaccessible })),
    openTopic: (name, chatId) => told(openTopic(world, room(chatId), name)),
    closeTopic: (topicId, chatId) => told(closeTopic(world, room(chatId), topicId)),
    deleteTopic: (topicId, chatId) => told(room(chatId).deleteTopic(topicId)),
    setMember: (user, status, chatId) => told(room(chatId).join(personOf(world, user), status)),
    upgradeToSupergroup: (supergroupId, chatId) => told(upgradeToSupergroup(world, room(chatId), supergroupId)),
    addFile: (bytes, facts) =>
      world.files.add(typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes), facts).id,
    push: ({ update_id: id, ...fields }) => told(world.updates.push(fields, typeof id === 'number' ? id : undefined)),
    redeliver: (updateId) => told(world.updates.redeliver(updateId)),
    rewind: (updateId) => told(world.updates.rewind(updateId)),

    calls: log.calls,
    accepted: (method) => log.calls.filter((call) => call.accepted && call.method === method),
    get messages() {
      return world.home.list();
    },
    messagesOf: (chatId) => room(chatId).list(),
    get botMessages() {
      return world.home.list().filter(({ fromBot }) => fromBot);
    },
    waitFor: (probe, timeoutMs = 45_000) => log.waitFor(() => probe(standIn), timeoutMs),
    onChange: (listener) => log.onChange(listener),
    get confirmedOffset() {
      return world.updates.confirmedOffset;
    },
    get updatesWaiting() {
      return world.updates.waiting;
    },
    get isPolled() {
      return world.updates.isPolled;
    },
    get commands() {
      return world.commands.get('default  ') ?? [];
    },
    warnings: world.warnings,

    fault: (match, action) => faults.add(match, action),
    get reactionsAllowed() {
      return world.reactionsAllowed;
    },
    set reactionsAllowed(allowed) {
      world.reactionsAllowed = allowed;
    },
    goOffline: () => server.goOffline(),
    goOnline: () => server.goOnline(),
    close: () => server.goOffline(),
  };
  return standIn;
}
