/** Request files that are none: rejected with the reason, kept, told once, and never in the way of others. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Request } from '../../src/core/request.ts';
import type { World } from '../harness/bridge.ts';
import { ask, buttonsOf, isOver, noticesOf, openDesk, runsOf } from '../harness/consumer-desk.ts';

type Put = (path: string, request: Request) => void;

const text =
  (change: (source: string) => string | Buffer): Put =>
  (path, request) =>
    writeFileSync(path, change(JSON.stringify(request)));
const fields =
  (change: object): Put =>
  (path, request) =>
    writeFileSync(path, JSON.stringify({ ...request, ...change }));

const ROWS: [what: string, put: Put, code: string][] = [
  ['an empty file', text(() => ''), 'not-json'],
  ['half a file', text((source) => source.slice(0, 80)), 'not-json'],
  ['a byte order mark', text((source) => `\uFEFF${source}`), 'not-json'],
  ['UTF-16', text((source) => Buffer.from(source, 'utf16le')), 'not-json'],
  ['two objects', text((source) => `${source}${source}`), 'not-json'],
  ['null', text(() => 'null'), 'not-json'],
  ['brackets 200,000 deep', text(() => '['.repeat(200_000) + ']'.repeat(200_000)), 'not-json'],
  [
    'objects 100,000 deep in a field',
    text((source) => source.replace('"replyTo":null', `"replyTo":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)),
    'invalid-field',
  ],
  ['more than 1 MiB', fields({ text: 'x'.repeat(1024 * 1024) }), 'too-large'],
  ['version 2', fields({ version: 2 }), 'unknown-version'],
  ['a __proto__ key', text((source) => source.replace('{', '{"__proto__":{"kind":"blog"},')), 'invalid-field'],
  ['an unknown key', fields({ extra: 1 }), 'invalid-field'],
  ['the id of another', fields({ id: '7', messageId: 7 }), 'id-mismatch'],
  [
    'two chat ids, the last of another chat',
    text((source) => source.replace('}', '}').replace(/\}$/u, ',"chatId":-5}')),
    'invalid-field',
  ],
  [
    'an id past 2^53',
    text((source) => source.replace(/"messageId":\d+/u, '"messageId":9007199254740993')),
    'invalid-field',
  ],
  ['a number that overflows', text((source) => source.replace(/"chatId":\d+/u, '"chatId":1e400')), 'invalid-field'],
  ['a folder', (path) => mkdirSync(path), 'not-a-file'],
  [
    'a link',
    (path, request) => {
      writeFileSync(`${path}.real`, JSON.stringify(request));
      symlinkSync(`${path}.real`, path);
    },
    'not-a-file',
  ],
  ['a named pipe', (path) => void execFileSync('mkfifo', [path]), 'not-a-file'],
];

const STRAYS = [
  '.DS_Store',
  '12 2.json',
  '12.json.tmp',
  '012.json',
  '-5.json',
  '1e3.json',
  '99999999999999999.json',
  'x.json',
];

test('each bad request is rejected with its reason, its file kept, its person told once, and the good ones run', async () => {
  const world = await openDesk();
  const ids = ROWS.map((_, index) => 100 + 20 * index);
  const path = (name: string | number): string => world.path('spool', 'requests', `${name}.json`);
  for (const [index, [, put]] of ROWS.entries()) {
    const id = ids[index] as number;
    world.telegram.say({ text: '/blog bad', messageId: id });
    put(path(id), world.requestFile(id));
  }
  for (const name of STRAYS) writeFileSync(world.path('spool', 'requests', name), '{}');
  const before = ids.map((id) => contentOf(path(id)));
  // Without a pending name, as a restore or a person leaves it.
  renameSync(world.path('spool', 'pending', `${ask(world, 'short', { messageId: 9_000 })}.json`), world.path('moved'));
  const consumer = await world.consumer();
  await world.settled('9000');
  for (const id of ids) await world.receiptWhen(id, isOver);

  const seen = ids.map((id, index) => {
    const receipt = world.receipt(id);
    return [
      ROWS[index]?.[0],
      receipt?.state,
      receipt?.error?.stage,
      receipt?.error?.code,
      receipt?.notice?.state,
      noticesFor(world, id),
    ];
  });
  expect(seen).toEqual(ROWS.map(([what, , code]) => [what, 'rejected', 'request', code, 'sent', 1]));
  expect(ids.map((id) => contentOf(path(id)))).toEqual(before);
  expect(runsOf(world, '9000')).toBe(1);
  expect(ids.flatMap((id) => noticesOf(world, String(id)).flatMap(buttonsOf))).toEqual([]);
  await world.eventually(
    () => (world.names('spool', 'pending').length === 0 ? true : undefined),
    'an empty pending folder',
  );
  expect(consumer.events.filter(({ level }) => Number(level) >= 50)).toEqual([]);

  const { stdout } = await world.command('show', '200');
  expect(stdout).toContain('rejected');
});

function noticesFor(world: World, id: number): number {
  return world.telegram.botMessages.filter(
    ({ text: words, replyTo }) => words.startsWith(`Request ${id} was rejected`) && replyTo === id,
  ).length;
}

function contentOf(path: string): string {
  return lstatSync(path).isFile() ? readFileSync(path, 'utf8') : `mode ${lstatSync(path).mode}`;
}
