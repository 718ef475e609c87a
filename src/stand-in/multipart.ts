/** RFC 7578: the parts of a `multipart/form-data` body. */
import { createHash } from 'node:crypto';
import type { SentFile } from './params.ts';
import { badRequest } from './refusal.ts';

/** Fields by name: text for plain fields, a `SentFile` for those with a file name. */
export function parseMultipart(body: Buffer, contentType: string): Record<string, string | SentFile> {
  const boundary = headerParameter(contentType, 'boundary');
  if (boundary === undefined || boundary === '') throw badRequest('boundary not found in the multipart body');
  const fields: Record<string, string | SentFile> = {};
  for (const part of partsOf(body, boundary)) {
    const { name, value } = readPart(part);
    fields[name] = value;
  }
  return fields;
}

function* partsOf(body: Buffer, boundary: string): Generator<Buffer> {
  const delimiter = Buffer.from(`--${boundary}`);
  let at = body.indexOf(delimiter);
  if (at === -1) throw badRequest('the multipart body has no boundary');
  for (;;) {
    const start = at + delimiter.length;
    if (body.subarray(start, start + 2).toString('latin1') === '--') return;
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), delimiter]), start);
    if (next === -1) throw badRequest('the multipart body ends before its last boundary');
    yield body.subarray(start + 2, next);
    at = next + 2;
  }
}

function readPart(part: Buffer): { name: string; value: string | SentFile } {
  const split = part.indexOf('\r\n\r\n');
  if (split === -1) throw badRequest('a multipart part has no end of headers');
  const headers = new Map(
    part
      .subarray(0, split)
      .toString('utf8')
      .split('\r\n')
      .map((line) => line.split(/:(.*)/su))
      .map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()] as const),
  );
  const disposition = headers.get('content-disposition') ?? '';
  const name = headerParameter(disposition, 'name');
  if (name === undefined) throw badRequest('a multipart part has no name');
  const content = Buffer.from(part.subarray(split + 4));
  const filename = headerParameter(disposition, 'filename');
  if (filename === undefined) return { name, value: content.toString('utf8') };
  const sha256 = createHash('sha256').update(content).digest('hex');
  const contentType = headers.get('content-type') ?? 'application/octet-stream';
  return { name, value: { field: name, filename, contentType, bytes: content.length, sha256, content } };
}

/** The value of `name=value` or `name="value"` in a header; some clients do not quote file names. */
function headerParameter(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(?:"((?:\\\\.|[^"\\\\])*)"|([^;]*))`, 'iu').exec(header);
  if (found === null) return undefined;
  return found[1] === undefined ? (found[2] ?? '').trim() : found[1].replaceAll(/\\(.)/gu, '$1');
}
