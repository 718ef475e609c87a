/**
 * Owns: how our small JSON files are written and read.
 * Guarantees: what is handed out fits the schema; whatever else stands there counts as nothing.
 * Fails: the system's error unchanged (EACCES, EIO, EMFILE).
 */
import type { z } from 'zod';
import { REWRITABLE_DEPTH, parseJson } from '../core/json.ts';
import { readRegularFile } from './regular-file.ts';

const MAX_BYTES = 1024 * 1024;

/** Null where no such file is, or one that does not fit. */
export function readJsonFile<T extends z.ZodType>(path: string, schema: T, maxBytes = MAX_BYTES): z.infer<T> | null {
  const file = readRegularFile(path, maxBytes);
  const json = file.kind === 'file' ? parseJson(file.bytes.toString('utf8'), REWRITABLE_DEPTH) : null;
  const parsed = json?.ok === true ? schema.safeParse(json.value) : null;
  return parsed?.success === true ? parsed.data : null;
}

/** As a person reads it. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
