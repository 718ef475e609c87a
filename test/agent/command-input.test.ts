/** What a command agent is given: its arguments, its prompt, its environment; and that no shell reads any of it. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { commandAgent } from '../../src/agent/command-agent.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';
import { SESSION, answered, held, printed, ran, runSpec } from './run-spec.ts';

const TELL_ARGUMENTS = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
const TELL_ENVIRONMENT = 'process.stdout.write(JSON.stringify(process.env))';

test('the arguments reach the program as they stand in the settings', async () => {
  const cwd = scratchFolder();
  const args = [
    'two words',
    `"double" 'single'`,
    '$(touch made)',
    '`touch made`',
    '$HOME',
    'a\nb',
    '; touch made',
    '*',
    '--help',
    '',
    '한글 😀',
    '\\',
  ];
  const agent = commandAgent({ command: [process.execPath, '-e', TELL_ARGUMENTS, '--', ...args], cwd });

  expect(JSON.parse(await answered(agent, runSpec()))).toEqual(args);
  expect(execFileSync('ls', [cwd], { encoding: 'utf8' }), 'nothing was made by a shell').toBe('');
});

test.for([
  ['an option', '--help'],
  ['dangerous options', '-p --dangerously-skip-permissions x'],
  ['shell syntax', '$(touch made); `touch made` & "\' > made'],
  ['many lines', 'a\n\n\tb\r\nc'],
  ['no newline at its end', 'a'],
  ['a newline at its end', 'a\n'],
  ['nothing', ''],
  ['NUL', 'a\0b'],
  ['Korean and emoji', '바다에 대해 👩‍👩‍👧 써 줘'],
  ['200 kB', 'x'.repeat(200_000)],
  ['5 MB', '가나다라 '.repeat(400_000)],
])('a prompt of %s is read from stdin byte for byte, up to its end', async ([, prompt]) => {
  const spec = runSpec({ prompt: prompt ?? '' });

  await ran(commandAgent({ command: ['cat'], cwd: scratchFolder() }), spec);

  expect(printed(spec).equals(Buffer.from(spec.prompt, 'utf8'))).toBe(true);
});

test('half a surrogate pair in the prompt is read as the replacement character', async () => {
  const agent = commandAgent({ command: ['cat'], cwd: scratchFolder() });

  expect(await answered(agent, runSpec({ prompt: 'a\uD83Db' }))).toBe('a\uFFFDb');
});

test('the prompt never stands in the list of processes', async () => {
  const run = await held(
    commandAgent({ command: ['sleep', '60.41'], cwd: scratchFolder() }),
    runSpec({ prompt: 'a-secret-plan' }),
  );
  const before = processList();
  run.letGo();
  const program = await vi.waitUntil(
    () => processList().find((line) => line.includes('sleep 60.41') && !line.includes('gate')),
    { timeout: 45_000 },
  );

  expect([...before, program].filter((line) => line.includes('a-secret-plan'))).toEqual([]);

  run.stop('cancelled');
  await run.finished;
});

test('the environment is that of the consumer, without what is the bridge’s own, and with the names of the contract', async () => {
  const cwd = scratchFolder();
  const given = {
    TELEGRAM_BOT_TOKEN: '110201543:secret',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:1',
    TELEGRAM_: 'x',
    BLOG_BRIDGE_HOME: '/home/me/blog',
    BLOG_BRIDGE_ANYTHING: 'x',
    BLOG_FILES_DIR: '/files/of/a/bridge/around/this/one',
    BLOG_TURN: '99',
    BLOG_THEME: 'kept',
    MY_TELEGRAM: 'kept',
    'npm_package_bin_blog-bridge': 'a name that no shell could write',
    EMPTY: '',
    MANY_LINES: 'a\nb=c',
    TERM: 'xterm-256color',
    PATH: process.env['PATH'] ?? '',
  };
  const spec = runSpec({ turn: 3 });
  vi.stubGlobal('process', Object.assign(Object.create(process), { env: given }));
  try {
    const agent = commandAgent({ command: [process.execPath, '-e', TELL_ENVIRONMENT], cwd });
    const found: Record<string, string> = JSON.parse(await answered(agent, spec));
    // Node itself hands this one down while coverage is collected.
    delete found['NODE_V8_COVERAGE'];
    // A shell tells where it is and how deep; the folder is the true one.
    const { PWD, OLDPWD: _OLDPWD, SHLVL: _SHLVL, _, ...rest } = found;

    expect(PWD === undefined || PWD === cwd).toBe(true);
    expect(rest).toEqual({
      BLOG_THEME: 'kept',
      MY_TELEGRAM: 'kept',
      'npm_package_bin_blog-bridge': 'a name that no shell could write',
      EMPTY: '',
      MANY_LINES: 'a\nb=c',
      PATH: given.PATH,
      BLOG_REQUEST_ID: '43',
      BLOG_CONVERSATION: '41',
      BLOG_SESSION_ID: SESSION,
      BLOG_TURN: '3',
      BLOG_OUT_DIR: spec.outFolder,
      NO_COLOR: '1',
      TERM: 'dumb',
    });
  } finally {
    vi.unstubAllGlobals();
  }
});

test('BLOG_FILES_DIR names the folder of the attachments where there are some', async () => {
  const agent = commandAgent({ command: ['/bin/sh', '-c', 'echo "$BLOG_FILES_DIR"'], cwd: scratchFolder() });

  expect(await answered(agent, runSpec({ filesFolder: '/some/where/in' }))).toBe('/some/where/in\n');
});

test('the program runs in the working folder, and a relative one is found from there', async () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'mine'), '#!/bin/sh\npwd\n', { mode: 0o755 });

  expect(await answered(commandAgent({ command: ['./mine'], cwd }), runSpec())).toBe(`${cwd}\n`);
});

test.for([
  { turn: 1, resume: true, expected: `new ${SESSION} x${SESSION}x` },
  { turn: 2, resume: true, expected: `again ${SESSION}` },
  { turn: 7, resume: true, expected: `again ${SESSION}` },
  { turn: 1, resume: false, expected: `new ${SESSION} x${SESSION}x` },
  { turn: 2, resume: false, expected: `new ${SESSION} x${SESSION}x` },
])('turn $turn with a resume command ($resume) is started as "$expected"', async ({ turn, resume, expected }) => {
  const agent = commandAgent({
    command: ['echo', 'new', '{sessionId}', 'x{sessionId}x'],
    ...(resume ? { resumeCommand: ['echo', 'again', '{sessionId}'] } : {}),
    cwd: scratchFolder(),
  });

  expect(await answered(agent, runSpec({ turn }))).toBe(`${expected}\n`);
  expect(agent.resumesSessions).toBe(resume);
});

function processList(): string[] {
  return execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
}
