import { describe, expect, test } from 'vitest';
import { parseJson, versionOf } from '../../src/core/json.ts';
import { type Request, byId, parseRequest, requestIdOf } from '../../src/core/request.ts';

const CHAT = 7001;
const REQUEST: Request = {
  version: 1,
  id: '41',
  kind: 'blog',
  chatId: CHAT,
  messageId: 41,
  messageIds: [41],
  threadId: null,
  from: { id: 7001, name: 'Owner' },
  text: 'write about spools',
  conversation: '41',
  replyTo: null,
  attachments: [{ kind: 'photo', fileId: 'f', uniqueId: 'u', name: null, mime: 'image/jpeg', bytes: 12345 }],
  sentAt: '2026-11-30T09:00:00.000Z',
  receivedAt: '2026-11-30T09:00:00.412Z',
};
const SOURCE = JSON.stringify(REQUEST, null, 2);
const NESTED = '['.repeat(200_000) + ']'.repeat(200_000);

/** The file with one piece of its text replaced. */
function altered(piece: string, by: string): string {
  expect(SOURCE).toContain(piece);
  return SOURCE.replace(piece, by);
}

const withKey = (key: string, value: string): string => altered('{', `{ ${key}: ${value},`);

describe('a request file is read', () => {
  test.each<[string, string]>([
    ['as the bot writes it', SOURCE],
    ['with the line ends of Windows', SOURCE.replaceAll('\n', '\r\n')],
    ['with white space around it', `\n ${SOURCE}\n\n`],
    ['with a number written otherwise', altered('"messageId": 41', '"messageId": 4.1e1')],
    ['with the same key twice and the same value', withKey('"id"', '"41"')],
  ])('%s', (_name, source) => {
    expect(parseRequest(source, '41', CHAT)).toEqual({ ok: true, request: REQUEST });
  });

  test('with 1e2 as the number 100', () => {
    const source = SOURCE.replaceAll('"41"', '"100"')
      .replaceAll('41,', '1e2,')
      .replace(/\[\s*41\s*\]/u, '[1e2]');

    expect(parseRequest(source, '100', CHAT)).toMatchObject({
      ok: true,
      request: { id: '100', messageId: 100, messageIds: [100] },
    });
  });

  test('as a reply that goes on with a conversation', () => {
    const reply = {
      ...REQUEST,
      kind: 'reply',
      conversation: '12',
      replyTo: { messageId: 13, requestId: '12', text: 'so far' },
    };

    expect(parseRequest(JSON.stringify(reply), '41', CHAT)).toEqual({ ok: true, request: reply });
  });
});

