import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Action, Script } from '../agent/acp-script.ts';
import { type World, openWorld } from '../harness/bridge.ts';
import type { ChatMessage } from '../../src/stand-in/chat-message.ts';
import { png } from '../stand-in/bot-client.ts';

const PROGRAM = join(import.meta.dirname, '..', 'agent', 'fixtures', 'scripted-agent.mjs');
const LOADS = { loadSession: true };

/** A bridge whose agent behaves as the script says; the turns may be changed between runs. */
async function openBridge(
  script: Script,
  settings: object = {},
): Promise<World & { turns: (turns: Action[][]) => void }> {
  const world = await openWorld({ agent: { kind: 'sample' } });
  mkdirSync(world.path('store'));
  const turns = (lists: Action[][]): void =>
    writeFileSync(world.path('script.json'), JSON.stringify({ ...script, turns: lists, store: world.path('store') }));
  turns(script.turns ?? []);
  const agent = { kind: 'acp', command: [process.execPath, PROGRAM, world.path('script.json')], ...settings };
  const config = { telegram: { chatId: world.telegram.chatId, userIds: [7001] }, agent, language: 'en' };
  writeFileSync(world.path('config.json'), JSON.stringify(config));
  await world.bot();
  await world.consumer();
  return Object.assign(world, { turns });
}

const answersTo = (world: World, id: number): string[] =>
  world.telegram.botMessages.filter(({ replyTo }) => replyTo === id).map(({ text }) => text);

describe('a turn', () => {
  test('ends in the answer, and the receipt tells what the agent did, in order', async () => {
    const world = await openBridge({
      turns: [
        [
          { plan: [{ content: 'Write the draft', status: 'in_progress' }] },
          { tool: { toolCallId: 't1', kind: 'edit', title: 'Write sea.md', status: 'in_progress' } },
          { update: { toolCallId: 't1', status: 'completed' } },
          { say: 'The **draft** ' },
          { say: 'is ready.' },
        ],
      ],
    });
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
    const world = await openBridge({
      capabilities: { promptCapabilities: { image: true } },
      turns: [[{ echoPrompt: true }]],
    });
    const id = world.telegram.say({ photo: png(4, 4), caption: '/blog the sea' }).message_id;
    const receipt = await world.settled(id);
    expect(receipt.reply?.markdown).toContain('"type":"image"');
    expect(receipt.reply?.markdown).toContain(png(4, 4).toString('base64'));
  });

  test.each([
    { stop: 'max_tokens', words: /token limit/u },
    { stop: 'refusal', words: /refused to go on/u },
  ] as const)('that stops with $stop says so under what text there is', async ({ stop, words }) => {
    const world = await openBridge({ turns: [[{ say: 'half' }, { stop }]] });
    const id = world.telegram.say('/blog the sea').message_id;
    await world.settled(id);
    expect(answersTo(world, id).join('\n')).toMatch(words);
    expect(answersTo(world, id)[0]).toContain('half');
  });

  test('that ends without a word, or dies, is a failed run, and the next request runs', async () => {
    const world = await openBridge({ turns: [[]] });
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
    await world.started[1]?.kill('SIGTERM');
    world.turns([[{ say: 'second answer' }]]);
    await world.consumer();

    const second = await world.settled(reply('shorter'));
    expect(second).toMatchObject({ session: opened.session, sessionOrigin: 'loaded', turn: 2 });

    writeFileSync(
      world.path('script.json'),
      JSON.stringify({
        capabilities: LOADS,
        load: { forgets: true },
        store: world.path('store'),
        turns: [[{ echoPrompt: true }]],
      }),
    );
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

  async function asked(world: World): Promise<{ messageId: number; press: (label: string, from?: number) => string }> {
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ buttons }) => buttons.length > 0));
    const message = world.telegram.botMessages.find(({ buttons }) => buttons.length > 0) as ChatMessage;
    const press = (label: string, from?: number): string => {
      const button = message.buttons.flat().find(({ text }) => text === label);
      return world.telegram.press(message.id, button?.callback_data ?? '', from);
    };
    return { messageId: message.id, press };
  }

  test('come with buttons; the first answer counts, a stranger’s and a second one change nothing', async () => {
    const world = await openBridge({ turns: [[ask]] });
    const id = world.telegram.say('/blog publish').message_id;
    const { messageId, press } = await asked(world);
    expect(world.telegram.botMessages[0]?.text).toMatch(/Publish the post[\s\S]*git push/u);

    press('No', 666);
    press('Yes');
    press('No');

    const receipt = await world.settled(id);
    expect(receipt.reply?.markdown).toContain('answer: selected yes-1');
    expect(receipt.steps).toContainEqual(expect.objectContaining({ kind: 'permission', status: 'allowed' }));
    const shown = await world.eventually(
      () => world.telegram.botMessages.find(({ id: one, edits }) => one === messageId && edits.length > 0),
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
    const world = await openBridge({ turns: [[ask]] }, { permissionMinutes: 0.02 });
    const id = world.telegram.say('/blog publish').message_id;
    const { messageId } = await asked(world);
    expect((await world.settled(id)).reply?.markdown).toContain('no-1');
    await world.telegram.waitFor((telegram) =>
      telegram.botMessages.some((message) => message.id === messageId && /nobody answered/u.test(message.text)),
    );
  });

  test('end with /cancel, which stops the run at once', async () => {
    const world = await openBridge({ turns: [[ask, { hang: true }]] });
    const id = world.telegram.say('/blog publish').message_id;
    await asked(world);
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
    const world = await openBridge({ turns: [[ask]] }, { permissions });
    const receipt = await world.settled(world.telegram.say('/blog publish').message_id);
    expect(receipt.reply?.markdown).toContain(answer);
    expect(world.telegram.botMessages.every(({ buttons }) => buttons.length === 0)).toBe(true);
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
  const hang = (world: World): Promise<unknown> =>
    world.eventually(() => (existsSync(world.path('reached')) ? true : undefined), 'the agent at work');

  test('a finished text in the agent’s own history is sent, once, marked as recovered; nothing is run again', async () => {
    const world = await openBridge({ capabilities: LOADS });
    world.turns([[{ say: 'The whole draft.' }, { mark: world.path('reached') }, { hang: true }]]);
    const id = world.telegram.say('/blog the sea').message_id;
    await hang(world);
    await world.started[1]?.kill();
    await world.consumer();

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
    const world = await openBridge({ capabilities: LOADS, load });
    world.turns([[...turn, { mark: world.path('reached') }, { hang: true }]]);
    const id = world.telegram.say('/blog the sea').message_id;
    await hang(world);
    await world.started[1]?.kill();
    await world.consumer();

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
