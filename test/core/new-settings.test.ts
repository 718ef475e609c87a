import { parse } from 'dotenv';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answers, changesBetween, envWithToken, isSameAgent, mergedConfig } from '../../src/core/new-settings.ts';
import { parseSettings } from '../../src/core/settings.ts';

const answers: Answers = { chatId: 7001, userIds: [7001], agent: { kind: 'sample' }, cwd: null, language: null };

describe('config.json', () => {
  test('a new one holds what was answered, and nothing else', () => {
    expect(mergedConfig(null, answers)).toEqual({
      telegram: { chatId: 7001, userIds: [7001] },
      agent: { kind: 'sample' },
    });
  });

  test('what was not asked stays; another agent keeps its bounds but not the way it is called', () => {
    const before = {
      telegram: { chatId: 5, userIds: [5], apiRoot: 'http://127.0.0.1:8081' },
      agent: { kind: 'acp', command: ['a'], mode: 'default', cwd: '/blog', timeoutSeconds: 60, permissions: 'reject' },
      gatherSeconds: 3,
      language: 'ko',
    };
    expect(
      mergedConfig(before, { ...answers, agent: { kind: 'command', command: ['b'] }, cwd: '/blog', language: 'ko' }),
    ).toEqual({
      telegram: { chatId: 7001, userIds: [7001], apiRoot: 'http://127.0.0.1:8081' },
      agent: { kind: 'command', command: ['b'], cwd: '/blog', timeoutSeconds: 60, permissions: 'reject' },
      gatherSeconds: 3,
      language: 'ko',
    });
  });

  test('the same answers once more change nothing', () => {
    const before = mergedConfig(null, { ...answers, cwd: '/blog', language: 'en' });
    const after = mergedConfig(before, { ...answers, agent: null, cwd: '/blog', language: 'en' });
    expect(changesBetween(before, after)).toEqual([]);
    expect(parseSettings(JSON.stringify(after), 'config.json').agent.kind).toBe('sample');
  });

  test('what differs is told by its key', () => {
    const before = mergedConfig(null, { ...answers, language: 'en' });
    expect(changesBetween(before, mergedConfig(before, { ...answers, chatId: -5, cwd: '/blog' }))).toEqual([
      { key: 'telegram.chatId', from: '7001', to: '-5' },
      { key: 'language', from: '"en"', to: null },
      { key: 'agent.cwd', from: null, to: '"/blog"' },
    ]);
  });

  test('an agent is the same where kind and command are', () => {
    const settings = (agent: object) =>
      parseSettings(JSON.stringify({ telegram: { chatId: 1, userIds: [1] }, agent }), 'config.json').agent;
    const lines = { kind: 'acp', command: ['a', 'b'] } as const;
    expect(isSameAgent({ ...lines, command: ['a', 'b'] }, settings({ ...lines, timeoutSeconds: 9 }))).toBe(true);
    expect(isSameAgent({ ...lines, command: ['a'] }, settings(lines))).toBe(false);
    expect(isSameAgent({ kind: 'command', command: ['a', 'b'] }, settings(lines))).toBe(false);
  });
});

describe('.env', () => {
  const token = '110201543:a-new_one';

  test.each([
    ['', `TELEGRAM_BOT_TOKEN=${token}\n`],
    ['A=1', `A=1\nTELEGRAM_BOT_TOKEN=${token}\n`],
    ['# mine\nTELEGRAM_BOT_TOKEN=1:old\nA=1\n', `# mine\nTELEGRAM_BOT_TOKEN=${token}\nA=1\n`],
    [' export TELEGRAM_BOT_TOKEN = "1:old" # old\r\nA=1', `TELEGRAM_BOT_TOKEN=${token}\nA=1`],
    ['TELEGRAM_BOT_TOKEN=1:old\nA=1\nTELEGRAM_BOT_TOKEN=1:older', `TELEGRAM_BOT_TOKEN=${token}\nA=1\n`],
    ['MY_TELEGRAM_BOT_TOKEN=1:x\n', `MY_TELEGRAM_BOT_TOKEN=1:x\nTELEGRAM_BOT_TOKEN=${token}\n`],
  ])('%j', (before, after) => {
    expect(envWithToken(before, token)).toBe(after);
  });

  test('whatever stood there reads as before, but for the token', () => {
    const name = fc.stringMatching(/^[A-Z][A-Z_]{0,8}$/u);
    const value = fc.stringMatching(/^[a-z0-9 :#'"=]{0,12}$/u);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), fc.boolean(), (lines, hasToken) => {
        // A quote that runs over several lines hides what stands in it, as it does for dotenv.
        const plain = lines.map(([key, text]) => `${key}=${text.replaceAll(/['"]/gu, '')}\n`);
        const before = [...plain, hasToken ? 'TELEGRAM_BOT_TOKEN=1:old\n' : ''].join('');
        const after = envWithToken(before, token);
        expect(parse(after)).toEqual({ ...parse(before), TELEGRAM_BOT_TOKEN: token });
        expect(after).not.toContain('1:old');
      }),
    );
  });
});