describe('a request file is rejected', () => {
  test.each<[name: string, source: string, code: string, words: string]>([
    ['empty', '', 'not-json', 'expected one JSON object, found an empty file'],
    ['only white space', ' \n', 'not-json', 'expected one JSON object, found an empty file'],
    ['NULs', '\0'.repeat(4096), 'not-json', 'expected one JSON object, found text that is no JSON'],
    ['half a file', SOURCE.slice(0, 100), 'not-json', 'expected one JSON object, found text that is no JSON'],
    ['a byte order mark', `\uFEFF${SOURCE}`, 'not-json', 'expected one JSON object, found text that is no JSON'],
    [
      'UTF-16',
      Buffer.from(SOURCE, 'utf16le').toString('utf8'),
      'not-json',
      'expected one JSON object, found text that is no JSON',
    ],
    ['a second object behind it', `${SOURCE}{}`, 'not-json', 'expected one JSON object, found text that is no JSON'],
    ['null', 'null', 'not-json', 'expected one JSON object, found null'],
    ['a number', '42', 'not-json', 'expected one JSON object, found 42'],
    ['a text', '"x"', 'not-json', 'expected one JSON object, found "x"'],
    ['a list', `[${SOURCE}]`, 'not-json', 'expected one JSON object, found a list'],
    ['200,000 nested lists', NESTED, 'not-json', 'expected one JSON object, found a list'],
    [
      '200,000 nested lists as its text',
      altered('"write about spools"', NESTED),
      'invalid-field',
      'text: expected a text, found a list',
    ],
    [
      '200,000 nested lists under a key of their own',
      withKey('"x"', NESTED),
      'invalid-field',
      'x: expected no such key, found one',
    ],
    ['no version', altered('"version": 1,', ''), 'unknown-version', 'expected version 1, found nothing'],
    ['a later version', altered('"version": 1', '"version": 2'), 'unknown-version', 'expected version 1, found 2'],
    [
      'a version that is a text',
      altered('"version": 1', '"version": "1"'),
      'unknown-version',
      'expected version 1, found "1"',
    ],
    [
      'a key __proto__',
      withKey('"__proto__"', '{ "version": 1 }'),
      'invalid-field',
      '__proto__: expected no such key, found one',
    ],
    [
      'a key __proto__ further in',
      altered('"name": "Owner"', '"name": "Owner", "__proto__": {}'),
      'invalid-field',
      'from.__proto__: expected no such key, found one',
    ],
    ['an unknown key', withKey('"mood"', '1'), 'invalid-field', 'mood: expected no such key, found one'],
    [
      'a missing key',
      altered('"text": "write about spools",', ''),
      'invalid-field',
      'text: expected a text, found nothing',
    ],
    ['another id', altered('"id": "41"', '"id": "42"'), 'id-mismatch', 'expected id and messageId 41, found 42 and 41'],
    [
      'a second id, which counts',
      altered('"id": "41"', '"id": "41", "id": "42"'),
      'id-mismatch',
      'expected id and messageId 41, found 42 and 41',
    ],
    [
      'another message id',
      altered('"messageId": 41', '"messageId": 42'),
      'id-mismatch',
      'expected id and messageId 41, found 41 and 42',
    ],
    [
      'a conversation of another',
      altered('"conversation": "41"', '"conversation": "40"'),
      'id-mismatch',
      'expected conversation 41 of a "blog" request, found 40',
    ],
    [
      'another chat',
      altered('"chatId": 7001', '"chatId": 7002'),
      'invalid-field',
      'chatId: expected 7001, the chat of this home, found 7002',
    ],
    [
      'a second chat, which counts',
      altered('"chatId": 7001', '"chatId": 7001, "chatId": 8'),
      'invalid-field',
      'chatId: expected 7001, the chat of this home, found 8',
    ],
    [
      '-0 as an id',
      altered('"messageId": 41', '"messageId": -0'),
      'invalid-field',
      'messageId: expected number to be >0, found 0',
    ],
    [
      '1e400 as an id',
      altered('"messageId": 41', '"messageId": 1e400'),
      'invalid-field',
      'messageId: expected a number, found Infinity',
    ],
    [
      'a broken number as an id',
      altered('"messageId": 41', '"messageId": 41.5'),
      'invalid-field',
      'messageId: expected a whole number, found 41.5',
    ],
    [
      'a number where an id is text',
      altered('"id": "41"', '"id": 41'),
      'invalid-field',
      'id: expected a text, found 41',
    ],
    [
      'an id with a leading zero',
      altered('"id": "41"', '"id": "041"'),
      'invalid-field',
      'id: expected text like /^[1-9]\\d{0,15}$/u, found "041"',
    ],
    [
      'a kind that is none',
      altered('"blog"', '"post"'),
      'invalid-field',
      'kind: expected "blog" or "reply", found "post"',
    ],
    [
      'no messages',
      altered('"messageIds": [\n    41\n  ]', '"messageIds": []'),
      'invalid-field',
      'messageIds: expected array to have >=1 items, found an empty list',
    ],
    [
      'an instant that is none',
      altered('2026-11-30T09:00:00.000Z', 'yesterday'),
      'invalid-field',
      'sentAt: expected datetime, found "yesterday"',
    ],
    [
      'an attachment without a file',
      altered('"fileId": "f",', ''),
      'invalid-field',
      'attachments.0.fileId: expected a text, found nothing',
    ],
    [
      'an attachment of negative size',
      altered('12345', '-1'),
      'invalid-field',
      'attachments.0.bytes: expected number to be >=0, found -1',
    ],
    [
      'an object as the person',
      altered('"from": {', '"from": { "also": {},'),
      'invalid-field',
      'from.also: expected no such key, found one',
    ],
  ])('%s', (_name, source, code, words) => {
    expect(parseRequest(source, '41', CHAT)).toEqual({ ok: false, code, message: `41.json: ${words}` });
  });

  test('under a name that is not its id', () => {
    expect(parseRequest(SOURCE, '42', CHAT)).toMatchObject({ ok: false, code: 'id-mismatch' });
  });

  test('with an id that no number can hold', () => {
    const id = '9007199254740993';
    const parsed = parseRequest(SOURCE.replaceAll('"41"', `"${id}"`).replaceAll('41,', `${id},`), id, CHAT);

    expect(parsed).toEqual({
      ok: false,
      code: 'invalid-field',
      message: `${id}.json: messageId: expected int to be <=9007199254740991, found 9007199254740992`,
    });
  });
});

describe('a file name', () => {
  test.each([
    ['41.json', '41'],
    ['9007199254740993.json', '9007199254740993'],
    ['42 2.json', null],
    ['42 (1).json', null],
    ['041.json', null],
    ['0.json', null],
    ['-41.json', null],
    ['4１.json', null],
    ['41.JSON', null],
    ['41.json.3046277378', null],
    ['41.json\n', null],
    ['.DS_Store', null],
    ['.41.json', null],
    ['12345678901234567.json', null],
    ['', null],
  ])('%j stands for the request %s', (name, id) => {
    expect(requestIdOf(name)).toBe(id);
  });

  test('sorts as a number', () => {
    expect(['100', '9', '41'].sort(byId)).toEqual(['9', '41', '100']);
  });
});

test('text that JSON.parse overflows on is a refusal, not an exception', () => {
  const parse = JSON.parse;
  JSON.parse = () => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  try {
    expect(parseJson('[[]]')).toEqual({ ok: false, found: 'JSON nested too deep', at: null });
  } finally {
    JSON.parse = parse;
  }
});

test.each([
  [{ version: 3 }, 3],
  [{}, undefined],
  [[], undefined],
  [null, undefined],
  ['version', undefined],
])('the version of %j is %s', (value, version) => {
  expect(versionOf(value)).toBe(version);
});
