import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { blot } from '../../src/platform/stderr.ts';

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

test.for([
  {
    what: 'a named secret',
    text: 'calling with hush-hush twice: hush-hush',
    secrets: ['hush-hush'],
    blotted: 'calling with [token] twice: [token]',
  },
  {
    what: 'what looks like a token, though nobody named it',
    text: `https://api.telegram.org/bot${TOKEN}/getMe`,
    secrets: [],
    blotted: 'https://api.telegram.org/bot[token]/getMe',
  },
  { what: 'a token inside JSON', text: `{"url":"/bot${TOKEN}/x"}`, secrets: [''], blotted: '{"url":"/bot[token]/x"}' },
])('$what is blotted out', ({ text, secrets, blotted }) => {
  expect(blot(text, secrets)).toBe(blotted);
});

test.for(['2026-11-30T09:00:00.000Z', 'message 41:42', '127.0.0.1:8081', '12345678:short'])(
  '%s stays as it is',
  (text) => {
    expect(blot(text, [])).toBe(text);
  },
);

test.for([
  { what: 'a closed pipe', redirect: '2>&-' },
  { what: 'a full disk', redirect: '2>/dev/full' },
])('with $what behind it the log costs a line, not the process', ({ redirect }) => {
  const program = `
    const { openLog } = await import(process.env.LOG);
    const log = openLog('bot', []);
    for (let i = 0; i < 1000; i++) log.info({ i }, 'something happened');
    process.stdout.write('alive');
  `;
  const LOG = new URL('../../build/platform/log.js', import.meta.url).href;
  const { stdout, status } = spawnSync(
    '/bin/sh',
    ['-c', `exec "$NODE" --input-type=module -e "$PROGRAM" ${redirect}`],
    {
      env: { NODE: process.execPath, PROGRAM: program, LOG },
      encoding: 'utf8',
    },
  );

  expect({ stdout, status }).toEqual({ stdout: 'alive', status: 0 });
});

test('a log line is one line of JSON: when, which part, what happened, and its facts, without the token', () => {
  const program = `
    const { openLog } = await import(process.env.LOG);
    openLog('bot', ['hush-hush']).warn({ request: '41', cause: 'with\\nhush-hush' }, 'trouble');
  `;
  const LOG = new URL('../../build/platform/log.js', import.meta.url).href;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { LOG },
    encoding: 'utf8',
  });

  expect(stderr).toMatch(/^\{.*\}\n$/u);
  expect(JSON.parse(stderr)).toEqual({
    level: 40,
    time: expect.stringMatching(/^\d{4}-.*Z$/u),
    component: 'bot',
    request: '41',
    cause: 'with\n[token]',
    event: 'trouble',
  });
});
