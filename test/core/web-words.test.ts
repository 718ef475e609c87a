import { expect, test } from 'vitest';
import { type WebWords, webWordsIn } from '../../src/core/web-words.ts';

/** Every text of a catalog by its place; functions are called with something to say. */
function textsOf(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') {
    const said: unknown = value.length === 1 && place === '.duration' ? '' : value('7', '9', '11');
    return typeof said === 'string' && said !== '' ? [[place, said]] : [];
  }
  return Object.entries(value as object).flatMap(([key, inside]) => textsOf(inside, `${place}.${key}`));
}

const en = new Map(textsOf(webWordsIn('en')));
const ko = new Map(textsOf(webWordsIn('ko')));

test('no text is empty, and both languages have the same ones', () => {
  expect([...ko.keys()]).toEqual([...en.keys()]);
  expect([...en, ...ko].filter(([, text]) => text.trim() === '')).toEqual([]);
  expect(en.size).toBeGreaterThan(100);
});

test('every Korean text is Korean, and no English one is', () => {
  expect([...ko].filter(([, text]) => !/\p{Script=Hangul}/u.test(text)).map(([place]) => place)).toEqual([]);
  expect([...en].filter(([, text]) => /\p{Script=Hangul}/u.test(text))).toEqual([]);
});

test.for([
  [{ days: 0, hours: 0, minutes: 0, seconds: 0, ms: 12 }, '12 ms', '12밀리초'],
  [{ days: 0, hours: 0, minutes: 0, seconds: 42, ms: 42_000 }, '42 s', '42초'],
  [{ days: 0, hours: 0, minutes: 3, seconds: 0, ms: 180_000 }, '3 min', '3분'],
  [{ days: 0, hours: 2, minutes: 5, seconds: 9, ms: 0 }, '2 h 5 min', '2시간 5분'],
  [{ days: 3, hours: 4, minutes: 0, seconds: 0, ms: 0 }, '3 d 4 h', '3일 4시간'],
] as const)('%o is said in both', ([parts, english, korean]) => {
  const said = (words: WebWords): string => words.duration({ ...parts });

  expect([said(webWordsIn('en')), said(webWordsIn('ko'))]).toEqual([english, korean]);
});
