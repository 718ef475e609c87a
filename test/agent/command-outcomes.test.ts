/** What a run of a command comes to, and that nothing of it is left afterwards. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { commandAgent } from '../../src/agent/command-agent.ts';
import type { HeldRun } from '../../src/core/ports.ts';
import { groupMembers } from '../../src/platform/process-group.ts';
import { identityOf } from '../../src/platform/process-identity.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';
import { answered, held, ran, runSpec } from './run-spec.ts';

const shell = (script: string) => commandAgent({ command: ['/bin/sh', '-c', script], cwd: scratchFolder() });

test.for([
  {
    what: 'exit code 3',
    script: 'echo why >&2; exit 3',
    code: 'agent-exit',
    message: 'the agent ended with exit code 3: why',
  },
  {
    what: 'exit code 1 after a good answer',
    script: 'echo fine; exit 1',
    code: 'agent-exit',
    message: 'the agent ended with exit code 1, without a word on stderr',
  },
  {
    what: 'a signal',
    script: 'kill -9 $$',
    code: 'agent-signal',
    message: 'the agent was ended by SIGKILL, without a word on stderr',
  },
  {
    what: 'SIGTERM from outside',
    script: 'kill $$',
    code: 'agent-signal',
    message: 'the agent was ended by SIGTERM, without a word on stderr',
  },
  {
    what: 'a signal to what a shell runs',
    script: "exec 2>/dev/null; /bin/sh -c 'kill -9 $$'; exit $?",
    code: 'agent-exit',
    message: 'the agent ended with exit code 137 (SIGKILL), without a word on stderr',
  },
  {
    what: 'colours and NUL on stderr',
    script: String.raw`printf '\033[31mred\033[0m\000 alert\n' >&2; exit 2`,
    code: 'agent-exit',
    message: 'the agent ended with exit code 2: red alert',
  },
])('$what is a failed run', async ({ script, code, message }) => {
  expect(await ran(shell(script), runSpec())).toEqual({ kind: 'failed', code, message });
});

test('of much on stderr the last ten lines are told', async () => {
  const outcome = await ran(
    shell('i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo "line $i" >&2; done; exit 3'),
    runSpec(),
  );

  const message = outcome.kind === 'failed' ? outcome.message : '';
  expect(message.split('\n')).toHaveLength(10);
  expect(message).toMatch(/^the agent ended with exit code 3: line 2991\n.*\nline 3000$/su);
});

test.for([
  {
    what: 'true, with a prompt of 5 MB that it never reads',
    command: ['true'],
    prompt: 'x'.repeat(5_000_000),
    answer: '',
  },
  {
    what: '1 MB on stderr only',
    command: ['/bin/sh', '-c', 'head -c 1000000 /dev/zero >&2; echo ok'],
    prompt: '',
    answer: 'ok\n',
  },
  {
    what: 'bytes that are no UTF-8',
    command: ['printf', String.raw`a\377\355\240\200b\000c`],
    prompt: '',
    answer: 'a\uFFFD\uFFFD\uFFFD\uFFFDb\0c',
  },
])('$what is no trouble', async ({ command, prompt, answer }) => {
  expect(await answered(commandAgent({ command, cwd: scratchFolder() }), runSpec({ prompt }))).toBe(answer);
});

test('of 50 MB the first MiB is taken, never cut inside a character, and the whole is named', async () => {
  const spec = runSpec();
  const outcome = await ran(shell('yes 가나다 | head -c 52428800'), spec);

  expect(outcome).toMatchObject({ kind: 'answered', whole: spec.outputPath });
  const markdown = outcome.kind === 'answered' ? outcome.markdown : '';
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(1024 * 1024);
  expect(Buffer.byteLength(markdown)).toBeGreaterThan(1024 * 1024 - 4);
  expect(markdown).not.toContain('\uFFFD');
});

test('exactly 1 MiB is the whole answer', async () => {
  const outcome = await ran(shell('yes | head -c 1048576'), runSpec());

  expect(outcome).toMatchObject({ kind: 'answered', whole: null });
});

test.for([
  {
    what: 'a program that is nowhere on PATH',
    command: ['no-such-program-anywhere'],
    code: 'agent-missing',
    found: /found none of that name on PATH/u,
  },
  {
    what: 'a path where nothing is',
    command: ['/no/such/program'],
    code: 'agent-missing',
    found: /found nothing at \/no\/such\/program$/u,
  },
  { what: 'a path below a file', command: ['/bin/sh/program'], code: 'agent-missing', found: /found nothing at/u },
  { what: 'a folder', command: ['./folder'], code: 'agent-missing', found: /found a folder at/u },
  {
    what: 'a file that is not executable',
    command: ['./text'],
    code: 'agent-missing',
    found: /which is not executable$/u,
  },
  {
    what: 'a script whose interpreter is missing',
    command: ['./script'],
    code: 'agent-missing',
    found: /begins with “#!\/no\/such\/interpreter”: expected a program there, found none$/u,
  },
  { what: 'an argument with NUL', command: ['echo', 'a\0b'], code: 'agent-not-started', found: /NUL/u },
  {
    what: 'an argument too long for the system',
    command: ['echo', 'x'.repeat(200_000)],
    code: 'agent-not-started',
    found: /E2BIG/u,
  },
  {
    what: 'a missing working folder',
    command: ['echo'],
    cwd: '/no/such/folder',
    code: 'agent-folder-missing',
    found: /agent\.cwd \/no\/such\/folder: expected a folder/u,
  },
  {
    what: 'a file as working folder',
    command: ['echo'],
    cwd: '/etc/passwd',
    code: 'agent-folder-missing',
    found: /agent\.cwd \/etc\/passwd/u,
  },
])('$what is a certain no-run', async ({ command, cwd, code, found }) => {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'text'), '#!/bin/sh\n');
  chmodSync(join(folder, 'text'), 0o644);
  writeFileSync(join(folder, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });

  const outcome = await commandAgent({ command, cwd: cwd ?? folder }).hold(runSpec());

  expect(outcome).toMatchObject({ kind: 'unavailable', code, message: expect.stringMatching(found) });
});

test('children that a finished program leaves behind are ended, and its answer counts', async () => {
  const run = await held(shell('sleep 60 & sleep 60 & echo done'), runSpec());
  run.letGo();

  expect(await run.finished).toMatchObject({ kind: 'answered', markdown: 'done\n' });
  expect(groupMembers(run.process.pid)).toEqual([]);
});

test('an order to stop that comes when the program has ended, but not yet its children, changes nothing', async () => {
  const run = await held(shell("(trap 'sleep 1; exit' TERM; while :; do sleep 0.05; done) & echo done"), runSpec());
  run.letGo();
  await programEnded(run);

  run.stop('timeout');

  expect(await run.finished).toMatchObject({ kind: 'answered', markdown: 'done\n' });
});

test('a program and its grandchildren that ignore SIGTERM are gone when the run has ended', async () => {
  const spec = runSpec();
  const run = await held(shell("trap '' TERM; (sleep 60 & sleep 60) & echo begun; sleep 60"), spec);
  run.letGo();
  await vi.waitUntil(() => groupMembers(run.process.pid).length >= 4, { timeout: 45_000 });

  run.stop('timeout');

  expect(await run.finished).toEqual({ kind: 'stopped', reason: 'timeout' });
  expect(groupMembers(run.process.pid)).toEqual([]);
});

async function programEnded(run: HeldRun): Promise<void> {
  await vi.waitUntil(() => identityOf(run.process.pid) === null, { timeout: 45_000, interval: 5 });
}
