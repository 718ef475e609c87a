/** All that Telegram knows about the bot and its chats. */
import type { Chat, CallbackQuery, User } from './bot-api.ts';
import { createFiles, type Files } from './files.ts';
import { badRequest, Refusal } from './refusal.ts';
import { Room } from './room.ts';
import { UpdateQueue } from './updates.ts';

export interface StandInOptions {
  /** A free one by default. */
  port?: number;
  token?: string;
  botId?: number;
  botUsername?: string;
  /** The chat that the person's side and `messages` mean; the owner's private chat by default. */
  chat?: Partial<Chat>;
  /** The person who speaks unless another is named. */
  owner?: Partial<User>;
  firstMessageId?: number;
  firstUpdateId?: number;
  /** False: every reaction is refused, as in groups that forbid them. */
  reactionsAllowed?: boolean;
  /** True: privacy mode is off. It shows in getMe; in groups, the stand-in gives the bot every message anyway. */
  readsAllMessages?: boolean;
  /** The clock for dates, in seconds. */
  now?: () => number;
}

export interface World {
  bot: User;
  owner: User;
  home: Room;
  rooms: Map<number, Room>;
  files: Files;
  updates: UpdateQueue;
  callbacks: Map<string, { query: CallbackQuery; answered: boolean }>;
  commands: Map<string, unknown[]>;
  webhookUrl: string;
  reactionsAllowed: boolean;
  readsAllMessages: boolean;
  /** What Telegram dropped without a word to the bot. */
  warnings: string[];
  now: () => number;
  addRoom(chat: Chat): Room;
}

export function createWorld(options: StandInOptions, botId: number): World {
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const owner: User = { id: 7001, is_bot: false, first_name: 'Owner', language_code: 'ko', ...options.owner };
  const username = options.botUsername ?? 'blog_bridge_bot';
  const bot: User = { id: botId, is_bot: true, first_name: 'Blog Bridge', username };
  const rooms = new Map<number, Room>();
  const addRoom = (chat: Chat): Room => {
    const room = new Room(chat, options.firstMessageId ?? 1, now);
    room.join(bot, 'member');
    rooms.set(chat.id, room);
    return room;
  };
  const home = addRoom(fullChat(options.chat ?? {}, owner));
  home.join(owner, home.chat.type === 'private' ? 'member' : 'creator');
  return {
    bot,
    owner,
    home,
    rooms,
    addRoom,
    now,
    files: createFiles(),
    updates: new UpdateQueue(options.firstUpdateId ?? 860_000_001),
    callbacks: new Map(),
    commands: new Map(),
    webhookUrl: '',
    reactionsAllowed: options.reactionsAllowed ?? true,
    readsAllMessages: options.readsAllMessages ?? false,
    warnings: [],
  };
}

/** A chat object with all that Telegram gives for its type; a negative id is a supergroup unless it says otherwise. */
export function fullChat(chat: Partial<Chat>, person: User): Chat {
  const id = chat.id ?? person.id;
  if (id < 0) return { id, type: 'supergroup', title: 'Blog desk', ...chat };
  const { first_name, username } = person;
  return { id, type: 'private', first_name, ...(username === undefined ? {} : { username }), ...chat };
}

/** The chat that a call names. */
export function findRoom(world: World, chatId: unknown): Room {
  if (chatId === undefined || chatId === '') throw badRequest('chat_id is empty');
  const room = typeof chatId === 'number' ? world.rooms.get(chatId) : undefined;
  if (room === undefined) throw badRequest('chat not found');
  if (room.upgradedTo !== undefined) {
    const parameters = { migrate_to_chat_id: room.upgradedTo };
    throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', parameters);
  }
  return room;
}
