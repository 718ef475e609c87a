import { expect, test } from 'vitest';
import { initWordsIn, localeLanguage } from '../../src/core/init-words.ts';

/** Every text of a catalogue, those that take facts with some. */
function texts(words: object): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    const place = { host: 'api.telegram.org', detail: 'ECODE' };
    if (typeof value === 'string') found.set(path, value);
    else if (typeof value === 'function')
      walk((value as (...facts: unknown[]) => unknown)(path.startsWith('trouble') ? place : 7, 7), `${path}()`);
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, path === '' ? key : `${path}.${key}`);
  };
  walk(words, '');
  return found;
}

const [en, ko] = [texts(initWordsIn('en')), texts(initWordsIn('ko'))];

test('both catalogues hold the same texts, none empty and none left out', () => {
  expect([...ko.keys()]).toEqual([...en.keys()]);
  expect(en.size).toBeGreaterThan(100);
  for (const [key, text] of [...en, ...ko]) expect(text.trim() === '' || text.includes('undefined'), key).toBe(false);
});

test('Korean texts are Korean, and English ones are not', () => {
  const hangul = /\p{Script=Hangul}/u;
  const names = new Set(['kindAcp']);
  expect([...ko].filter(([key, text]) => !hangul.test(text) && !names.has(key))).toEqual([]);
  expect([...en].filter(([, text]) => hangul.test(text))).toEqual([]);
});

test('each cause of not reaching Telegram has words of its own', () => {
  for (const catalogue of [en, ko]) {
    const causes = [...catalogue].filter(([key]) => /^trouble\..*\.0$/u.test(key)).map(([, text]) => text);
    expect(new Set(causes).size).toBe(15);
    expect(causes).toHaveLength(15);
  }
});

test.each([
  [{ LANG: 'ko_KR.UTF-8' }, 'ko'],
  [{ LANG: 'ko' }, 'ko'],
  [{ LANG: 'kok_IN' }, 'en'],
  [{ LANG: 'ko_KR.UTF-8', LC_ALL: 'C' }, 'en'],
  [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'ko_KR' }, 'ko'],
  [{ LC_ALL: '', LANG: 'ko_KR' }, 'ko'],
  [{}, 'en'],
] as const)('the locale %j speaks %s', (environment, language) => {
  expect(localeLanguage(environment)).toBe(language);
});
