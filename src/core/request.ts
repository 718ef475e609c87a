/** An accepted request: the one file `spool/requests/<messageId>.json`, created once and never changed (contract §4). */
import { z } from 'zod';
import { issueWords, parseJson, shown, versionOf } from './json.ts';

/** Largest request file that is read, in bytes. A longer one is rejected before it is parsed. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** A file's base name is a request only if it is exactly `<digits>.json`: never `.DS_Store`, never `12 2.json`. */
const REQUEST_FILE_NAME = /^([1-9]\d{0,15})\.json$/u;

const messageId = z.int().positive();
/** An id becomes a file name: it is never anything but digits. */
export const requestIdSchema = z.string().regex(/^[1-9]\d{0,15}$/u);
const text = z.string();

export const attachmentSchema = z.strictObject({
  kind: z.enum(['photo', 'document', 'voice', 'audio', 'video', 'animation', 'video_note', 'sticker']),
  fileId: z.string().min(1),
  uniqueId: z.string(),
  name: z.string().nullable(),
  mime: z.string().nullable(),
  /** As Telegram announced it, in bytes; null where it did not. */
  bytes: z.int().nonnegative().nullable(),
  /** True for what came along with a quoted message. */
  quoted: z.boolean().optional(),
});

const replyTargetSchema = z.strictObject({
  messageId,
  /** The request that the target belongs to; null for a message that was only quoted. */
  requestId: requestIdSchema.nullable(),
  text,
});

export const requestSchema = z.strictObject({
  version: z.literal(1),
  id: requestIdSchema,
  kind: z.enum(['blog', 'reply']),
  chatId: z.int(),
  messageId,
  messageIds: z.array(messageId).min(1),
  threadId: z.int().positive().nullable(),
  from: z.strictObject({ id: z.int(), name: text, language: z.string().optional() }),
  text,
  conversation: requestIdSchema,
  replyTo: replyTargetSchema.nullable(),
  attachments: z.array(attachmentSchema),
  sentAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
});

export type Request = z.infer<typeof requestSchema>;
export type Attachment = z.infer<typeof attachmentSchema>;
export type ReplyTarget = z.infer<typeof replyTargetSchema>;

/** The request id that a file name stands for; null where the name is no request's. */
export function requestIdOf(fileName: string): string | null {
  return REQUEST_FILE_NAME.exec(fileName)?.[1] ?? null;
}

/** Numeric order of message ids, which is the order in which requests run. */
export function byId(a: string, b: string): number {
  return Number(a) - Number(b);
}

export type ParsedRequest = { ok: true; request: Request } | { ok: false; code: RequestFault; message: string };
export type RequestFault =
  | 'not-json'
  | 'too-large'
  | 'unknown-version'
  | 'invalid-field'
  | 'id-mismatch'
  | 'not-a-file';

/**
 * Reads the text of a request file.
 * @param source the whole file, decoded as UTF-8
 * @param id the id that the file's name stands for
 * @param chatId the chat that this home is bound to
 */
export function parseRequest(source: string, id: string, chatId: number): ParsedRequest {
  const json = parseJson(source);
  if (!json.ok) return refuse('not-json', `${id}.json: expected one JSON object, found ${json.found}`);
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    return refuse('not-json', `${id}.json: expected one JSON object, found ${shown(json.value)}`);
  }
  const version = versionOf(json.value);
  if (version !== 1) return refuse('unknown-version', `${id}.json: expected version 1, found ${shown(version)}`);
  const parsed = requestSchema.safeParse(json.value);
  if (!parsed.success) return refuse('invalid-field', `${id}.json: ${issueWords(parsed.error, json.value)}`);
  const request = parsed.data;
  if (request.id !== id || String(request.messageId) !== id) {
    return refuse(
      'id-mismatch',
      `${id}.json: expected id and messageId ${id}, found ${request.id} and ${request.messageId}`,
    );
  }
  if (request.kind === 'blog' && request.conversation !== id) {
    return refuse(
      'id-mismatch',
      `${id}.json: expected conversation ${id} of a "blog" request, found ${request.conversation}`,
    );
  }
  if (request.chatId !== chatId) {
    return refuse(
      'invalid-field',
      `${id}.json: chatId: expected ${chatId}, the chat of this home, found ${request.chatId}`,
    );
  }
  return { ok: true, request };
}

function refuse(code: RequestFault, message: string): ParsedRequest {
  return { ok: false, code, message };
}
