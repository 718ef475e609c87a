/** Reads the parameters of a call from the address and the body of its HTTP request. */
import type { IncomingMessage } from 'node:http';
import { parseMultipart } from './multipart.ts';
import { decodeParams, isObject, type Params } from './params.ts';
import { badRequest, Refusal } from './refusal.ts';

/** 50 MB for the largest document and some room for the fields around it. */
const MAX_BODY_BYTES = 51 * 1024 * 1024;

export async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Params> {
  const body = await readBody(request);
  return decodeParams({ ...Object.fromEntries(query), ...parseBody(body, request.headers['content-type'] ?? '') });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // What is too big is still read to its end: a client that is answered in the middle of its body sees a reset.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) throw new Refusal(413, 'Request Entity Too Large');
  return Buffer.concat(chunks);
}

function parseBody(body: Buffer, contentType: string): Params {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (body.length === 0) return {};
  if (type === 'application/json') return parseJson(body);
  if (type === 'multipart/form-data') return parseMultipart(body, contentType);
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}

function parseJson(body: Buffer): Params {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw badRequest("can't parse the request body as JSON");
  }
  if (!isObject(value)) throw badRequest('the request body must be a JSON object');
  return value;
}
