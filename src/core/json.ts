/** Reading JSON that anybody may have written, and the words for what is wrong with it. Pure. */
import type { z } from 'zod';

/**
 * For what is written again with the fields that nobody knows: deeper than anything of ours, and far from where
 * `JSON.stringify` overflows the stack.
 */
export const REWRITABLE_DEPTH = 500;

/** `JSON.parse` as a value; a nesting beyond `deepest`, or one that overflows the parser's stack, is a refusal as well. */
export function parseJson(
  source: string,
  deepest = Number.POSITIVE_INFINITY,
): { ok: true; value: unknown } | { ok: false; found: string; at: { line: number; column: number } | null } {
  if (source.trim() === '') return { ok: false, found: 'an empty file', at: null };
  if (deepest < source.length && isDeeper(source, deepest))
    return { ok: false, found: 'JSON nested too deep', at: null };
  try {
    return { ok: true, value: JSON.parse(source) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, found: 'JSON nested too deep', at: null };
    return { ok: false, found: 'text that is no JSON', at: placeOf(error, source) };
  }
}

/** Where the parser gave up. Its words are not passed on, since they quote the text. */
function placeOf(error: unknown, source: string): { line: number; column: number } | null {
  const words = error instanceof Error ? error.message : '';
  const told = /at position (\d+)/u.exec(words)?.[1];
  if (told === undefined && !/end of JSON/iu.test(words)) return null;
  const before = source.slice(0, told === undefined ? source.length : Number(told)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function isDeeper(source: string, deepest: number): boolean {
  let depth = 0;
  for (let index = 0; index < source.length; index += 1) {
    const sign = source[index];
    if (sign === '"') index = endOfString(source, index);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Where the string that opens at `from` closes; the end of the source where it does not. */
function endOfString(source: string, from: number): number {
  for (let end = source.indexOf('"', from + 1); end >= 0; end = source.indexOf('"', end + 1)) {
    let slashes = 0;
    while (source[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return source.length;
}

export function versionOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
}

const NOTHING = 'nothing';

/** The first fault of a zod error in our words: which key, what was expected, what was found. */
export function issueWords(error: z.ZodError, input: unknown): string {
  const issue = error.issues[0];
  const found = issue === undefined || issue.code === 'unrecognized_keys' ? '' : shown(valueAt(input, issue.path));
  if (found === '') return faultWords(error);
  return `${faultWords(error)}, found ${found}${found === NOTHING ? besides(error) : ''}`;
}

/** A key that is missing beside one that is unknown is mostly a slip of the pen. */
function besides(error: z.ZodError): string {
  const parent = error.issues[0]?.path.slice(0, -1).join('.');
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys' && issue.path.join('.') === parent);
  return unknown?.code === 'unrecognized_keys' ? `, but the unknown key ${unknown.keys.join(', ')}` : '';
}

/** The same without what was found, for a log that must not hold what people write. */
export function faultWords(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'unknown fault';
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => [...path, key].join('.')).join(', ');
    return `${keys}: expected no such key, found one`;
  }
  return `${path.join('.') || 'file'}: ${expectation(issue)}`;
}

const TYPE_WORDS: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
};

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
  if (issue.message.startsWith('expected')) return issue.message;
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  if (issue.code === 'invalid_format')
    return issue.format === 'regex' ? `expected text like ${issue.pattern}` : `expected ${issue.format}`;
  const words = issue.message.replace(/^[^:]*: (?=expected)/u, '');
  return words.startsWith('expected') ? words : `expected otherwise (${words})`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

export function shown(value: unknown): string {
  if (value === undefined) return NOTHING;
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? (value.length === 0 ? 'an empty list' : 'a list') : 'an object';
  // JSON has no word for what 1e400 is read as.
  return typeof value === 'number' ? String(value) : JSON.stringify(value).slice(0, 60);
}
