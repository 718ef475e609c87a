/** From a recorded reply to the chat: where its parts go, what is tried again, what is given up (contract §5 "Delivery"). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import type { World } from '../harness/bridge.ts';
import { ask, isOver, noticesOf, openDesk, runsOf } from '../harness/consumer-desk.ts';

const FORUM = { firstMessageId: 41, chat: { id: -1001, type: 'supergroup', is_forum: true } } as const;

const refusal = (code: number, description: string): FaultAction => ({ refuse: { code, description } });
const messageOf = (world: World, id: string) => world.telegram.messages.find((message) => message.id === Number(id));
const idsOf = ({ reply }: Receipt): number[] => (reply?.parts ?? []).flatMap(({ messageIds }) => messageIds);

test('every part quotes its own request in its own topic, and each message of an answer leads back to it', async () => {
  const world = await openDesk({ standIn: FORUM });
  const [sea, hills] = [world.telegram.openTopic('sea'), world.telegram.openTopic('hills')];
  const requests = [
    ask(world, 'parts', { threadId: sea }),
    ask(world, 'parts', { threadId: hills }),
    ask(world, 'parts'),
  ];
  const threads = [sea, hills, undefined];
  await world.consumer();
  for (const [index, id] of requests.entries()) {
    const receipt = await world.settled(id);
    const parts = world.telegram.botMessages.filter((message) => idsOf(receipt).includes(message.id));
    expect(parts.map(({ replyTo }) => replyTo)).toEqual([Number(id), Number(id), Number(id)]);
    const sent = world.telegram
      .accepted('sendMessage')
      .filter(({ params }) => String(params['text']).startsWith(`${id} line`));
    expect(sent.map(({ params }) => params['message_thread_id'])).toEqual([
      threads[index],
      threads[index],
      threads[index],
    ]);
    for (const messageId of idsOf(receipt)) {
      expect(world.json('state', 'links', `${messageId}.json`)).toMatchObject({ requestId: id, conversation: id });
    }
    expect(
      receipt.reply?.parts
        .map((part) => (part.kind === 'text' ? part.text : ''))
        .join('')
        .replaceAll(/\s/gu, ''),
    ).toBe(receipt.reply?.markdown.replaceAll(/\s/gu, ''));
  }
});

test('what is wrong with one part costs that part one thing, once', async () => {
  const agent = '#!/bin/sh\nread -r order; echo "**$order** $BLOG_REQUEST_ID"; [ -n "$order" ]\n';
  const world = await openDesk({ standIn: FORUM });
  writeFileSync(world.path('tracer'), agent);
  const gone = world.telegram.openTopic('gone');
  const closed = world.telegram.openTopic('closed');
  const rows = {
    'bold is not taken': ask(world, 'bold'),
    'the topic is gone': ask(world, 'topic', { threadId: gone }),
    'the topic is closed': ask(world, 'shut', { threadId: closed }),
    'the request is deleted': ask(world, 'deleted'),
    'everything is refused': ask(world, 'refused'),
    'the chat is gone': ask(world, 'kicked'),
  };
  world.telegram.fault(
    { method: 'sendMessage', when: ({ text }) => String(text).startsWith('bold') },
    refusal(400, "Bad Request: can't parse entities: x"),
  );
  world.telegram.fault(
    { method: 'sendMessage', when: ({ text }) => String(text).startsWith('refused'), times: 9 },
    refusal(400, "Bad Request: can't parse entities: x"),
  );
  world.telegram.fault(
    { method: 'sendMessage', when: ({ text }) => String(text).startsWith('kicked') },
    refusal(403, 'Forbidden: bot was kicked'),
  );
  world.telegram.deleteTopic(gone);
  world.telegram.closeTopic(closed);
  world.telegram.deleteMessage(Number(rows['the request is deleted']));
  await world.consumer();
  const ends = await Promise.all(
    Object.entries(rows).map(async ([row, id]) => {
      const { state, error } = await world.receiptWhen(id, isOver);
      const calls = world.telegram.calls.filter(
        ({ method, params }) => method === 'sendMessage' && String(params['text']).endsWith(` ${id}`),
      );
      const { entities, replyTo, threadId } =
        world.telegram.botMessages.find(({ text }) => text.endsWith(` ${id}`)) ?? {};
      return [row, state, error?.code, calls.length, entities?.length, replyTo === Number(id), threadId];
    }),
  );

  expect(ends).toEqual([
    ['bold is not taken', 'sent', undefined, 2, 0, true, Number(rows['bold is not taken'])],
    ['the topic is gone', 'sent', undefined, 2, 1, false, undefined],
    ['the topic is closed', 'failed', 'send-refused', 1, undefined, false, undefined],
    ['the request is deleted', 'sent', undefined, 1, 1, false, undefined],
    ['everything is refused', 'failed', 'send-refused', 2, undefined, false, undefined],
    ['the chat is gone', 'failed', 'send-refused', 1, undefined, false, undefined],
  ]);
});

test('what certainly did not arrive is sent again in its time, and nothing before it is', async () => {
  const world = await openDesk();
  const told = ask(world, 'parts', { messageId: 100 });
  const second = (params: Record<string, unknown>): boolean => String(params['text']).startsWith(`${told} line 59`);
  world.telegram.fault(
    { method: 'sendMessage', when: second },
    { refuse: { code: 429, description: 'Too Many Requests', parameters: { retry_after: 2 } } },
  );
  await world.consumer();
  await world.settled(told);
  const calls = world.telegram.calls.filter(({ method }) => method === 'sendMessage');
  expect(calls.map(({ params }) => /line \d+/u.exec(String(params['text']))?.[0])).toEqual([
    'line 0',
    'line 59',
    'line 59',
    'line 118',
  ]);
  expect((calls[2]?.at ?? 0) - (calls[1]?.at ?? 0)).toBeGreaterThanOrEqual(2_000);

  const offline = ask(world, 'hold');
  await world.eventually(() => (existsSync(world.path(`held-${offline}`)) ? true : undefined), 'the agent at work');
  await world.telegram.goOffline();
  writeFileSync(world.path(`go-${offline}`), '');
  await world.receiptWhen(offline, ({ state }) => state === 'sending');
  await world.telegram.goOnline();
  await world.settled(offline);
  expect(world.telegram.botMessages.filter(({ text }) => text.includes(`answered ${offline}`))).toHaveLength(1);
  expect(world.telegram.botMessages.filter(({ text }) => text.includes('Request'))).toEqual([]);
});

test('an answer of more than 16 parts goes as its first part and the whole as a file', async () => {
  const world = await openDesk();
  world.program(
    'tracer',
    `#!/bin/sh\ni=0; while [ $i -lt 1200 ]; do echo "line $i, made long enough that some sixty of them fill one message"; i=$((i+1)); done\n`,
  );
  const id = ask(world, 'much');
  await world.consumer();
  const receipt = await world.settled(id);

  expect(receipt.reply?.parts.map(({ kind }) => kind)).toEqual(['text', 'document']);
  const [text, file] = world.telegram.botMessages.filter(({ replyTo }) => replyTo === Number(id));
  expect(text?.text.startsWith('line 0,')).toBe(true);
  expect(file?.message.document?.file_name).toBe('reply.md');
  expect(
    readFileSync(world.path('state', 'files', id, 'reply-1.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('line')),
  ).toHaveLength(1200);
  for (const messageId of idsOf(receipt))
    expect(world.json('state', 'links', `${messageId}.json`)).toMatchObject({ requestId: id });
});

test('reactions tell the state; what becomes of them and of "typing…" changes nothing', async () => {
  const world = await openDesk();
  world.telegram.fault(
    { method: 'sendChatAction', times: 9 },
    { refuse: { code: 429, description: 'Too Many Requests', parameters: { retry_after: 30 } } },
  );
  const [first, second, failing] = [ask(world, 'hold'), ask(world, 'short'), ask(world, 'fail')];
  await world.consumer();
  await world.telegram.waitFor(
    () => messageOf(world, first)?.reaction === '✍' && messageOf(world, second)?.reaction === '👀',
  );
  writeFileSync(world.path(`go-${first}`), '');
  await world.receiptWhen(failing, isOver);
  await world.telegram.waitFor(
    () => messageOf(world, failing)?.reaction === '💔' && messageOf(world, second)?.reaction === '👍',
  );
  expect([first, second].map((id) => messageOf(world, id)?.reactions)).toEqual([
    ['👀', '✍', '👍'],
    expect.arrayContaining(['👀', '👍']),
  ]);
  expect(noticesOf(world, failing)[0]?.text).not.toContain('no luck');
  expect(world.receipt(failing)?.error?.message).toContain('no luck');

  world.telegram.reactionsAllowed = false;
  world.telegram.fault({ method: 'sendChatAction', times: 9 }, refusal(403, 'Forbidden: no'));
  const quiet = ask(world, 'short');
  await world.settled(quiet);
  expect(messageOf(world, quiet)?.reactions).toEqual([]);
  expect(runsOf(world, quiet)).toBe(1);
});
