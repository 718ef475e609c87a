/** A message that was admitted → the request that it makes. Pure. */
import type { Admission, IncomingMessage } from './admission.ts';
import type { Request } from './request.ts';

/** The candidate; whether it is valid is for the schema to say. */
export function candidateOf(
  message: IncomingMessage,
  admission: Admission & { kind: 'request' },
  receivedAt: string,
): Request {
  const id = String(message.messageId);
  const { replyTo, from } = message;
  const quoted = admission.request === 'blog' ? (replyTo?.attachments ?? []) : [];
  return {
    version: 1,
    id,
    kind: admission.request,
    chatId: message.chatId,
    messageId: message.messageId,
    messageIds: [message.messageId],
    threadId: message.threadId,
    from: { id: from?.id ?? 0, name: from?.name ?? '', ...(from?.language == null ? {} : { language: from.language }) },
    text: admission.text,
    conversation: admission.link?.conversation ?? id,
    replyTo:
      replyTo === null
        ? null
        : { messageId: replyTo.messageId, requestId: admission.link?.requestId ?? null, text: replyTo.text },
    attachments: [...message.attachments, ...quoted.map((attachment) => ({ ...attachment, quoted: true }))],
    sentAt: new Date(message.date * 1000).toISOString(),
    receivedAt,
  };
}
