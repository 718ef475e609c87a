/** Calls the stand-in as a bot does, over real HTTP. */
import type { Message } from '../../src/stand-in/bot-api.ts';
import type { StandIn } from '../../src/stand-in/stand-in.ts';

export interface Answer {
  ok: boolean;
  result?: unknown;
  error_code?: number;
  description?: string;
  parameters?: Record<string, unknown>;
}

type Body = Record<string, unknown> | FormData | URLSearchParams;

export async function call(standIn: StandIn, method: string, body: Body = {}, signal?: AbortSignal): Promise<Answer> {
  const isPlain = !(body instanceof FormData) && !(body instanceof URLSearchParams);
  const response = await fetch(`${standIn.apiRoot}/bot${standIn.token}/${method}`, {
    method: 'POST',
    ...(isPlain ? { headers: { 'content-type': 'application/json' } } : {}),
    body: isPlain ? JSON.stringify(body) : body,
    ...(signal === undefined ? {} : { signal }),
  });
  return (await response.json()) as Answer;
}

/** The result of a call that must be accepted. */
export async function result<T>(standIn: StandIn, method: string, body?: Body): Promise<T> {
  const answer = await call(standIn, method, body);
  if (!answer.ok) throw new Error(`${method} was refused: ${answer.description}`);
  return answer.result as T;
}

export function messagesOf(answer: Answer): Message[] {
  if (!Array.isArray(answer.result)) throw new Error(`no messages but ${answer.description}`);
  return answer.result;
}

/** A form with these fields; buffers become files called `name`. */
export function form(fields: Record<string, unknown>, name = 'file.bin'): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) {
    if (Buffer.isBuffer(value)) data.append(key, new Blob([new Uint8Array(value)]), name);
    else data.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return data;
}

/** The header of a PNG of this size, which is all that the stand-in reads of one. */
export function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('\u0089PNG\r\n\u001A\n', 0, 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
