/**
 * The parameters of one call. The Bot API takes them in the query, as JSON, as a form or as multipart, so the same
 * value may come as a number or as its digits; after `decodeParams` it has one form.
 */
import { badRequest } from './refusal.ts';

/** A file that came in a multipart body. */
export interface SentFile {
  field: string;
  filename: string;
  contentType: string;
  bytes: number;
  sha256: string;
  content: Buffer;
}

export type Params = Record<string, unknown>;

const NUMBERS = new Set(['offset', 'limit', 'timeout', 'message_id', 'message_thread_id', 'reply_to_message_id']);
const IDENTIFIERS = new Set(['chat_id', 'user_id', 'from_chat_id']);
const BOOLEANS = new Set([
  'disable_notification',
  'protect_content',
  'drop_pending_updates',
  'allow_sending_without_reply',
  'show_alert',
  'is_big',
  'disable_content_type_detection',
  'show_caption_above_media',
  'has_spoiler',
]);
const JSON_VALUES = new Set([
  'entities',
  'caption_entities',
  'reply_markup',
  'reply_parameters',
  'link_preview_options',
  'allowed_updates',
  'media',
  'reaction',
  'commands',
  'scope',
]);

/** Gives each known parameter its type; unknown ones stay as they came, as Telegram leaves them unread. */
export function decodeParams(raw: Params): Params {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, decodeValue(name, value)]));
}

function decodeValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (NUMBERS.has(name) || IDENTIFIERS.has(name)) return /^-?\d+$/u.test(value) ? Number(value) : value;
  if (BOOLEANS.has(name)) return value === 'true' || value === '1' || value === 'True';
  if (!JSON_VALUES.has(name) || value === '') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw badRequest(`can't parse ${name} JSON object`);
  }
}

export function textParam(params: Params, name: string): string {
  const value = params[name];
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A whole number within bounds; what is out of them is clamped, what is none is the default, as in the Bot API server. */
export function numberParam(params: Params, name: string, bounds: { or: number; min: number; max: number }): number {
  const value = params[name];
  if (typeof value !== 'number' || !Number.isInteger(value)) return bounds.or;
  return Math.min(bounds.max, Math.max(bounds.min, value));
}

export function idParam(params: Params, name: string): number | undefined {
  const value = params[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value !== 0 ? value : undefined;
}

export function listParam(params: Params, name: string): unknown[] | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (!Array.isArray(value)) throw badRequest(`can't parse ${name}: expected an Array`);
  return value;
}

export function objectParam(params: Params, name: string): Record<string, unknown> | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (!isObject(value)) throw badRequest(`can't parse ${name}: object expected`);
  return value;
}

export function fileParam(params: Params, name: string): SentFile | undefined {
  const value = params[name];
  return isSentFile(value) ? value : undefined;
}

function isSentFile(value: unknown): value is SentFile {
  return isObject(value) && Buffer.isBuffer(value['content']);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
