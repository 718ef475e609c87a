import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Action, Script } from '../agent/acp-script.ts';
import { type Running, type World, endedWithFile, openWorld } from '../harness/bridge.ts';
import type { ChatMessage } from '../../src/stand-in/chat-message.ts';
import { png } from '../stand-in/bot-client.ts';

const PROGRAM = join(import.meta.dirname, '..', 'agent', 'fixtures', 'scripted-agent.mjs');
const endedBy = endedWithFile();
const LOADS = { loadSession: true };

type Bridge = World & {
  /** What the agent does from its next process on. */
  script(next: Script): void;
  turns(lists: Action[][]): void;
  /** Ends the consumer, by SIGKILL where told so, and starts another, with further settings of its agent. */
  restart(settings?: object, signal?: NodeJS.Signals): Promise<void>;
};

/** A bridge whose agent behaves as the script says; shared by the tests of one kind. */
async function openBridge(script: Script = {}): Promise<Bridge> {
  const world = await openWorld({ endedBy });
  mkdirSync(world.path('store'));
  let current = script;
  let consumer: Running | undefined;
  const bridge: Bridge = Object.assign(world, {
    script: (next: Script) => {
      current = next;
      writeFileSync(world.path('script.json'), JSON.stringify({ ...current, store: world.path('store') }));
    },
    turns: (lists: Action[][]) => bridge.script({ ...current, turns: lists }),
    restart: async (settings: object = {}, signal: NodeJS.Signals = 'SIGTERM') => {
      await consumer?.kill(signal);
      const agent = { kind: 'acp', command: [process.execPath, PROGRAM, world.path('script.json')], ...settings };
      const config = { telegram: { chatId: world.telegram.chatId, userIds: [7001] }, agent, language: 'en' };
      writeFileSync(world.path('config.json'), JSON.stringify(config));
      consumer = await world.consumer();
    },
  });
  bridge.script(script);
  await Promise.all([world.bot(), bridge.restart()]);
  return bridge;
}

const answersTo = (world: World, id: number): string[] =>
  world.telegram.botMessages.filter(({ replyTo }) => replyTo === id).map(({ text }) => text);

describe('a turn', () => {
  let world: Bridge;

  beforeAll(async () => {
    world = await openBridge({ capabilities: { promptCapabilities: { image: true } } });
  });

  test('ends in the answer, and the receipt tells what the agent did, in order', async () => {
    world.turns([
      [
        { plan: [{ content: 'Write the draft', status: 'in_progress' }] },
        { tool: { toolCallId: 't1', kind: 'edit', title: 'Write sea.md', status: 'in_progress' } },
        { update: { toolCallId: 't1', status: 'completed' } },
        { say: 'The **draft** ' },
        { say: 'is ready.' },
      ],
    ]);
    const id = world.telegram.say('/blog the sea').message_id;

    const receipt = await world.settled(id);

    expect(receipt.reply?.markdown).toBe('The **draft** is ready.');
    expect(receipt).toMatchObject({ sessionOrigin: 'new', turn: 1, run: 1 });
    expect(receipt.steps).toMatchObject([
      { kind: 'plan', title: 'Write the draft' },
      { kind: 'edit', title: 'Write sea.md', status: 'completed' },
    ]);
    expect((await world.command('show', String(id))).stdout).toContain('Write sea.md');
  });

  test('gets the pictures as image blocks where the agent takes them', async () => {
    world.turns([[{ echoPrompt: true }]]);
    const id = world.telegram.say({ photo: png(4, 4), caption: '/blog the sea' }).message_id;
    const receipt = await world.settled(id);
    expect(receipt.reply?.markdown).toContain('"type":"image"');
    expect(receipt.reply?.markdown).toContain(png(4, 4).toString('base64'));
  });

  test.each([
    { stop: 'max_tokens', words: /token limit/u },
    { stop: 'refusal', words: /refused to go on/u },
  ] as const)('that stops with $stop says so under what text there is', async ({ stop, words }) => {
    world.turns([[{ say: 'half' }, { stop }]]);
    const id = world.telegram.say('/blog the sea').message_id;
    await world.settled(id);
    expect(answersTo(world, id).join('\n')).toMatch(words);
    expect(answersTo(world, id)[0]).toContain('half');
  });

  test('that ends without a word, or dies, is a failed run, and the next request runs', async () => {
    world.turns([[]]);
    const empty = world.telegram.say('/blog one').message_id;
    expect(await world.receiptWhen(empty, ({ state }) => state === 'failed')).toMatchObject({
      error: { code: 'agent-empty' },
    });
    world.turns([[{ say: 'half' }, { die: 3 }]]);
    const dead = world.telegram.say('/blog two').message_id;
    expect(await world.receiptWhen(dead, ({ state }) => state === 'failed')).toMatchObject({
      error: { stage: 'agent' },
    });
    world.turns([[{ say: 'whole' }]]);
    await world.settled(world.telegram.say('/blog three').message_id);
  });
});

