import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADAPTERS, KNOWN_AGENTS, commandText, linesWith, programWord } from '../../src/core/agent-proposals.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The `"agent": {…}` lines of README, without the folder, which is each person's own. */
const inReadme = [...README.matchAll(/^"agent": (\{[\s\S]*?\})\n```$/gmu)].map(([, lines = '']) => {
  const { cwd: _, ...agent } = JSON.parse(lines) as Record<string, unknown>;
  return agent;
});

test.each(KNOWN_AGENTS.map(({ name, lines }) => [name, lines] as const))(
  '%s is proposed with the lines that README gives',
  (name, lines) => {
    expect(inReadme).toContainEqual(lines);
    expect(lines.kind === 'sample' ? undefined : lines.command[0]).toBe(name);
  },
);

test('README tells of no agent that is not proposed, and how each adapter is installed', () => {
  expect(inReadme).toHaveLength(KNOWN_AGENTS.length);
  for (const { install } of ADAPTERS) expect(README).toContain(install);
});

test.each([
  ['on PATH, as ever', '/opt/homebrew/bin', 'claude'],
  ['in the folder of one Node version', '/home/me/.nvm/versions/node/v20.20.2/bin', 'claude'],
  ['found outside of PATH', null, '/x/claude'],
  ['on PATH only under npx', '/home/me/blog-bridge/node_modules/.bin', '/x/claude'],
  ['on PATH only in this shell', '/run/user/1000/fnm_multishells/12_34/bin', '/x/claude'],
  ['in a relative folder of PATH', 'bin', '/x/claude'],
])('a program %s', (_, folder, word) => {
  expect(programWord('claude', '/x/claude', folder)).toBe(word);
});

test('another word for the program stands wherever the program does', () => {
  const claude = KNOWN_AGENTS.find(({ name }) => name === 'claude');
  expect(linesWith(claude?.lines ?? { kind: 'sample' }, '/x/claude')).toEqual({
    kind: 'command',
    command: ['/x/claude', '-p', '--session-id', '{sessionId}'],
    resumeCommand: ['/x/claude', '-p', '--resume', '{sessionId}'],
  });
});

test('a command is shown as one would type it', () => {
  expect(commandText({ kind: 'command', command: ['claude', '{sessionId}', 'two words'] })).toBe(
    'claude {sessionId} "two words"',
  );
});
