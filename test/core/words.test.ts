import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import { noticeWords, wordsIn } from '../../src/core/words.ts';

/** Every code that a failed receipt of ours can hold and that a person is told of. */
const CODES = [
  'agent-timeout',
  'agent-exit',
  'agent-signal',
  'agent-empty',
  'agent-missing',
  'agent-folder-missing',
  'agent-not-started',
  'agent-flood',
  'agent-not-ended',
  'send-refused',
  'send-not-arrived',
  'damaged-receipt',
];

const blank: Receipt = {
  version: 1,
  id: '41',
  state: 'failed',
  conversation: '41',
  session: null,
  run: 1,
  history: [],
  reply: null,
  agent: null,
  previous: [],
  error: null,
  attention: null,
  notice: null,
};

describe.each(['en', 'ko'] as const)('in %s', (language) => {
  const words = wordsIn(language);
  const toldOf = (code: string): string =>
    noticeWords(words, { ...blank, attention: 'failed', error: { stage: 'agent', code, message: '/Users/me/secret' } });

  test('every failure has words of its own, names request and code, and shows nothing of the error’s text', () => {
    const sentences = [...CODES, 'anything-else'].map((code) => toldOf(code).replace(code, ''));

    expect(new Set(sentences).size).toBe(sentences.length);
    for (const code of CODES) {
      expect(toldOf(code)).toContain(`(${code})`);
      expect(toldOf(code)).toContain('41');
      expect(toldOf(code)).not.toContain('secret');
    }
  });

  test.for(['constructor', 'toString', '__proto__'])('a code such as %s is only a code', (code) => {
    expect(toldOf(code).replace(code, 'anything-else')).toBe(toldOf('anything-else'));
  });

  test('each attention has its own words, and a doubtful delivery tells how much is certain', () => {
    const part = { kind: 'text' as const, messageIds: [], at: null, text: '', entities: [] };
    const reply = {
      markdown: '',
      parts: [
        { ...part, state: 'sent' as const },
        { ...part, state: 'sending' as const },
        { ...part, state: 'waiting' as const },
      ],
    };
    const doubtful = noticeWords(words, { ...blank, state: 'sending', attention: 'unknown-delivery', reply });
    const interrupted = noticeWords(words, { ...blank, state: 'submitted', attention: 'interrupted-run' });
    const rejected = noticeWords(words, { ...blank, state: 'rejected' });

    expect(new Set([doubtful, interrupted, rejected, toldOf('agent-exit')]).size).toBe(4);
    expect(doubtful).toContain('1');
    expect(doubtful).toContain('3');
  });

  test('no text is empty, and none is longer than a button press can show', () => {
    for (const text of Object.values(words.refused)) expect(text.length).toBeLessThanOrEqual(200);
    for (const text of [
      ...Object.values(words.button),
      ...Object.values(words.applied),
      words.help,
      words.usage,
      words.hint,
    ])
      expect(text.trim()).not.toBe('');
  });
});

test('every text of the Korean catalog is Korean, and every text of both says something', () => {
  const [en, ko] = [textsOf(wordsIn('en')), textsOf(wordsIn('ko'))];

  expect([...ko.keys()]).toEqual([...en.keys()]);
  // What no other thing is known of adds nothing to the notice, in either language.
  for (const texts of [en, ko]) expect(texts.get('notRecovered.unavailable')).toBe('');
  for (const texts of [en, ko]) texts.delete('notRecovered.unavailable');
  for (const [key, text] of ko) expect(text, key).toMatch(/[가-힣]/u);
  for (const [key, text] of en) expect(text, key).toMatch(/[a-z]/iu);
  // Bot API, BotCommand: 1 to 256 characters.
  for (const texts of [en, ko])
    for (const [key, text] of texts) if (key.startsWith('command.')) expect(text.length, key).toBeLessThanOrEqual(256);
});

/** Each text of a catalog by its key; what takes arguments is given some of its own kind. */
function textsOf(words: ReturnType<typeof wordsIn>): Map<string, string> {
  const given: Partial<Record<string, unknown[]>> = {
    decided: ['rerun', 'A', 'B'],
    statusWaiting: [2, ['A']],
    statusRunning: ['41', 3, null],
    queuePlaces: [[{ text: 'A', ahead: 2 }]],
    failed: ['41', 'agent-exit', 1, 2],
    question: ['A', null],
    // The option is the agent's, who and when are no words of ours.
    questionAnswered: [words.button.permit, 'A', 'B'],
  };
  const texts = new Map<string, string>();
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'function') texts.set(key, String(Reflect.apply(value, words, given[key] ?? [2, 2, 2])));
    else if (typeof value === 'string') texts.set(key, value);
    else for (const [name, inner] of Object.entries(value ?? {})) walk(inner, key === '' ? name : `${key}.${name}`);
  };
  walk(words, '');
  return texts;
}
