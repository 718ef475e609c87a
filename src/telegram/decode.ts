/** Telegram's update (Bot API, `Update`) → what the bridge acts on. Pure; throws on what it cannot digest. */
import type { Message, MessageEntity, Update } from 'grammy/types';
import type { IncomingMessage } from '../core/admission.ts';
import type { Attachment } from '../core/request.ts';

export type Incoming =
  | { kind: 'message'; message: IncomingMessage }
  | { kind: 'edited'; message: IncomingMessage }
  | {
      kind: 'press';
      callbackId: string;
      chatId: number | null;
      messageId: number | null;
      /** What stands over the button; null where Telegram does not say any more. */
      messageText: string | null;
      threadId: number | null;
      from: Person;
      data: string;
    }
  /** The group became a supergroup and has a new id (Bot API, `migrate_to_chat_id`). */
  | { kind: 'migrated'; chatId: number; toChatId: number }
  | { kind: 'other'; what: string };

interface Person {
  id: number;
  name: string;
  language: string | null;
}

/** Entities under which a line that looks like a command is quoted text. */
const LITERAL_ENTITIES = new Set(['code', 'pre', 'url', 'text_link']);

/** Contents that are no message of a person: they open, pin, join or leave something. */
const NO_CONTENT = [
  'contact',
  'poll',
  'location',
  'venue',
  'dice',
  'game',
  'story',
  'paid_media',
  'invoice',
  'checklist',
] as const;

/** @throws TypeError where a field that Telegram always sends is missing or of another type */
export function decodeUpdate(update: Update, botId: number): Incoming {
  if (update.message !== undefined) return decodeNew(update.message, botId);
  if (update.edited_message !== undefined)
    return { kind: 'edited', message: decodeMessage(update.edited_message, botId) };
  if (update.callback_query !== undefined) {
    const { id, from, message, data } = update.callback_query;
    return {
      kind: 'press',
      callbackId: text(id, 'callback_query.id'),
      chatId: message === undefined ? null : integer(message.chat.id, 'callback_query.message.chat.id'),
      messageId: message === undefined ? null : integer(message.message_id, 'callback_query.message.message_id'),
      messageText:
        message !== undefined && 'text' in message ? textOrNull(message.text, 'callback_query.message.text') : null,
      threadId: message === undefined ? null : topicOf(message),
      from: person(from),
      data: optionalText(data, 'callback_query.data'),
    };
  }
  const what = Object.keys(update).find((key) => key !== 'update_id');
  return { kind: 'other', what: what ?? 'an empty update' };
}

function decodeNew(message: Message, botId: number): Incoming {
  if (message.migrate_to_chat_id !== undefined) {
    return {
      kind: 'migrated',
      chatId: integer(message.chat.id, 'message.chat.id'),
      toChatId: integer(message.migrate_to_chat_id, 'message.migrate_to_chat_id'),
    };
  }
  const decoded = decodeMessage(message, botId);
  const hasContent = decoded.text !== '' || decoded.attachments.length > 0 || decoded.unsupported !== null;
  return hasContent ? { kind: 'message', message: decoded } : { kind: 'other', what: 'a service message' };
}

function topicOf(message: { is_topic_message?: boolean; message_thread_id?: number }): number | null {
  const inTopic = message.is_topic_message === true && message.message_thread_id !== undefined;
  return inTopic ? integer(message.message_thread_id, 'message.message_thread_id') : null;
}

function decodeMessage(message: Message, botId: number): IncomingMessage {
  const body = optionalText(message.text ?? message.caption, 'message.text');
  return {
    chatId: integer(message.chat.id, 'message.chat.id'),
    isPrivate: message.chat.type === 'private',
    messageId: positive(message.message_id, 'message.message_id'),
    threadId: topicOf(message),
    from:
      message.from === undefined ? null : { ...person(message.from), isBot: flag(message.from.is_bot, 'from.is_bot') },
    onBehalfOfChat: message.sender_chat !== undefined,
    isForwarded: message.forward_origin !== undefined || 'forward_date' in message,
    text: body,
    command: commandOf(body, message.entities ?? message.caption_entities),
    replyTo: replyTargetOf(message, botId),
    attachments: attachmentsOf(message),
    mediaGroupId: textOrNull(message.media_group_id, 'message.media_group_id'),
    unsupported: NO_CONTENT.find((kind) => kind in message) ?? null,
    date: seconds(message.date, 'message.date'),
  };
}