describe('a follow-up', () => {
  test('loads the session after a restart, and a forgotten one is told the conversation so far', async () => {
    const world = await openBridge({ capabilities: LOADS, turns: [[{ say: 'first answer' }]] });
    const first = world.telegram.say('/blog the sea').message_id;
    const opened = await world.settled(first);
    const reply = (text: string): number =>
      world.telegram.say({ text, replyTo: world.telegram.botMessages[0]?.id as number }).message_id;
    world.turns([[{ say: 'second answer' }]]);
    await world.restart();

    const second = await world.settled(reply('shorter'));
    expect(second).toMatchObject({ session: opened.session, sessionOrigin: 'loaded', turn: 2 });

    world.script({ capabilities: LOADS, load: { forgets: true }, turns: [[{ echoPrompt: true }]] });
    const third = await world.settled(reply('again'));
    expect(third).toMatchObject({ sessionOrigin: 'retold', turn: 1 });
    expect(third.reply?.markdown).toMatch(/the sea[\s\S]*first answer[\s\S]*shorter[\s\S]*second answer[\s\S]*again/u);
  });
});

describe('the agent’s questions', () => {
  const ask: Action = {
    ask: {
      toolCall: { toolCallId: 't1', title: 'Publish the post', rawInput: { command: 'git push' } },
      options: [
        { optionId: 'yes-1', kind: 'allow_once', name: 'Yes' },
        { optionId: 'no-1', kind: 'reject_once', name: 'No' },
      ],
    },
  };

  let world: Bridge;

  beforeAll(async () => {
    world = await openBridge();
  });

  /** The question that is open. */
  async function asked(): Promise<{ question: ChatMessage; press: (label: string, from?: number) => string }> {
    const open = (): ChatMessage | undefined => world.telegram.botMessages.find(({ buttons }) => buttons.length > 0);
    await world.telegram.waitFor(() => open() !== undefined);
    const question = open() as ChatMessage;
    const press = (label: string, from?: number): string => {
      const button = question.buttons.flat().find(({ text }) => text === label);
      return world.telegram.press(question.id, button?.callback_data ?? '', from);
    };
    return { question, press };
  }

  test('come with buttons; the first answer counts, a stranger’s and a second one change nothing', async () => {
    world.turns([[ask]]);
    const id = world.telegram.say('/blog publish').message_id;
    const { question, press } = await asked();
    expect(question.text).toMatch(/Publish the post[\s\S]*git push/u);

    press('No', 666);
    press('Yes');
    press('No');

    const receipt = await world.settled(id);
    expect(receipt.reply?.markdown).toContain('answer: selected yes-1');
    expect(receipt.steps).toContainEqual(expect.objectContaining({ kind: 'permission', status: 'allowed' }));
    const shown = await world.eventually(
      () => world.telegram.botMessages.find(({ id: one, edits }) => one === question.id && edits.length > 0),
      'the edited question',
    );
    expect(shown.text).toContain('Yes: Owner');
    expect(shown.buttons).toEqual([]);
    const outcomes = world
      .names('state', 'decisions')
      .map((name) => world.json<{ outcome: { result: string } }>('state', 'decisions', name).outcome.result);
    await world.eventually(() => (outcomes.includes('applied') ? true : undefined), 'an applied order');
  });

  test('are denied after their time, and the message says so', async () => {
    world.turns([[ask]]);
    await world.restart({ permissionMinutes: 0.02 });
    const id = world.telegram.say('/blog publish').message_id;
    const { question } = await asked();
    expect((await world.settled(id)).reply?.markdown).toContain('no-1');
    await world.telegram.waitFor((telegram) =>
      telegram.botMessages.some((message) => message.id === question.id && /nobody answered/u.test(message.text)),
    );
  });

  test('end with /cancel, which stops the run at once', async () => {
    world.turns([[ask, { hang: true }]]);
    await world.restart();
    const id = world.telegram.say('/blog publish').message_id;
    await asked();
    world.telegram.say('/cancel');
    expect(await world.receiptWhen(id, ({ state }) => state === 'failed')).toMatchObject({
      error: { code: 'cancelled' },
      attention: null,
    });
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ text }) => /run is over/u.test(text)));
  });

  test.each([
    { permissions: 'allow', answer: 'yes-1' },
    { permissions: 'reject', answer: 'no-1' },
  ])('are answered at once where permissions are $permissions', async ({ permissions, answer }) => {
    world.turns([[ask]]);
    await world.restart({ permissions });
    const before = world.telegram.botMessages.length;
    const receipt = await world.settled(world.telegram.say('/blog publish').message_id);
    expect(receipt.reply?.markdown).toContain(answer);
    const after = world.telegram.botMessages.slice(before);
    expect(after.every(({ buttons, edits }) => buttons.length === 0 && edits.length === 0)).toBe(true);
  });
});

