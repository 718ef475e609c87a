/** The gate that is opened ahead: used where it would be opened just so now, and leaving by itself. */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { commandAgent } from '../../src/agent/command-agent.ts';
import { Gates } from '../../src/agent/gates.ts';
import { commandOf, openGate } from '../../src/agent/gate.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';
import { answered, runSpec } from './run-spec.ts';

const ENV = { PATH: '/usr/bin:/bin' };
const LEFT = { code: 0, signal: null };

test('a gate opened ahead is the next one, once, and the one after it is new', async () => {
  const opened = vi.fn(openGate);
  const gates = new Gates(scratchFolder(), ENV, opened);
  await Promise.all([gates.prepare(), gates.prepare()]);
  await gates.prepare();
  expect(opened).toHaveBeenCalledTimes(1);

  const [first, second] = [await gates.take(), await gates.take()];

  expect(opened).toHaveBeenCalledTimes(2);
  expect(first.identity.pid).not.toBe(second.identity.pid);
  for (const gate of [first, second]) gate.close();
  expect([await first.exited, await second.exited]).toEqual([LEFT, LEFT]);
});

test('a gate opened ahead is not used where its folder was made anew, and leaves', async () => {
  const folder = join(scratchFolder(), 'work');
  mkdirSync(folder);
  const opened = vi.fn(openGate);
  const gates = new Gates(folder, ENV, opened);
  await gates.prepare();
  renameSync(folder, `${folder}-old`);
  mkdirSync(folder);

  const gate = await gates.take();

  const spare = await (opened.mock.results[0]?.value as ReturnType<typeof openGate>);
  expect(gate.identity.pid).not.toBe(spare.identity.pid);
  expect(await spare.exited).toEqual(LEFT);
  gate.close();
});

test('a gate that somebody ended is replaced', async () => {
  const opened = vi.fn(openGate);
  const gates = new Gates(scratchFolder(), ENV, opened);
  await gates.prepare();
  const spare = await (opened.mock.results[0]?.value as ReturnType<typeof openGate>);
  process.kill(spare.identity.pid, 'SIGKILL');
  await spare.exited;

  const gate = await gates.take();

  expect(opened).toHaveBeenCalledTimes(2);
  gate.close();
});

test('a run behind a gate opened ahead gets arguments, variables and files as any other', async () => {
  const script = 'printf "%s|" "$@"; printf "%s|" "$BLOG_REQUEST_ID" "$NO_COLOR"; cat';
  const agent = commandAgent({
    command: ['/bin/sh', '-c', script, 'name', 'a\nb', '', '$HOME', ' x '],
    cwd: scratchFolder(),
  });
  await agent.prepare?.();

  expect(await answered(agent, runSpec({ prompt: 'the prompt' }))).toBe('a\nb||$HOME| x |43|1|the prompt');
});

/** Each of them would mean something to a shell if it were not quoted. */
const ODD = [
  "'",
  "''",
  `'"'"'`,
  '\\',
  "\\'",
  'a\\\nb',
  '"',
  '`id`',
  '$(id)',
  '}',
  '\n}\n',
  ';',
  '#',
  '*',
  '~',
  '한글 🙂',
  '\u0001',
  '',
];

test('whatever is no NUL reaches the program as it is', async () => {
  const drawn = fc.sample(fc.string({ unit: 'binary', maxLength: 30 }), { numRuns: 400, seed: 1 });
  const sendable = ODD.concat(drawn.map((word) => word.replaceAll('\0', '')));
  const agent = commandAgent({
    command: ['/bin/sh', '-c', 'printf "%s\\0" "$@"', 'name', ...sendable],
    cwd: scratchFolder(),
  });

  const spec = runSpec({});
  await answered(agent, spec);

  expect(readFileSync(spec.outputPath, 'utf8').split('\0').slice(0, -1)).toEqual(sendable);
});

test('an order that was cut anywhere before its last brace is not run', async () => {
  const folder = scratchFolder();
  const files = { inputPath: '/dev/null', outputPath: join(folder, "it's out"), errorPath: join(folder, 'err') };
  const text = commandOf({ words: ['/bin/sh', '-c', ': > ran', 'a b', "'"], variables: { ONE: "1 'x'" }, ...files });

  const ends = Array.from({ length: text.lastIndexOf('}') + 1 }, async (_, length) => {
    const gate = await openGate(folder, ENV);
    gate.child.stdin?.end(text.slice(0, length));
    return gate.exited;
  });
  await Promise.all(ends);
  expect(existsSync(join(folder, 'ran'))).toBe(false);

  const gate = await openGate(folder, ENV);
  gate.child.stdin?.end(text);
  expect(await gate.exited).toEqual({ code: 0, signal: null });
  expect(existsSync(join(folder, 'ran'))).toBe(true);
});
