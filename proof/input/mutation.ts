/** Files and updates that were valid, and then were changed in one or two places by who knows the structure of JSON. */
import { writeFileSync, truncateSync } from 'node:fs';
import * as fc from 'fast-check';

const SPARSE_BYTES = 300_000_000;
const DEPTH = 200_000;

/** Raw JSON that may stand in the place of any value. */
const RAW: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '9007199254740993',
  '4102444800000000',
  '""',
  '"x"',
  '"../../outside"',
  '"../../../../../../../../etc/passwd"',
  '"/etc/passwd"',
  '"41/../../outside"',
  '"..\\\\..\\\\outside"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"a\\u0000b"',
  '"\\u202e\\u0007"',
  '"__proto__"',
  '"constructor"',
  '"\\r\\nX-Injected: 1"',
  '"2026-02-31T25:61:61Z"',
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"hasOwnProperty":1,"then":1}',
  'LONG TEXT',
  'DEEP LIST',
  'DEEP OBJECT',
];

/** Named, so that a counterexample stays short. */
const NAMED: Record<string, string> = {
  'LONG TEXT': `"${'long '.repeat(40_000)}"`,
  'DEEP LIST': `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  'DEEP OBJECT': `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
};
/** What is longer was made so by an earlier change, and may be too deep to be written again. */
const MOST_UNITS = 300_000;

/** Further keys of an object, as text. */
const KEYS: readonly string[] = [
  '"__proto__":{"polluted":true,"kind":"request","notice":{"for":"failed","state":"waiting","messageId":null}}',
  '"constructor":{"prototype":{"polluted":true}}',
  '"prototype":{}',
  '"version":2',
  '"id":"../../outside"',
  '"toString":null',
  '"more":DEEP LIST',
];

/** One change: at a place in the tree, or to the file as a whole. */
export type Mutation =
  | { kind: 'replace'; at: number; raw: string }
  | { kind: 'drop'; at: number }
  | { kind: 'double'; at: number; raw: string }
  | { kind: 'add'; at: number; key: string }
  | { kind: 'whole'; how: (typeof WHOLE)[number]; at: number };

const WHOLE = ['cut', 'bom', 'utf16', 'crlf', 'nul', 'empty', 'noise', 'twice', 'sparse', 'not-utf8'] as const;

const at = fc.nat(400);
const raw = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...RAW) },
  { weight: 3, arbitrary: fc.json({ maxDepth: 2 }) },
);

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('replace' as const), at, raw }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drop' as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('double' as const), at, raw }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), at, key: fc.constantFrom(...KEYS) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('whole' as const), how: fc.constantFrom(...WHOLE), at }) },
);

/** The text of `valid` after these changes; changes to the file as a whole are left to `writeMutated`. */
export function mutatedText(valid: unknown, mutations: readonly Mutation[]): string {
  let text = JSON.stringify(valid);
  for (const one of mutations) text = changed(text, one);
  return text;
}

export function writeMutated(path: string, valid: unknown, mutations: readonly Mutation[]): void {
  let bytes: Buffer = Buffer.from(mutatedText(valid, mutations), 'utf8');
  let isSparse = false;
  for (const one of mutations) {
    if (one.kind !== 'whole') continue;
    isSparse ||= one.how === 'sparse';
    bytes = wholeChanged(bytes, one);
  }
  writeFileSync(path, bytes);
  if (isSparse) truncateSync(path, SPARSE_BYTES);
}

function changed(text: string, one: Mutation): string {
  if (one.kind === 'whole' || text.length > MOST_UNITS) return text;
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch {
    return text;
  }
  // The whole stands under a key, so that it is a place too.
  const root = { whole: tree };
  const places = placesIn(root);
  const place = places[one.at % Math.max(1, places.length)];
  if (place === undefined) return text;
  const { holder, key } = place;
  const value = holder[key];
  const fragments = new Map<string, string>();
  const stand = (fragment: string): string => {
    const name = `@@${fragments.size}@@`;
    fragments.set(JSON.stringify(name), fragment);
    return name;
  };
  switch (one.kind) {
    case 'replace':
      holder[key] = stand(one.raw);
      break;
    case 'drop':
      delete holder[key];
      break;
    case 'double':
      if (!Array.isArray(holder)) holder[key] = stand(`${JSON.stringify(value)},${JSON.stringify(key)}:${one.raw}`);
      break;
    case 'add':
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        const own = JSON.stringify(value).slice(1, -1);
        holder[key] = stand(`{${own === '' ? '' : `${own},`}${one.key}}`);
      }
  }
  let result = JSON.stringify(root.whole) ?? '';
  for (const [name, fragment] of [...fragments, ...Object.entries(NAMED)])
    result = result.replace(name, () => fragment);
  return result;
}

interface Place {
  holder: Record<string, unknown>;
  key: string;
}

function placesIn(tree: unknown): Place[] {
  const places: Place[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 20) return;
    for (const key of Object.keys(value)) {
      places.push({ holder: value as Record<string, unknown>, key });
      visit((value as Record<string, unknown>)[key], depth + 1);
    }
  };
  visit(tree, 0);
  return places;
}

function wholeChanged(bytes: Buffer, { how, at: place }: Mutation & { kind: 'whole' }): Buffer {
  const text = bytes.toString('utf8');
  switch (how) {
    case 'cut':
      return bytes.subarray(0, place % Math.max(1, bytes.length));
    case 'bom':
      return Buffer.from(`\uFEFF${text}`, 'utf8');
    case 'utf16':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'crlf':
      return Buffer.from(text.replaceAll(',', ',\r\n'), 'utf8');
    case 'nul':
      return Buffer.alloc(bytes.length);
    case 'noise':
      return Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167 + place * 31) % 256));
    case 'twice':
      return Buffer.concat([bytes, bytes]);
    case 'not-utf8':
      return Buffer.from(
        text.replace(/"x|"\d|"[a-z]/u, (found) => `${found}\u00FF\u00FE`),
        'latin1',
      );
    case 'empty':
      return Buffer.alloc(0);
    case 'sparse':
      return bytes;
  }
}