test('/status tells what the agent is doing now', async () => {
  const world = await openBridge({
    turns: [
      [
        { tool: { toolCallId: 't1', kind: 'edit', title: 'Write sea.md', status: 'in_progress' } },
        { untilCancelled: true },
      ],
    ],
  });
  const id = world.telegram.say('/blog the sea').message_id;
  await world.eventually(
    () =>
      existsSync(world.path('state', 'consumer.json')) &&
      JSON.stringify(world.json('state', 'consumer.json')).includes('Write sea.md')
        ? true
        : undefined,
    'the activity',
  );
  world.telegram.say('/status');
  await world.telegram.waitFor((telegram) =>
    telegram.botMessages.some(({ text }) => text.includes(`${id} is running`) && text.includes('Write sea.md')),
  );
  world.telegram.say('/cancel');
  await world.receiptWhen(id, ({ state }) => state === 'failed');
});

describe('an answer survives a crash of the bridge', () => {
  let world: Bridge;

  beforeAll(async () => {
    world = await openBridge();
  });

  /** Asks, and kills the consumer when the agent has done all of `turn`; then comes the next consumer. */
  async function killedIn(script: Script, turn: Action[]): Promise<number> {
    const reached = world.path('reached');
    world.script({ ...script, turns: [[...turn, { mark: reached }, { hang: true }]] });
    const id = world.telegram.say('/blog the sea').message_id;
    await world.eventually(() => (existsSync(reached) ? true : undefined), 'the agent at work');
    rmSync(reached);
    await world.restart({}, 'SIGKILL');
    return id;
  }

  test('a finished text in the agent’s own history is sent, once, marked as recovered; nothing is run again', async () => {
    const id = await killedIn({ capabilities: LOADS }, [{ say: 'The whole draft.' }]);

    const receipt = await world.settled(id);

    expect(receipt).toMatchObject({ run: 1, recovery: 'answer', reply: { recovered: true } });
    expect(answersTo(world, id).join('\n')).toMatch(/may be incomplete[\s\S]*The whole draft\./u);
    expect(
      world.telegram.accepted('sendMessage').filter(({ params }) => String(params['text']).includes('The whole draft')),
    ).toHaveLength(1);
  });

  test.each([
    {
      title: 'an open tool call',
      turn: [
        { say: 'I will write.' },
        { tool: { toolCallId: 't1', title: 'Write', status: 'in_progress' } },
      ] as Action[],
      load: {},
      recovery: 'unfinished',
      words: /no finished answer/u,
    },
    {
      title: 'a history that does not show the request',
      turn: [{ say: 'The whole draft.' }] as Action[],
      load: { withoutMarker: true } as const,
      recovery: 'unknown-request',
      words: /proves nothing/u,
    },
  ])('$title is an interrupted run, and the notice says why', async ({ turn, load, recovery, words }) => {
    const id = await killedIn({ capabilities: LOADS, load }, turn);

    expect(await world.receiptWhen(id, ({ attention }) => attention !== null)).toMatchObject({
      state: 'submitted',
      attention: 'interrupted-run',
      run: 1,
      recovery,
    });
    await world.telegram.waitFor((telegram) =>
      telegram.botMessages.some(({ text, buttons }) => words.test(text) && buttons.length > 0),
    );
    world.turns([[{ say: 'next' }]]);
    await world.settled(world.telegram.say('/blog another').message_id);
    expect(answersTo(world, id)).toHaveLength(1);
  });
});
