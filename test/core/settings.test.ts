import { describe, expect, test } from 'vitest';
import { SHARED_TELEGRAM_IDS, languageOf, parseSettings } from '../../src/core/settings.ts';

const telegram = { chatId: 7001, userIds: [7001] };
const agent = { kind: 'command', command: ['claude', '-p'] };

test('what is left out has the defaults of the contract', () => {
  expect(parse({ telegram, agent })).toEqual({
    telegram: { ...telegram, apiRoot: 'https://api.telegram.org' },
    agent: { ...agent, timeoutSeconds: 1800, permissions: 'ask', permissionMinutes: 10 },
    gatherSeconds: 1.5,
  });
});

test('the example of the contract is taken as it stands', () => {
  const example = {
    telegram: { chatId: 7001, userIds: [7001], apiRoot: 'https://api.telegram.org' },
    agent: {
      kind: 'command',
      command: ['claude', '-p', '--session-id', '{sessionId}'],
      resumeCommand: ['claude', '-p', '--resume', '{sessionId}'],
      cwd: '/Users/me/blog',
      timeoutSeconds: 1800,
      permissions: 'ask',
      permissionMinutes: 10,
      mode: 'default',
    },
    language: 'ko',
    gatherSeconds: 1.5,
  };

  expect(parse(example)).toEqual(example);
});

test.for([
  { what: 'the sample agent needs no command', config: { telegram, agent: { kind: 'sample' } } },
  { what: 'an agent of the protocol', config: { telegram, agent: { ...agent, kind: 'acp' } } },
  { what: 'a group', config: { telegram: { ...telegram, chatId: -1001 }, agent } },
  {
    what: 'arguments may be empty, long, and of any text',
    config: { telegram, agent: { ...agent, command: ['a', '', '$(x)\n', 'y'.repeat(1_000)] } },
  },
  { what: 'no gathering at all', config: { telegram, agent, gatherSeconds: 0 } },
])('taken: $what', ({ config }) => {
  expect(parse(config)).toMatchObject(config);
});

test('a byte order mark before the text is passed over', () => {
  expect(parseSettings(`\uFEFF${JSON.stringify({ telegram, agent })}`, 'config.json')).toMatchObject({ telegram });
});

describe('refused with 78: which key, expected, found', () => {
  test.for([
    ['{', 'expected one JSON object, found text that is no JSON'],
    ['', 'expected one JSON object, found an empty file'],
    ['['.repeat(100_000), 'found'],
    [[], 'file: expected an object, found an empty list'],
    [{ agent }, 'telegram: expected an object, found nothing'],
    [{ telegram }, 'agent: expected an object, found nothing'],
    [
      { telegram: { chatid: 7001, userIds: [7001] }, agent },
      'telegram.chatId: expected a number, found nothing, but the unknown key chatid',
    ],
    [{ telegram, agent, colour: 'red' }, 'colour: expected no such key, found one'],
    [
      `{"telegram":{"chatId":1,"userIds":[1]},"agent":{"kind":"sample"},"__proto__":{}}`,
      '__proto__: expected no such key, found one',
    ],
    [{ telegram: { ...telegram, token: 'x' }, agent }, 'telegram.token: expected no such key, found one'],
    [{ telegram: { ...telegram, chatId: '7001' }, agent }, 'telegram.chatId: expected a number, found "7001"'],
    [{ telegram: { ...telegram, chatId: 1.5 }, agent }, 'telegram.chatId: expected a whole number, found 1.5'],
    [{ telegram: { ...telegram, chatId: 0 }, agent }, 'telegram.chatId: expected a chat id other than 0, found 0'],
    [{ telegram: { chatId: 1 }, agent }, 'telegram.userIds: expected a list, found nothing'],
    [
      { telegram: { ...telegram, userIds: [] }, agent },
      'telegram.userIds: expected array to have >=1 items, found an empty list',
    ],
    [{ telegram: { ...telegram, userIds: [1, 'x'] }, agent }, 'telegram.userIds.1: expected a number, found "x"'],
    [{ telegram: { ...telegram, userIds: [null] }, agent }, 'telegram.userIds.0: expected a number, found null'],
    [{ telegram: { ...telegram, userIds: [-1] }, agent }, 'telegram.userIds.0: expected number to be >0, found -1'],
    [
      { telegram: { ...telegram, apiRoot: 'ftp://x' }, agent },
      'telegram.apiRoot: expected an http or https address, found "ftp://x"',
    ],
    [{ telegram, agent: 'claude' }, 'agent: expected an object, found "claude"'],
    [{ telegram, agent: { command: ['x'] } }, 'agent.kind: expected "acp", "command" or "sample", found nothing'],
    [{ telegram, agent: { kind: 'shell' } }, 'agent.kind: expected "acp", "command" or "sample", found "shell"'],
    [{ telegram, agent: { kind: 'command' } }, 'agent.command: expected a list, found nothing'],
    [{ telegram, agent: { kind: 'acp' } }, 'agent.command: expected a list, found nothing'],
    [{ telegram, agent: { ...agent, command: 'claude -p' } }, 'agent.command: expected a list, found "claude -p"'],
    [{ telegram, agent: { ...agent, command: [] } }, 'agent.command.0: expected a text, found nothing'],
    [
      { telegram, agent: { ...agent, command: [''] } },
      'agent.command.0: expected string to have >=1 characters, found ""',
    ],
    [
      { telegram, agent: { ...agent, command: ['a', 'b\0'] } },
      'agent.command.1: expected a text without NUL, found "b\\u0000"',
    ],
    [{ telegram, agent: { ...agent, resumeCommand: 5 } }, 'agent.resumeCommand: expected a list, found 5'],
    [{ telegram, agent: { ...agent, timeoutSeconds: 0 } }, 'agent.timeoutSeconds: expected number to be >0, found 0'],
    [
      { telegram, agent: { ...agent, permissions: 'yes' } },
      'agent.permissions: expected "ask" or "allow" or "reject", found "yes"',
    ],
    [{ telegram, agent, language: 'fr' }, 'language: expected "ko" or "en", found "fr"'],
    [{ telegram, agent, gatherSeconds: '1' }, 'gatherSeconds: expected a number, found "1"'],
  ] satisfies [string | object, string][])('%j', ([config, words]) => {
    const source = typeof config === 'string' ? config : JSON.stringify(config);

    expect(() => parseSettings(source, '/home/config.json')).toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        exitCode: 78,
        message: expect.stringMatching(/^\/home\/config\.json: /u),
      }),
    );
    expect(() => parseSettings(source, '/home/config.json')).toThrow(words);
  });

  test.for([...SHARED_TELEGRAM_IDS])('%i is no person', (id) => {
    expect(() => parse({ telegram: { chatId: 1, userIds: [id] }, agent })).toThrow(
      'telegram.userIds.0: expected the id of one person',
    );
  });
});

test.for([
  { configured: 'en', person: 'ko', language: 'en' },
  { configured: undefined, person: 'ko-KR', language: 'ko' },
  { configured: undefined, person: 'KO', language: 'ko' },
  { configured: undefined, person: 'de', language: 'en' },
  { configured: undefined, person: undefined, language: 'en' },
])('configured $configured, a person of $person is answered in $language', ({ configured, person, language }) => {
  expect(
    languageOf(parse({ telegram, agent, ...(configured === undefined ? {} : { language: configured }) }), person),
  ).toBe(language);
});

function parse(config: object) {
  return parseSettings(JSON.stringify(config), 'config.json');
}
