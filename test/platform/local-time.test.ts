import { expect, test } from 'vitest';
import { localMinute } from '../../src/platform/local-time.ts';

test.each([
  { language: 'en', words: /^1 Dec 2026, \d\d:\d\d \S+$|^30 Nov 2026, \d\d:\d\d \S+$/u },
  { language: 'ko', words: /^2026년 1[12]월 (?:1|30)일 \d\d:\d\d \S+$/u },
] as const)('an instant in $language names day, time and zone', ({ language, words }) => {
  expect(localMinute('2026-11-30T12:32:00.000Z', language)).toMatch(words);
});

test('what is no instant stays as it is', () => {
  expect(localMinute('yesterday', 'en')).toBe('yesterday');
});
