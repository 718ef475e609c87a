import { expect, test } from 'vitest';
import { BridgeError, EXIT, type ErrorCode, errorCode, errorWords } from '../../src/core/failure.ts';

test.each<[ErrorCode, number]>([
  ['config-invalid', 78],
  ['config-missing', 78],
  ['token-missing', 78],
  ['token-refused', 78],
  ['home-of-another-chat', 78],
  ['home-unbound', 78],
  ['chat-migrated', 78],
  ['home-unusable', 78],
  ['lock-held', 75],
  ['lock-unreadable', 75],
  ['telegram-unreachable', 69],
  ['usage', 64],
  ['lock-lost', 1],
  ['order-refused', 1],
  ['internal', 1],
])('%s ends the process with %i', (code, exitCode) => {
  expect(new BridgeError(code, 'words').exitCode).toBe(exitCode);
});

test('success ends the process with 0', () => {
  expect(EXIT.done).toBe(0);
});

test('an error carries its words, its hint and its cause', () => {
  const cause = new Error('ENOSPC');
  const error = new BridgeError('write-incomplete', 'what', { hint: 'do this', cause });

  expect({ name: error.name, message: error.message, hint: error.hint, cause: error.cause }).toEqual({
    name: 'BridgeError',
    message: 'what',
    hint: 'do this',
    cause,
  });
  expect('cause' in new BridgeError('internal', 'what')).toBe(false);
  expect(new BridgeError('internal', 'what').hint).toBe('');
});

test.each([
  [Object.assign(new Error('x'), { code: 'ENOENT' }), 'ENOENT'],
  [new BridgeError('lock-lost', 'x'), 'lock-lost'],
  [Object.assign(new Error('x'), { code: 'Unknown system error -122' }), 'EDQUOT'],
  [Object.assign(new Error('x'), { code: 'Unknown system error -69' }), 'EDQUOT'],
  [Object.assign(new Error('x'), { code: 'Unknown system error -116' }), 'ESTALE'],
  [Object.assign(new Error('x'), { code: 'Unknown system error -74' }), 'Unknown system error -74'],
  [Object.assign(new Error('x'), { code: 7 }), undefined],
  [new Error('x'), undefined],
  ['ENOENT', undefined],
  [null, undefined],
  [undefined, undefined],
])('the code of %s is %s', (error, code) => {
  expect(errorCode(error)).toBe(code);
});

test.each([
  [new Error('one\n  two\nthree'), 'one · two · three'],
  [new Error('Unknown system error -122: Unknown system error -122, link'), 'EDQUOT: EDQUOT, link'],
  ['thrown text', 'thrown text'],
  [undefined, 'undefined'],
])('the words of %s stand on one line', (error, words) => {
  expect(errorWords(error)).toBe(words);
});
