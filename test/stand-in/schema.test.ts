import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, Update } from '../../src/stand-in/bot-api.ts';
import { openStandIn, type StandIn } from '../../src/stand-in/stand-in.ts';
import { schemaErrors } from './bot-api-schema.ts';
import { call, form, png, result } from './bot-client.ts';

const GROUP = -1_001_234_567_890;
let standIn: StandIn;
let target: { chat_id: number; message_id: number };
beforeAll(async () => {
  standIn = await openStandIn({ chat: { id: GROUP } });
  const sent = await result<Message>(standIn, 'sendMessage', { chat_id: GROUP, text: 'target' });
  target = { chat_id: GROUP, message_id: sent.message_id };
});
afterAll(() => standIn.close());

const text = { chat_id: GROUP, text: 'answer' };
const keyboard = {
  inline_keyboard: [
    [
      { text: 'a', callback_data: 'a' },
      { text: 'b', url: 'https://example.org' },
    ],
  ],
};

describe('what a method answers is of its type in the Bot API', () => {
  test.each([
    { method: 'getMe', type: 'User', body: () => ({}) },
    { method: 'getWebhookInfo', type: 'WebhookInfo', body: () => ({}) },
    { method: 'getChat', type: 'ChatFullInfo', body: () => ({ chat_id: GROUP }) },
    { method: 'getFile', type: 'File', body: () => ({ file_id: standIn.addFile('x', { name: 'x.md' }) }) },
    { method: 'sendMessage', type: 'Message', body: () => ({ ...text, reply_markup: keyboard }) },
    {
      method: 'sendMessage',
      type: 'Message',
      body: () => ({
        ...text,
        entities: [
          { type: 'text_link', offset: 0, length: 2, url: 'https://example.org' },
          { type: 'pre', offset: 3, length: 3, language: 'ts' },
        ],
        reply_parameters: { message_id: target.message_id, quote: 'target' },
      }),
    },
    { method: 'sendMessage', type: 'Message', body: () => ({ ...text, message_thread_id: standIn.openTopic('T') }) },
    {
      method: 'sendPhoto',
      type: 'Message',
      body: () => form({ chat_id: GROUP, photo: png(30, 20), caption: 'c' }),
    },
    { method: 'sendDocument', type: 'Message', body: () => form({ chat_id: GROUP, document: Buffer.from('d') }) },
    { method: 'editMessageText', type: 'Message', body: () => ({ ...target, text: 'edited' }) },
    { method: 'editMessageReplyMarkup', type: 'Message', body: () => ({ ...target, reply_markup: keyboard }) },
  ])('$method: $type', async ({ method, type, body }) => {
    expect(schemaErrors(type, await result(standIn, method, body()))).toEqual([]);
  });

  test('sendMediaGroup: Message[]', async () => {
    const media = ['a', 'b'].map((name) => ({ type: 'photo', media: `attach://${name}`, caption: name }));
    const body = form({ chat_id: GROUP, media, a: png(9, 9), b: png(9, 9) });
    const messages = await result<Message[]>(standIn, 'sendMediaGroup', body);
    expect(messages).toHaveLength(2);
    for (const message of messages) expect(schemaErrors('Message', message)).toEqual([]);
  });

  test.each(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked'] as const)(
    'getChatMember: ChatMember, %s',
    async (status) => {
      standIn.setMember(8, status);
      const member = await result(standIn, 'getChatMember', { chat_id: GROUP, user_id: 8 });
      expect(schemaErrors('ChatMember', member)).toEqual([]);
    },
  );

  test.each([
    { method: 'setMessageReaction', body: () => ({ ...target, reaction: [{ type: 'emoji', emoji: '👍' }] }) },
    { method: 'sendChatAction', body: () => ({ chat_id: GROUP, action: 'typing' }) },
    { method: 'answerCallbackQuery', body: () => ({ callback_query_id: standIn.press(target.message_id, 'x') }) },
    { method: 'setMyCommands', body: () => ({ commands: [{ command: 'blog', description: 'Write' }] }) },
    { method: 'setWebhook', body: () => ({ url: 'https://example.org' }) },
    { method: 'deleteWebhook', body: () => ({}) },
  ])('$method: true', async ({ method, body }) => {
    expect(await result(standIn, method, body())).toBe(true);
  });

  test('a refusal: ResponseParameters', async () => {
    const parameters = { retry_after: 3 };
    standIn.fault({ method: 'getMe' }, { refuse: { code: 429, description: 'Too Many Requests', parameters } });
    expect(schemaErrors('ResponseParameters', (await call(standIn, 'getMe')).parameters)).toEqual([]);
  });
});

test('every update is an Update of the Bot API', async () => {
  const topic = standIn.openTopic('Drafts');
  const { message_id } = standIn.say({ text: '/blog a', threadId: topic });
  standIn.say({ text: 'reply', replyTo: message_id, from: 8 });
  standIn.say({ photo: true, caption: '/blog photo', mediaGroupId: '1' });
  standIn.say({ document: standIn.addFile('x', { name: 'x.md', mime: 'text/markdown' }) });
  standIn.say({ voice: true });
  standIn.say({ sticker: true, chat: 7001 });
  standIn.say({ text: 'f', forwardOrigin: { type: 'hidden_user', date: 1, sender_user_name: 'N' } });
  standIn.edit(message_id, 'edited');
  standIn.press(target.message_id, 'data');
  standIn.press(3, 'data', 8, { isInaccessible: true });
  standIn.closeTopic(topic);
  standIn.upgradeToSupergroup(-1_009_999_999_999, 7001);
  const updates = await result<Update[]>(standIn, 'getUpdates');
  expect(updates.length).toBeGreaterThanOrEqual(13);
  for (const update of updates) expect(schemaErrors('Update', update)).toEqual([]);
});

test('a value that is none is told apart', () => {
  expect(schemaErrors('User', { id: 1, is_bot: 'no', first_name: 'x', age: 3 })).toEqual([
    'User must NOT have additional properties {"additionalProperty":"age"}',
    'User/is_bot must be boolean {"type":"boolean"}',
  ]);
});