/**
 * A command stands at the very start, in a text and in a caption alike, and is none inside code or a link. Telegram marks it
 * by an entity; the pattern is the same where a client left the entities out.
 */
function commandOf(body: string, entities: MessageEntity[] | undefined): IncomingMessage['command'] {
  const match = /^\/([A-Za-z0-9_]{1,64})(?:@([A-Za-z0-9_]+))?/u.exec(body);
  if (match === null) return null;
  const [whole, name = '', mention = null] = match;
  if (entities?.some((entity) => entity.offset === 0 && LITERAL_ENTITIES.has(entity.type)) === true) return null;
  return { name: name.toLowerCase(), mention, rest: body.slice(whole.length) };
}

/** In a forum every plain message "replies" to the creation of its topic: that is no reply of a person. */
function replyTargetOf(message: Message, botId: number): IncomingMessage['replyTo'] {
  const target = message.reply_to_message;
  if (target === undefined || target.forum_topic_created !== undefined) return null;
  if (message.is_topic_message === true && target.message_id === message.message_thread_id) return null;
  return {
    messageId: integer(target.message_id, 'reply_to_message.message_id'),
    fromThisBot: target.from?.id === botId,
    text: optionalText(message.quote?.text ?? target.text ?? target.caption, 'reply_to_message.text'),
    attachments: attachmentsOf(target),
  };
}

function attachmentsOf(message: Message): Attachment[] {
  const photo = message.photo?.at(-1);
  if (photo !== undefined) return [attachment('photo', { ...photo, mime_type: 'image/jpeg' })];
  // An animation is announced as a document too; it is one file.
  if (message.animation !== undefined) return [attachment('animation', message.animation)];
  if (message.document !== undefined) return [attachment('document', message.document)];
  if (message.video !== undefined) return [attachment('video', message.video)];
  if (message.audio !== undefined) return [attachment('audio', message.audio)];
  if (message.voice !== undefined) return [attachment('voice', message.voice)];
  if (message.video_note !== undefined)
    return [attachment('video_note', { ...message.video_note, mime_type: 'video/mp4' })];
  if (message.sticker !== undefined) return [attachment('sticker', message.sticker)];
  return [];
}

function attachment(
  kind: Attachment['kind'],
  file: { file_id: string; file_unique_id: string; file_size?: number; file_name?: string; mime_type?: string },
): Attachment {
  return {
    kind,
    fileId: text(file.file_id, `${kind}.file_id`),
    uniqueId: text(file.file_unique_id, `${kind}.file_unique_id`),
    name: textOrNull(file.file_name, `${kind}.file_name`),
    mime: textOrNull(file.mime_type, `${kind}.mime_type`),
    bytes: file.file_size === undefined ? null : integer(file.file_size, `${kind}.file_size`),
  };
}

function person(user: { id: number; first_name: string; last_name?: string; language_code?: string }): Person {
  const words = [optionalText(user.first_name, 'from.first_name'), optionalText(user.last_name, 'from.last_name')];
  const language = textOrNull(user.language_code, 'from.language_code');
  return { id: integer(user.id, 'from.id'), name: words.filter((word) => word !== '').join(' '), language };
}

function integer(value: unknown, field: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new TypeError(`${field}: expected an integer, found ${typeof value}`);
}

function positive(value: unknown, field: string): number {
  const number = integer(value, field);
  if (number > 0) return number;
  throw new TypeError(`${field}: expected a positive integer, found another`);
}

/** An instant that can be written down: what is gathered first and read later must not fail then. */
function seconds(value: unknown, field: string): number {
  const number = integer(value, field);
  if (!Number.isNaN(new Date(number * 1000).getTime())) return number;
  throw new TypeError(`${field}: expected an instant, found none`);
}

function flag(value: unknown, field: string): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${field}: expected true or false, found ${typeof value}`);
}

function text(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${field}: expected a text, found ${typeof value}`);
}

function textOrNull(value: unknown, field: string): string | null {
  return value === undefined ? null : text(value, field);
}

function optionalText(value: unknown, field: string): string {
  return value === undefined ? '' : text(value, field);
}
