/** An agent asked whether it is there and answers, without giving it any work. */
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askAgent } from '../../src/agent/agent-check.ts';
import { type AgentSettings, parseSettings } from '../../src/core/settings.ts';

function settingsOf(agent: object): AgentSettings {
  return parseSettings(JSON.stringify({ telegram: { chatId: 1, userIds: [1] }, agent }), 'config.json').agent;
}

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-agent-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function ask(agent: object, cwd: string, environment: NodeJS.ProcessEnv = process.env, patienceMs = 30_000) {
  return askAgent({ agent: settingsOf(agent), cwd, environment, folder: scratch(), patienceMs });
}

function script(folder: string, source: string): string {
  const path = join(folder, 'agent');
  writeFileSync(path, source);
  chmodSync(path, 0o755);
  return path;
}

const command = { kind: 'command', command: ['./agent', '-p', 'work'] };

test('a command is asked for its version alone, in its folder, with no prompt and no token', async () => {
  const folder = scratch();
  script(folder, '#!/bin/sh\necho "agent 7 ($*) in $PWD$(cat) $TELEGRAM_BOT_TOKEN"\n');

  const answer = await ask(command, folder, { ...process.env, TELEGRAM_BOT_TOKEN: 'secret' });

  expect(answer).toEqual({ kind: 'answers', words: `agent 7 (--version) in ${folder}` });
});

test('one that takes no --version can be started all the same; one that never ends is ended', async () => {
  const folder = scratch();
  script(folder, '#!/bin/sh\necho "no such option" >&2\nexit 2\n');
  expect(await ask(command, folder)).toEqual({
    kind: 'silent',
    words: `${folder}/agent --version: the agent ended with exit code 2: no such option`,
  });

  script(folder, '#!/bin/sh\nexec sleep 1000\n');
  expect(await ask(command, folder, process.env, 100)).toEqual({
    kind: 'silent',
    words: `${folder}/agent --version did not end within 0.1 s`,
  });
});

test.for([
  {
    what: 'missing',
    source: null,
    words: /agent\.command \.\/agent: expected an executable program, found nothing at /u,
  },
  {
    what: 'for an interpreter that PATH does not know',
    source: '#!/usr/bin/env node\n',
    words:
      /agent begins with “#!\/usr\/bin\/env node”: expected a program node, found none of that name on PATH \/no\/such$/u,
  },
  {
    what: 'for an interpreter of env -S',
    source: '#!/usr/bin/env -S A=1 deno run\n',
    words: /expected a program deno, found none/u,
  },
  {
    what: 'for an interpreter that is not there',
    source: '#!/opt/no/python\n',
    words: /begins with “#!\/opt\/no\/python”: expected a program there, found none$/u,
  },
  {
    what: 'that starts what is not there',
    source: '#!/bin/sh\nexec no-such-program\n',
    words: /--version: the agent ended with exit code 127: .*no-such-program: not found$/u,
  },
])('an agent $what fails in words that name it', async ({ source, words }) => {
  const folder = scratch();
  if (source !== null) script(folder, source);

  expect(await ask(command, folder, { ...process.env, PATH: '/no/such' })).toEqual({
    kind: 'fails',
    words: expect.stringMatching(words),
  });
});

test('an agent whose folder is gone fails by the folder’s name', async () => {
  expect(await ask(command, '/no/such')).toEqual({
    kind: 'fails',
    words: 'agent.cwd /no/such: expected a folder, found none',
  });
});

test('an ACP agent is greeted and left; one that does not speak it fails', async () => {
  const folder = scratch();
  const example = realpathSync('node_modules/acp-example/dist/examples/agent.js');

  expect(await ask({ kind: 'acp', command: [process.execPath, example] }, folder)).toMatchObject({ kind: 'answers' });
  expect(await ask({ kind: 'acp', command: ['false'] }, folder)).toEqual({
    kind: 'fails',
    words: expect.stringMatching(/^the agent ended with exit code 1 before it took a prompt/u),
  });
  expect(await ask({ kind: 'sample' }, folder)).toEqual({ kind: 'answers', words: 'built in' });
});
