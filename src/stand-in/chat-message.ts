/** A message as the stand-in keeps it, and as a test looks at it. */
import type { Button, Message, MessageEntity } from './bot-api.ts';

/** A message of the chat as a test looks at it; `message` is what Telegram gives out. */
export interface ChatMessage {
  id: number;
  chatId: number;
  fromBot: boolean;
  text: string;
  entities: MessageEntity[];
  buttons: Button[][];
  replyTo: number | undefined;
  threadId: number | undefined;
  /** Texts before each edit, oldest first. */
  edits: string[];
  /** The bot's reaction now, and all it has set; an empty string where it took one back. */
  reaction: string | undefined;
  reactions: string[];
  deleted: boolean;
  message: Message;
}

/** A message with what is no part of Telegram's object. */
export interface Entry {
  message: Message;
  fromBot: boolean;
  edits: string[];
  reactions: string[];
  deleted: boolean;
}

export function chatMessage({ message, ...entry }: Entry): ChatMessage {
  const target = message.reply_to_message;
  return {
    ...entry,
    id: message.message_id,
    chatId: message.chat.id,
    text: message.text ?? message.caption ?? '',
    entities: message.entities ?? message.caption_entities ?? [],
    buttons: message.reply_markup?.inline_keyboard ?? [],
    replyTo: target === undefined || target.forum_topic_created !== undefined ? undefined : target.message_id,
    threadId: message.message_thread_id,
    reaction: entry.reactions.at(-1) || undefined,
    message,
  };
}
