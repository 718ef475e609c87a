/** The objects of Telegram's Bot API that the stand-in gives and takes (https://core.telegram.org/bots/api#available-types). */

export interface User {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string;
  username?: string;
  language_code?: string;
}

export interface Chat {
  id: number;
  type: 'private' | 'group' | 'supergroup' | 'channel';
  title?: string;
  username?: string;
  first_name?: string;
  last_name?: string;
  is_forum?: true;
}

export interface MessageEntity {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  user?: User;
  custom_emoji_id?: string;
}

interface FileObject {
  file_id: string;
  file_unique_id: string;
  file_size?: number;
}

export interface PhotoSize extends FileObject {
  width: number;
  height: number;
}

export interface Document extends FileObject {
  file_name?: string;
  mime_type?: string;
}

interface Voice extends FileObject {
  duration: number;
  mime_type?: string;
}

interface Sticker extends FileObject {
  type: 'regular';
  width: number;
  height: number;
  is_animated: boolean;
  is_video: boolean;
  emoji?: string;
}

export interface Button {
  text: string;
  callback_data?: string;
  url?: string;
}

export interface InlineKeyboardMarkup {
  inline_keyboard: Button[][];
}

export interface Message {
  message_id: number;
  date: number;
  chat: Chat;
  from?: User;
  message_thread_id?: number;
  is_topic_message?: true;
  reply_to_message?: Message;
  quote?: { text: string; position: number; is_manual?: true };
  forward_origin?: Record<string, unknown>;
  media_group_id?: string;
  edit_date?: number;
  text?: string;
  entities?: MessageEntity[];
  caption?: string;
  caption_entities?: MessageEntity[];
  photo?: PhotoSize[];
  document?: Document;
  voice?: Voice;
  sticker?: Sticker;
  reply_markup?: InlineKeyboardMarkup;
  forum_topic_created?: { name: string; icon_color: number };
  forum_topic_closed?: Record<string, never>;
  forum_topic_reopened?: Record<string, never>;
}

/** One update; exactly one field beside `update_id`, whose name is the kind of the update. */
export interface Update {
  update_id: number;
  message?: Message;
  edited_message?: Message;
  callback_query?: CallbackQuery;
  [kind: string]: unknown;
}

export interface CallbackQuery {
  id: string;
  from: User;
  message: Message | { chat: Chat; message_id: number; date: 0 };
  chat_instance: string;
  data: string;
}

/** Leaves out the fields that are undefined, as Telegram leaves out what does not apply. */
export function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
