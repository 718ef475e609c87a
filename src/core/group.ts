/** Albums and long pastes: messages that are one request together (contract §4 "Groups"). Pure. */
import type { IncomingMessage } from './admission.ts';
import type { Attachment } from './request.ts';

/** A Telegram client cuts a text at 4,096 units; a piece of this length or more may have a continuation. */
export const PIECE_UNITS = 4_000;
/** Largest distance of two pieces of one paste, by Telegram's `date`, in seconds. */
export const PIECE_SECONDS = 2;

/** Name of the group that an album item belongs to; null for any other message. */
export function albumKey(message: IncomingMessage): string | null {
  return message.mediaGroupId === null
    ? null
    : `album-${message.mediaGroupId.replaceAll(/[^0-9A-Za-z]/gu, '_').slice(0, 64)}`;
}

export function pasteKey(firstMessageId: number): string {
  return `paste-${firstMessageId}`;
}

/** Whether a `/blog` or reply text is so long that the client may have cut it. */
export function mayContinue(message: IncomingMessage): boolean {
  return message.text.length >= PIECE_UNITS && message.attachments.length === 0;
}

/** Whether a message goes on with the paste that ends with `last`. */
export function continues(message: IncomingMessage, last: IncomingMessage): boolean {
  const isPlain =
    message.command === null &&
    message.replyTo === null &&
    !message.isForwarded &&
    !message.onBehalfOfChat &&
    message.attachments.length === 0 &&
    message.unsupported === null;
  return (
    isPlain &&
    message.text !== '' &&
    mayContinue(last) &&
    message.messageId > last.messageId &&
    message.from?.id === last.from?.id &&
    message.chatId === last.chatId &&
    message.threadId === last.threadId &&
    Math.abs(message.date - last.date) <= PIECE_SECONDS
  );
}

/** The one message that a group stands for, as if it had come whole. */
export function merged(parts: readonly IncomingMessage[]): IncomingMessage {
  const ordered = [...parts].sort((a, b) => a.messageId - b.messageId);
  const first = ordered[0] as IncomingMessage;
  // The order may stand on whichever part bears it.
  const lead = ordered.find((part) => part.command !== null) ?? ordered.find((part) => part.replyTo !== null) ?? first;
  const attachments: Attachment[] = ordered.flatMap((part) => part.attachments);
  if (first.mediaGroupId === null) {
    const rest = ordered
      .slice(1)
      .map((part) => part.text)
      .join('');
    const command = first.command === null ? null : { ...first.command, rest: `${first.command.rest}${rest}` };
    return { ...first, text: `${first.text}${rest}`, command };
  }
  const texts = ordered.map((part) => (part === lead && part.command !== null ? part.command.rest : part.text).trim());
  const text = texts.filter((words) => words !== '').join('\n\n');
  const command = lead.command === null ? null : { ...lead.command, rest: text === '' ? '' : ` ${text}` };
  return {
    ...lead,
    messageId: first.messageId,
    text: command === null ? text : `/${lead.command?.name}${command.rest}`,
    command,
    attachments,
  };
}
