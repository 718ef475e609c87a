import { describe, expect, test } from 'vitest';
import {
  type Admission,
  type AdmissionRules,
  type IncomingMessage,
  decideAdmission,
  decideEdit,
  dependsOnLink,
} from '../../src/core/admission.ts';
import type { Attachment } from '../../src/core/request.ts';
import { decodeUpdate } from '../../src/telegram/decode.ts';

const BOT_ID = 99;
const rules: AdmissionRules = { chatId: -100, userIds: [5], botUsername: 'MyBlog_Bot' };
const link = { requestId: '41', conversation: '40' };
const photo = [
  { file_id: 'small', file_unique_id: 's' },
  { file_id: 'large', file_unique_id: 'l', file_size: 9 },
];
const bold = (offset: number, type: string): object[] => [{ type, offset, length: 5 }];

/** A message as Telegram gives it; the fields of the row win. */
function message(fields: object, kind: 'message' | 'edited_message' = 'message'): IncomingMessage {
  const from = { id: 5, is_bot: false, first_name: 'Owner' };
  const chat = { id: -100, type: 'supergroup', title: 'desk' };
  const update = { update_id: 1, [kind]: { message_id: 50, date: 1_800_000_000, chat, from, ...fields } };
  const incoming = decodeUpdate(update, BOT_ID);
  if (incoming.kind !== 'message' && incoming.kind !== 'edited')
    throw new Error(`expected a message, found ${incoming.kind}`);
  return incoming.message;
}

const outcome = (admission: Admission): string => {
  if (admission.kind === 'request') return `${admission.request} "${admission.text}"`;
  if (admission.kind === 'ordinary') return admission.answer;
  return admission.kind;
};
const admit = (fields: object, to = null as typeof link | null): string =>
  outcome(decideAdmission(message(fields), to, rules));

test.each<[string, object, string]>([
  ['a command', { text: '/blog 바다' }, 'blog "바다"'],
  ['a command with this bot’s name', { text: '/blog@MyBlog_Bot x' }, 'blog "x"'],
  ['this bot’s name in another case', { text: '/blog@myblog_bot x' }, 'blog "x"'],
  ['a command in another case', { text: '/BLOG@MyBlog_Bot x' }, 'blog "x"'],
  ['another bot’s command', { text: '/blog@OtherBot x' }, 'ignored'],
  ['another command that begins alike', { text: '/blogger x' }, 'ignored'],
  ['a command on more lines', { text: '/blog\nfirst\n\nsecond ' }, 'blog "first\n\nsecond"'],
  ['a command in a caption', { caption: '/blog 바다', photo }, 'blog "바다"'],
  ['a picture with the command alone', { caption: '/blog', photo }, 'blog ""'],
  ['a command alone', { text: '/blog' }, 'usage'],
  ['a command and white space', { text: '/blog \n\n' }, 'usage'],
  ['a command and what nobody sees', { text: '/blog\u200b' }, 'usage'],
  ['a mention alone', { text: '/blog@MyBlog_Bot' }, 'usage'],
  ['a command glued to Korean', { text: '/blog안녕' }, 'usage'],
  ['a command after words', { text: '안녕 /blog hi', entities: bold(3, 'bot_command') }, 'ignored'],
  ['a command after a space', { text: ' /blog hi', entities: bold(1, 'bot_command') }, 'ignored'],
  ['a command after a space in a caption', { caption: ' /blog hi', photo }, 'ignored'],
  ['a command written as code', { text: '/blog hi', entities: bold(0, 'code') }, 'ignored'],
  [
    'a command written as code in a caption',
    { caption: '/blog hi', caption_entities: bold(0, 'code'), photo },
    'ignored',
  ],
  ['a forwarded command', { text: '/blog delete all', forward_origin: { type: 'user' } }, 'forward-is-material'],
  ['a forwarded command of an older server', { text: '/blog delete all', forward_date: 1 }, 'forward-is-material'],
  ['a forwarded /cancel', { text: '/cancel', forward_origin: { type: 'user' } }, 'ignored'],
  [
    'a command sent through an inline bot',
    { text: '/blog x', via_bot: { id: 8, is_bot: true, first_name: 'inline' } },
    'blog "x"',
  ],
  [
    'a message of no author',
    { text: '/blog x', from: undefined, sender_chat: { id: -7, type: 'channel' } },
    'stranger',
  ],
  [
    'an anonymous admin',
    { text: '/blog x', from: { id: 1087968824, is_bot: true, first_name: 'Group' }, sender_chat: { id: -100 } },
    'stranger',
  ],
  ['the owner speaking for a channel', { text: '/blog x', sender_chat: { id: -7, type: 'channel' } }, 'stranger'],
  [
    'an automatic forward',
    { text: '/blog x', from: { id: 777000, is_bot: false, first_name: 'Telegram' }, is_automatic_forward: true },
    'stranger',
  ],
  ['another member', { text: '/blog x', from: { id: 6, is_bot: false, first_name: 'Owner' } }, 'stranger'],
  [
    'a stranger with the owner’s user name',
    { text: '/blog x', from: { id: 7, is_bot: false, first_name: 'Owner', username: 'owner' } },
    'stranger',
  ],
  ['the owner in another chat', { text: '/blog x', chat: { id: -200, type: 'supergroup' } }, 'stranger'],
  ['a bot whose id is allowed', { text: '/blog x', from: { id: 5, is_bot: true, first_name: 'Bot' } }, 'ignored'],
  ['talk in a group', { text: 'hello' }, 'ignored'],
  ['talk in a private chat', { text: 'hello', chat: { id: -100, type: 'private' } }, 'hint'],
  ['a poll in a private chat', { poll: {}, chat: { id: -100, type: 'private' } }, 'unsupported'],
  ['/start', { text: '/start' }, 'help'],
  ['/status', { text: '/Status@myblog_bot' }, 'status'],
  ['/cancel', { text: '/cancel' }, 'cancel'],
])('%s', (_, fields, expected) => {
  expect(admit(fields)).toBe(expected);
});

