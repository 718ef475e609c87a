/** An agent that does what agents should not, seen through the whole bridge: the receipt says it, and the next request runs. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import { groupMembers } from '../../src/platform/process-group.ts';
import { type World, openWorld } from '../harness/bridge.ts';

/** Does what the first word of the prompt says. */
const WILD_AGENT = String.raw`#!/bin/sh
read -r word rest
case $word in
  fails) echo good; echo 'cannot: /Users/me/secret' >&2; exit 3;;
  signal) kill -9 $$;;
  nothing) ;;
  blanks) printf ' \n\t\n\342\200\213\n';;
  fence) printf '\140\140\140\n\140\140\140\n';;
  colours) printf '\033[31m\033[0m\033]0;title\007';;
  stderr) head -c 1000000 /dev/zero >&2;;
  garbage) printf 'a\033[1mb\033[0m\000c\377d\355\240\275e\n';;
  children) sleep 300 & sleep 300 & echo done;;
  much) yes 'sixteen letters.' | head -c 20000000;;
  flood) yes 'sixteen letters.' | head -c 52428800;;
  hangs) trap '' TERM; (sleep 300 & sleep 300) & sleep 300;;
  *) echo "about $word $rest";;
esac
`;

const OVER = ({ state, attention }: Receipt): boolean => state === 'sent' || attention !== null;

test('whatever the agent does, each request comes to its end, and the consumer goes on', {
  timeout: 90_000,
}, async () => {
  const world = await wildWorld(60);
  const failing = {
    fails: { code: 'agent-exit', message: /exit code 3: cannot/u },
    signal: { code: 'agent-signal', message: /SIGKILL/u },
    nothing: { code: 'agent-empty', message: /gave no text/u },
    blanks: { code: 'agent-empty', message: /gave no text/u },
    fence: { code: 'agent-empty', message: /gave no text/u },
    colours: { code: 'agent-empty', message: /gave no text/u },
    stderr: { code: 'agent-empty', message: /gave no text/u },
  };
  const answering = { garbage: 'abc\uFFFDd\uFFFD\uFFFD\uFFFDe', children: 'done', '--help me': 'about --help me' };
  const ids = new Map([...Object.keys(failing), ...Object.keys(answering)].map((word) => [word, ask(world, word)]));
  const receiptOf = async (word: string): Promise<Receipt> => world.receiptWhen(ids.get(word) ?? 0, OVER, 60_000);

  for (const [word, { code, message }] of Object.entries(failing)) {
    const receipt = await receiptOf(word);
    expect(receipt, word).toMatchObject({ state: 'failed', attention: 'failed', error: { stage: 'agent', code } });
    expect(receipt.error?.message).toMatch(message);
    expect(
      receipt.history.map(({ state }) => state),
      word,
    ).toEqual(['submitted', 'failed']);
    expect(groupMembers(receipt.agent?.pid ?? 0)).toEqual([]);
  }
  for (const [word, text] of Object.entries(answering)) {
    const receipt = await receiptOf(word);
    expect(receipt.state, word).toBe('sent');
    expect(receipt.reply?.markdown, word).toContain(text);
    expect(groupMembers(receipt.agent?.pid ?? 0), word).toEqual([]);
  }
  const said = world.telegram.botMessages.map(({ text }) => text).join('\n');
  expect(said, 'the chat hears a fixed sentence').toMatch(/failed: the agent ended with an error/u);
  expect(said, 'and nothing of what stands on stderr').not.toContain('/Users/me');
});

test('of 20 MB the chat gets the beginning and the whole as a file, of 50 MB where it lies; memory stays small', {
  timeout: 90_000,
}, async () => {
  const world = await wildWorld(60);
  const before = ask(world, 'hello');
  await world.settled(before);
  const consumer = world.json<{ pid: number }>('state', 'consumer.json').pid;
  const usedBefore = peakMegabytes(consumer);

  const much = await world.settled(ask(world, 'much'), 60_000);
  const flood = await world.settled(ask(world, 'flood'), 60_000);

  expect(much.reply?.parts.map(({ kind, state }) => [kind, state])).toEqual([
    ['text', 'sent'],
    ['document', 'sent'],
  ]);
  expect(much.reply?.markdown).toMatch(/\[Cut here: the agent printed 20000000 bytes\.\]$/u);
  expect(much.reply?.markdown.length).toBeLessThan(1024 * 1024 + 100);
  const [upload] = world.telegram.accepted('sendDocument');
  expect(upload?.params).toMatchObject({ reply_parameters: expect.anything() });
  const last = flood.reply?.parts.at(-1);
  expect(last?.kind === 'text' ? last.text : '').toContain(`state/files/${flood.id}/run-1.out`);
  if (usedBefore !== null) expect((peakMegabytes(consumer) ?? 0) - usedBefore).toBeLessThan(150);
});

test('an agent that outlives its time is ended with its whole group, and the next request runs', async () => {
  const world = await wildWorld(1);
  const hanging = ask(world, 'hangs');
  const next = ask(world, 'hello');

  const receipt = await world.receiptWhen(hanging, OVER);

  expect(receipt).toMatchObject({
    state: 'failed',
    error: { stage: 'agent', code: 'agent-timeout', message: expect.stringContaining('1 s') },
  });
  expect(groupMembers(receipt.agent?.pid ?? 0)).toEqual([]);
  expect((await world.settled(next)).reply?.markdown).toContain('about hello');
});

test('an agent that cannot be started fails the request for certain, names what is wrong, and is found once it is there', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['./agent'], cwd: 'desk' } });
  await world.bot();
  await world.consumer();
  const failure = async (): Promise<Receipt> => world.receiptWhen(ask(world, 'hello'), OVER);

  const noFolder = await failure();
  mkdirSync(world.path('desk'));
  const noProgram = await failure();
  mkdirSync(world.path('desk', 'agent'));
  const aFolder = await failure();
  rmSync(world.path('desk', 'agent'), { recursive: true });
  writeFileSync(world.path('desk', 'agent'), '#!/bin/sh\nexec cat\n');
  const notExecutable = await failure();
  chmodSync(world.path('desk', 'agent'), 0o755);
  const good = await failure();

  expect([noFolder, noProgram, aFolder, notExecutable].map(({ error }) => error?.code)).toEqual([
    'agent-folder-missing',
    'agent-missing',
    'agent-missing',
    'agent-missing',
  ]);
  expect(noFolder.error?.message).toContain(world.path('desk'));
  expect(aFolder.error?.message).toContain('found a folder');
  expect(notExecutable.error?.message).toContain('not executable');
  for (const receipt of [noFolder, noProgram, aFolder, notExecutable]) {
    expect(
      receipt.history.map(({ state }) => state),
      'never submitted: nothing was run',
    ).toEqual(['failed']);
    expect(receipt).toMatchObject({ run: 0, agent: null, session: null });
  }
  expect(good).toMatchObject({ state: 'sent', run: 1 });
});

async function wildWorld(timeoutSeconds: number): Promise<World> {
  const world = await openWorld();
  const agent = world.program('agent.sh', WILD_AGENT);
  const settings = world.json('config.json');
  writeFileSync(
    world.path('config.json'),
    JSON.stringify({ ...settings, agent: { kind: 'command', command: [agent], timeoutSeconds } }),
  );
  await world.bot();
  await world.consumer();
  return world;
}

function ask(world: World, words: string): number {
  return world.telegram.say(`/blog ${words}`).message_id;
}

/** The most memory that a process ever held; null where the system does not tell. */
function peakMegabytes(pid: number): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}
