/** The person's side: what people write, edit, press and send in the chats of the bot. */
import { type Chat, defined, type Message, type MessageEntity, type User } from './bot-api.ts';
import { ANY_SIZE, documentOf, type FileFacts, fileObject, photoOf, type StoredFile } from './files.ts';
import { imageSize } from './image-size.ts';
import type { Entry } from './chat-message.ts';
import type { NewMessage, Room } from './room.ts';
import { fullChat, type World } from './world.ts';

/** The id of a file that `addFile` gave, its bytes, or true for any. */
type FileLike = string | Buffer | true;

export interface Saying {
  text?: string;
  caption?: string;
  photo?: FileLike;
  document?: FileLike;
  voice?: FileLike;
  sticker?: FileLike;
  /** The owner by default; an id alone makes a user of that id. */
  from?: number | (Partial<User> & { id: number });
  /** The stand-in's own chat by default; a new one is made known to the bot. */
  chat?: number | (Partial<Chat> & { id: number });
  replyTo?: number;
  threadId?: number;
  /** Told by the topic or the answered message unless given. */
  isTopicMessage?: boolean;
  mediaGroupId?: string;
  forwardOrigin?: Record<string, unknown>;
  /** Of the text or the caption; commands are found as Telegram finds them unless given. */
  entities?: MessageEntity[];
  /** In seconds. */
  date?: number;
  messageId?: number;
  /** Merged into the message as it is. */
  raw?: Record<string, unknown>;
}

export function say(world: World, saying: string | Saying): Message {
  const said = typeof saying === 'string' ? { text: saying } : saying;
  const from = personOf(world, said.from);
  const room = roomOf(world, said.chat, from);
  const message = room.put(contentOf(world, room, said, from), false);
  if (said.isTopicMessage === false) delete message.is_topic_message;
  else if (said.isTopicMessage === true) message.is_topic_message = true;
  Object.assign(message, said.raw);
  world.updates.push({ message: structuredClone(message) });
  return message;
}

export function edit(world: World, room: Room, messageId: number, text: string): Message {
  const entry = existing(room, messageId);
  const { message } = entry;
  entry.edits.push(message.text ?? message.caption ?? '');
  const commands = botCommands(text);
  if (message.text === undefined) Object.assign(message, { caption: text, caption_entities: commands });
  else Object.assign(message, { text, entities: commands });
  if (commands.length === 0) {
    delete message.entities;
    delete message.caption_entities;
  }
  message.edit_date = world.now();
  world.updates.push({ edited_message: structuredClone(message) });
  return message;
}

/** Presses a button; a message too old for Telegram comes along with its id only. Gives the id of the callback query. */
export function press(
  world: World,
  room: Room,
  messageId: number,
  data: string,
  { from, isInaccessible = false }: { from?: Saying['from']; isInaccessible?: boolean },
): string {
  const message = isInaccessible
    ? { chat: room.chat, message_id: messageId, date: 0 as const }
    : structuredClone(existing(room, messageId).message);
  // Telegram never gives an id twice, so neither do two stand-ins over one home, one after the other.
  const id = `${BigInt(world.now()) * 1_000_000_000n + BigInt(world.callbacks.size + 1)}`;
  const query = { id, from: personOf(world, from), message, chat_instance: '-4100000000000000001', data };
  world.callbacks.set(id, { query, answered: false });
  world.updates.push({ callback_query: query });
  return id;
}

/** Commands as Telegram marks them: `/name` or `/name@bot`, not inside a word or a path. */
function botCommands(text: string): MessageEntity[] {
  const command = /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>])/gu;
  return [...text.matchAll(command)].map(({ index, 0: { length } }) => ({
    type: 'bot_command',
    offset: index,
    length,
  }));
}

function contentOf(world: World, room: Room, said: Saying, from: User): NewMessage {
  const { text, caption } = said;
  const entities = said.entities ?? botCommands(text ?? caption ?? '');
  const marked = entities.length === 0 ? undefined : entities;
  return defined<NewMessage>({
    message_id: said.messageId,
    date: said.date,
    from,
    replyTo: said.replyTo === undefined ? undefined : existing(room, said.replyTo),
    message_thread_id: said.threadId,
    media_group_id: said.mediaGroupId,
    forward_origin: said.forwardOrigin,
    text,
    entities: text === undefined ? undefined : marked,
    caption,
    caption_entities: text === undefined && caption !== undefined ? marked : undefined,
    ...mediaOf(world, said),
  });
}

function mediaOf(world: World, { photo, document, voice, sticker }: Saying): Partial<Message> {
  const stored = (file: FileLike, facts?: FileFacts): StoredFile => storedFile(world, file, facts);
  return {
    ...(photo === undefined ? {} : { photo: photoOf(world.files, stored(photo, ANY_SIZE)) }),
    ...(document === undefined ? {} : { document: documentOf(stored(document)) }),
    ...(voice === undefined ? {} : { voice: { ...fileObject(stored(voice)), duration: 3, mime_type: 'audio/ogg' } }),
    ...(sticker === undefined ? {} : { sticker: { ...fileObject(stored(sticker)), ...STICKER } }),
  };
}

const STICKER = {
  type: 'regular' as const,
  width: 512,
  height: 512,
  is_animated: false,
  is_video: false,
  emoji: '👍',
};

function storedFile(world: World, file: FileLike, facts?: FileFacts): StoredFile {
  if (file === true) return world.files.add(Buffer.from(`file ${world.files.count}`), facts);
  if (typeof file !== 'string') return world.files.add(file, { ...facts, ...imageSize(file) });
  const stored = world.files.get(file);
  if (stored === undefined) throw new Error(`no file ${file}; addFile gives ids`);
  return stored;
}

export function personOf({ owner }: World, from: Saying['from']): User {
  if (from === undefined) return owner;
  const given = typeof from === 'number' ? { id: from } : from;
  if (given.id === owner.id) return { ...owner, ...given };
  return { is_bot: false, first_name: `Person ${given.id}`, ...given };
}

function roomOf(world: World, chat: Saying['chat'], from: User): Room {
  if (chat === undefined) return world.home;
  const given = typeof chat === 'number' ? { id: chat } : chat;
  return world.rooms.get(given.id) ?? world.addRoom(fullChat(given, from));
}

function existing(room: Room, messageId: number): Entry {
  const entry = room.find(messageId);
  if (entry === undefined) throw new Error(`no message ${messageId} in chat ${room.chat.id}`);
  return entry;
}