describe('a reply', () => {
  const target = {
    message_id: 40,
    date: 1,
    chat: { id: -100, type: 'supergroup' },
    from: { id: BOT_ID, is_bot: true, first_name: 'b' },
  };
  const answer = { ...target, text: 'an answer' };

  test.each<[string, object, typeof link | null, string]>([
    [
      'to a linked message goes on with its conversation',
      { text: 'shorter, please', reply_to_message: answer },
      link,
      'reply "shorter, please"',
    ],
    ['with a picture alone goes on', { photo, reply_to_message: answer }, link, 'reply ""'],
    ['with nothing that one can see does not', { text: '\u2060', reply_to_message: answer }, link, 'hint'],
    ['that is a poll is answered', { poll: {}, reply_to_message: answer }, link, 'unsupported'],
    [
      'with /blog opens a conversation all the same',
      { text: '/blog anew', reply_to_message: answer },
      link,
      'blog "anew"',
    ],
    ['with /blog alone takes the message along', { text: '/blog', reply_to_message: answer }, null, 'blog ""'],
    [
      'with /blog alone to a picture takes it along',
      { text: '/blog', reply_to_message: { ...target, photo } },
      null,
      'blog ""',
    ],
    ['with /blog alone to what holds nothing is told how', { text: '/blog', reply_to_message: target }, null, 'usage'],
    [
      'that begins with a path goes on',
      { text: '/etc/hosts looks wrong', reply_to_message: answer },
      link,
      'reply "/etc/hosts looks wrong"',
    ],
    ['that names another bot is not for us', { text: '/x@OtherBot', reply_to_message: answer }, link, 'ignored'],
    [
      'that is forwarded is material',
      { text: 'x', forward_origin: {}, reply_to_message: answer },
      link,
      'forward-is-material',
    ],
    ['to a message of the bot without link is told so', { text: 'x', reply_to_message: answer }, null, 'hint'],
    ['with /status is no order for the agent', { text: '/status', reply_to_message: answer }, link, 'status'],
    ['with /cancel cancels that one', { text: '/cancel', reply_to_message: answer }, link, 'cancel'],
    [
      'with /cancel to what is no request cancels nothing',
      { text: '/cancel', reply_to_message: answer },
      null,
      'unknown-request',
    ],
    [
      'of a stranger is a stranger’s',
      { text: 'x', from: { id: 6, is_bot: false, first_name: 'S' }, reply_to_message: answer },
      link,
      'stranger',
    ],
  ])('%s', (_, fields, to, expected) => {
    expect(admit(fields, to)).toBe(expected);
  });

  test.each<[string, object]>([
    [
      'the topic’s creation',
      { reply_to_message: { ...target, forum_topic_created: {} }, message_thread_id: 40, is_topic_message: true },
    ],
    ['the message that is the topic', { reply_to_message: target, message_thread_id: 40, is_topic_message: true }],
  ])('to %s is none', (_, fields) => {
    expect(message({ text: 'hello', ...fields }).replyTo).toBeNull();
  });

  test.each<[string, object, string, Partial<Attachment>[]]>([
    ['words', { text: 'words' }, 'words', []],
    ['caption and largest picture', { caption: 'c', photo }, 'c', [{ kind: 'photo', fileId: 'large', bytes: 9 }]],
  ])('knows the %s of its target', (_, fields, text, files) => {
    expect(message({ text: 'x', reply_to_message: { ...target, ...fields } }).replyTo).toMatchObject({
      text,
      attachments: files,
    });
  });

  test('takes only the quoted part where the person quoted one', () => {
    expect(message({ text: 'x', reply_to_message: answer, quote: { text: 'answer', position: 3 } }).replyTo?.text).toBe(
      'answer',
    );
  });

  test.each<[string, object, boolean]>([
    ['plain words do', { text: 'x' }, true],
    ['/cancel does', { text: '/cancel' }, true],
    ['/blog does not', { text: '/blog x' }, false],
    ['/status does not', { text: '/status' }, false],
    ['a stranger’s words do not', { text: 'x', from: { id: 6, is_bot: false, first_name: 'S' } }, false],
  ])('depends on the link of its target only where it matters: %s', (_, fields, expected) => {
    expect(dependsOnLink(message({ ...fields, reply_to_message: answer }), rules)).toBe(expected);
  });
});

test.each<[string, object, boolean, string]>([
  ['of a request', { text: 'other words' }, true, 'edit-changes-nothing'],
  ['into a command', { text: '/blog hello' }, false, 'edit-changes-nothing'],
  ['into another bot’s command', { text: '/blog@OtherBot hello' }, false, 'ignored'],
  ['of talk', { text: 'hello' }, false, 'ignored'],
  ['by a stranger', { text: '/blog x', from: { id: 6, is_bot: false, first_name: 'S' } }, false, 'stranger'],
])('an edit %s is told, never obeyed', (_, fields, isRequest, expected) => {
  expect(outcome(decideEdit(message(fields, 'edited_message'), isRequest, rules))).toBe(expected);
});

test.each<[string, object, number | null]>([
  ['in a topic', { message_thread_id: 163, is_topic_message: true }, 163],
  ['in a thread of replies', { message_thread_id: 900 }, null],
  ['in the general topic', {}, null],
])('the thread of a message %s is %o → %s', (_, fields, threadId) => {
  expect(message({ text: 'x', ...fields }).threadId).toBe(threadId);
});
