import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message, Update } from '../../src/stand-in/bot-api.ts';
import { openStandIn, type StandIn } from '../../src/stand-in/stand-in.ts';
import { call, result } from './bot-client.ts';

const GROUP = -1_001_234_567_890;
let standIn: StandIn;
beforeEach(async () => {
  standIn = await openStandIn({ chat: { id: GROUP } });
});
afterEach(() => standIn.close());

const updates = (): Promise<Update[]> => result(standIn, 'getUpdates');
const send = (fields: Record<string, unknown>) =>
  call(standIn, 'sendMessage', { chat_id: GROUP, text: 'x', ...fields });

describe('commands are marked as Telegram marks them', () => {
  test.each([
    { text: '/blog hi', commands: ['/blog'] },
    { text: '/Blog@some_bot hi', commands: ['/Blog@some_bot'] },
    { text: '안녕 /blog hi', commands: ['/blog'] },
    { text: ' /blog\n/status', commands: ['/blog', '/status'] },
    { text: '/blog안녕', commands: [] },
    { text: '/usr/bin and/or https://x.org/y', commands: [] },
    { text: `/${'x'.repeat(65)}`, commands: [] },
    { text: 'no command', commands: [] },
  ])('$text', ({ text, commands }) => {
    const { entities = [] } = standIn.say(text);
    expect(entities.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual(commands);
  });

  test('and a test may mark them otherwise', () => {
    const code = [{ type: 'code', offset: 0, length: 5 }];
    expect(standIn.say({ text: '/blog', entities: code }).entities).toEqual(code);
    expect(standIn.say({ text: '/blog', entities: [] }).entities).toBeUndefined();
    expect(standIn.say({ photo: true, caption: '/blog' }).caption_entities).toHaveLength(1);
  });
});

describe('a person’s message', () => {
  test('comes with chat, sender and date', async () => {
    standIn.say({ text: 'hello', from: { id: 8, first_name: 'Eve', username: 'eve' }, date: 1_700_000_000 });
    expect((await updates())[0]?.message).toEqual({
      message_id: 1,
      date: 1_700_000_000,
      chat: { id: GROUP, type: 'supergroup', title: 'Blog desk' },
      from: { id: 8, is_bot: false, first_name: 'Eve', username: 'eve' },
      text: 'hello',
    });
  });

  test('can be forged in every field', async () => {
    standIn.say({
      text: 'x',
      messageId: 70,
      mediaGroupId: 'g',
      forwardOrigin: { type: 'hidden_user', sender_user_name: 'N', date: 1 },
      raw: { sender_chat: { id: GROUP, type: 'supergroup' } },
    });
    const [update] = await updates();
    expect(update?.message).toMatchObject({ message_id: 70, media_group_id: 'g', forward_origin: { date: 1 } });
    expect(update?.message).toHaveProperty('sender_chat.id', GROUP);
    expect(standIn.say('next').message_id).toBe(71);
  });

  test('from another private chat makes that chat known', async () => {
    expect(await send({ chat_id: 8 })).toMatchObject({ description: 'Bad Request: chat not found' });
    standIn.say({ text: 'hi', from: 8, chat: 8 });
    expect(await send({ chat_id: 8 })).toMatchObject({ ok: true });
    expect(standIn.messagesOf(8).map(({ text }) => text)).toEqual(['hi', 'x']);
  });

  test('an edit comes as edited_message and is seen by later answers', async () => {
    const { message_id: id } = standIn.say('/blog old');
    standIn.edit(id, 'new');
    const [, edited] = await updates();
    expect(edited?.edited_message).toMatchObject({ message_id: id, text: 'new' });
    expect(edited?.edited_message?.edit_date).toBeGreaterThan(1_700_000_000);
    expect(edited?.edited_message).not.toHaveProperty('entities');
    expect(standIn.say({ text: 'r', replyTo: id }).reply_to_message?.text).toBe('new');
  });

  test('a deleted one cannot be answered', async () => {
    const { message_id: id } = standIn.say('gone');
    standIn.deleteMessage(id);
    expect(await send({ reply_parameters: { message_id: id } })).toMatchObject({
      description: 'Bad Request: message to be replied not found',
    });
    expect(standIn.messages[0]).toMatchObject({ id, deleted: true });
  });
});

describe('a pressed button', () => {
  test('comes with the message and its buttons', async () => {
    const reply_markup = { inline_keyboard: [[{ text: 'go', callback_data: 'd' }]] };
    const sent = await result<Message>(standIn, 'sendMessage', { chat_id: GROUP, text: 'x', reply_markup });
    const id = standIn.press(sent.message_id, 'd', 8);
    const [update] = await updates();
    expect(update?.callback_query).toMatchObject({ id, data: 'd', from: { id: 8 }, message: sent });
  });

  test('of an old message comes with its id only', async () => {
    standIn.press(5, 'd', undefined, { isInaccessible: true });
    const [update] = await updates();
    expect(update?.callback_query?.message).toEqual({ chat: standIn.say('x').chat, message_id: 5, date: 0 });
  });
});

describe('threads', () => {
  test('in a topic a plain message answers the creation message of the topic', () => {
    const topic = standIn.openTopic('Drafts');
    const message = standIn.say({ text: 'hello', threadId: topic });
    expect(message).toMatchObject({
      message_thread_id: topic,
      is_topic_message: true,
      reply_to_message: { message_id: topic, forum_topic_created: { name: 'Drafts' } },
      chat: { is_forum: true },
    });
    expect(standIn.messages.at(-1)?.replyTo).toBeUndefined();
  });

  test('an answer stays in the topic of what it answers', async () => {
    const topic = standIn.openTopic('Drafts');
    const { message_id } = standIn.say({ text: 'hello', threadId: topic });
    expect(standIn.say({ text: 'r', replyTo: message_id })).toMatchObject({ message_thread_id: topic });
    expect((await send({ reply_parameters: { message_id } })).result).toMatchObject({
      message_thread_id: topic,
      is_topic_message: true,
      reply_to_message: { message_id },
    });
  });

  test('without topics an answer has a thread that nobody can send to', async () => {
    const { message_id } = standIn.say('root');
    const answer = standIn.say({ text: 'r', replyTo: message_id });
    expect(answer.message_thread_id).toBe(message_id);
    expect(answer.is_topic_message).toBeUndefined();
    expect(await send({ message_thread_id: message_id })).toMatchObject({
      description: 'Bad Request: message thread not found',
    });
  });

  test('a closed topic takes nothing, a deleted one is gone with its messages', async () => {
    const topic = standIn.openTopic('Drafts');
    const { message_id } = standIn.say({ text: 'hello', threadId: topic });
    standIn.closeTopic(topic);
    expect(await send({ message_thread_id: topic })).toMatchObject({ description: 'Bad Request: TOPIC_CLOSED' });
    standIn.deleteTopic(topic);
    expect(await send({ message_thread_id: topic })).toMatchObject({
      description: 'Bad Request: message thread not found',
    });
    expect(await send({ reply_parameters: { message_id } })).toMatchObject({
      description: 'Bad Request: message to be replied not found',
    });
  });
});

test('a group that becomes a supergroup tells so and answers under its new id only', async () => {
  await standIn.close();
  standIn = await openStandIn({ chat: { id: -50, type: 'group', title: 'Desk' } });
  standIn.upgradeToSupergroup(GROUP);
  const [first, second] = await updates();
  expect(first?.message).toMatchObject({ chat: { id: -50 }, migrate_to_chat_id: GROUP });
  expect(second?.message).toMatchObject({ chat: { id: GROUP }, migrate_from_chat_id: -50 });
  expect(await send({ chat_id: -50 })).toEqual({
    ok: false,
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: GROUP },
  });
  expect((await send({ chat_id: GROUP })).ok).toBe(true);
});

test('commands and members are as they were set', async () => {
  const commands = [{ command: 'blog', description: 'Write' }];
  await result(standIn, 'setMyCommands', { commands });
  expect(await result(standIn, 'getMyCommands')).toEqual(commands);
  expect(await result(standIn, 'getMyCommands', { language_code: 'ko' })).toEqual([]);
  expect(standIn.commands).toEqual(commands);
  standIn.setMember(8, 'left');
  expect(await result(standIn, 'getChatMember', { chat_id: GROUP, user_id: 8 })).toMatchObject({ status: 'left' });
  expect(await call(standIn, 'getChatMember', { chat_id: GROUP, user_id: 9 })).toMatchObject({
    description: 'Bad Request: user not found',
  });
});
