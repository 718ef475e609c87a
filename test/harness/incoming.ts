import type { IncomingMessage } from '../../src/core/admission.ts';
import type { Attachment } from '../../src/core/request.ts';

/** A plain message of the allowed person in a private chat, with whatever a test wants otherwise. */
export function incoming(fields: Partial<IncomingMessage> = {}): IncomingMessage {
  const text = fields.text ?? '';
  const match = /^\/([A-Za-z0-9_]{1,64})(?:@([A-Za-z0-9_]+))?/u.exec(text);
  return {
    chatId: 7001,
    isPrivate: true,
    messageId: 41,
    threadId: null,
    from: { id: 7001, name: 'Owner', language: 'en', isBot: false },
    onBehalfOfChat: false,
    isForwarded: false,
    command:
      match === null
        ? null
        : { name: (match[1] as string).toLowerCase(), mention: match[2] ?? null, rest: text.slice(match[0].length) },
    replyTo: null,
    attachments: [],
    mediaGroupId: null,
    unsupported: null,
    date: 1_790_000_000,
    ...fields,
    text,
  };
}

export function photo(fileId: string): Attachment {
  return { kind: 'photo', fileId, uniqueId: `u-${fileId}`, name: null, mime: 'image/jpeg', bytes: 1000 };
}
