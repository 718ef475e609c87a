/** The gate that is opened ahead: used where it would be opened just so now, and leaving by itself. */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { commandAgent } from '../../src/agent/command-agent.ts';
import { Gates } from '../../src/agent/gates.ts';
import { openGate } from '../../src/agent/gate.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';
import { answered, runSpec } from './run-spec.ts';

const ENV = { PATH: '/usr/bin:/bin' };

test('a gate opened ahead is the next one, once, and the one after it is new', async () => {
  const opened = vi.fn(openGate);
  const gates = new Gates(scratchFolder(), () => ({ ...ENV }), opened);
  await Promise.all([gates.prepare(), gates.prepare()]);
  await gates.prepare();
  expect(opened).toHaveBeenCalledTimes(1);

  const [first, second] = [await gates.take(), await gates.take()];

  expect(opened).toHaveBeenCalledTimes(2);
  expect(first.identity.pid).not.toBe(second.identity.pid);
  for (const gate of [first, second]) gate.close();
  expect([await first.exited, await second.exited]).toEqual([
    { code: 125, signal: null },
    { code: 125, signal: null },
  ]);
});

test.each<[string, (place: { folder: string; env: Record<string, string> }) => void]>([
  ['the environment is another one', ({ env }) => (env['NEW'] = '1')],
  ['the folder was made anew', ({ folder }) => (renameSync(folder, `${folder}-old`), mkdirSync(folder))],
])('a gate opened ahead is not used where %s, and leaves', async (_, change) => {
  const place = { folder: join(scratchFolder(), 'work'), env: { ...ENV } as Record<string, string> };
  mkdirSync(place.folder);
  const opened = vi.fn(openGate);
  const gates = new Gates(place.folder, () => ({ ...place.env }), opened);
  await gates.prepare();
  change(place);

  const gate = await gates.take();

  const spare = await (opened.mock.results[0]?.value as ReturnType<typeof openGate>);
  expect(gate.identity.pid).not.toBe(spare.identity.pid);
  expect(await spare.exited).toEqual({ code: 125, signal: null });
  gate.close();
});

test('a gate that somebody ended is replaced', async () => {
  const opened = vi.fn(openGate);
  const gates = new Gates(scratchFolder(), () => ({ ...ENV }), opened);
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

test('a gate that is told only half of what to run leaves without running it', async () => {
  const gate = await openGate(scratchFolder(), ENV);
  const pipe = gate.child.stdio[3] as NodeJS.WritableStream;
  pipe.end('v/bin/echo\na\n');

  expect(await gate.exited).toEqual({ code: 125, signal: null });
});
