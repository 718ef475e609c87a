import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/stand-in/bot-api.ts';
import { openStandIn, type StandIn } from '../../src/stand-in/stand-in.ts';
import { call, form, messagesOf, png, result } from './bot-client.ts';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await openStandIn();
});
afterAll(() => standIn.close());

const send = (fields: Record<string, unknown>) => call(standIn, 'sendMessage', { chat_id: 7001, text: 'x', ...fields });
const entity = (offset: number, length: number, more = {}) => ({ type: 'bold', offset, length, ...more });
const button = (fields: Record<string, unknown>) => ({
  reply_markup: { inline_keyboard: [[{ text: 'go', ...fields }]] },
});

const photo = (content: Buffer, more = {}) =>
  call(standIn, 'sendPhoto', form({ chat_id: 7001, photo: content, ...more }, 'p.png'));

const album = (types: string[], attached: Record<string, unknown> = {}) =>
  call(
    standIn,
    'sendMediaGroup',
    form({
      chat_id: 7001,
      media: types.map((type, index) => ({ type, media: `attach://f${index}`, caption: `item ${index}` })),
      ...Object.fromEntries(types.map((_, index) => [`f${index}`, png(10, 10)])),
      ...attached,
    }),
  );

describe('a message is refused', () => {
  test.each([
    { why: 'no text', fields: { text: '' }, words: 'message text is empty' },
    { why: 'only white space', fields: { text: ' \n ' }, words: 'message text is empty' },
    { why: 'only zero-width characters', fields: { text: '\u200B\u2060' }, words: 'message text is empty' },
    { why: '4097 units', fields: { text: 'x'.repeat(4097) }, words: 'message is too long' },
    { why: '2049 emoji', fields: { text: '😀'.repeat(2049) }, words: 'message is too long' },
    { why: 'a lone surrogate', fields: { text: 'a\uD83D' }, words: 'strings must be encoded in UTF-8' },
    { why: 'no chat', fields: { chat_id: '' }, words: 'chat_id is empty' },
    { why: 'an unknown chat', fields: { chat_id: 1 }, words: 'chat not found' },
    { why: 'an unknown topic', fields: { message_thread_id: 9 }, words: 'message thread not found' },
    {
      why: 'an answer to nothing',
      fields: { reply_parameters: { message_id: 9999 } },
      words: 'message to be replied not found',
    },
    { why: 'an entity past the end', fields: { entities: [entity(0, 2)] }, words: "can't parse entities" },
    { why: 'an empty entity', fields: { entities: [entity(0, 0)] }, words: "can't parse entities" },
    { why: 'an unknown type', fields: { entities: [entity(0, 1, { type: 'big' })] }, words: "can't parse entities" },
    {
      why: 'an entity that begins inside a pair',
      fields: { text: '😀x', entities: [entity(1, 2)] },
      words: 'entity begins in a middle of a UTF-16 symbol',
    },
    {
      why: 'an entity that ends inside a pair',
      fields: { text: 'x😀', entities: [entity(0, 2)] },
      words: 'entity ends in a middle of a UTF-16 symbol',
    },
    {
      why: 'bold in code',
      fields: { text: 'abc', entities: [entity(0, 3, { type: 'code' }), entity(1, 1)] },
      words: "can't parse entities",
    },
    {
      why: 'a quotation that ends in code',
      fields: { text: 'abc', entities: [entity(0, 2, { type: 'blockquote' }), entity(1, 2, { type: 'code' })] },
      words: "can't parse entities",
    },
    ...['localhost/x', 'http://localhost', 'javascript:alert(1)', 'file:///etc/passwd', 'https://', undefined].map(
      (url) => ({
        why: `a link to ${url}`,
        fields: { entities: [entity(0, 1, { type: 'text_link', url })] },
        words: "can't parse entities",
      }),
    ),
    { why: 'parse_mode', fields: { parse_mode: 'HTML' }, words: 'unsupported parse_mode' },
    { why: '65 bytes of data', fields: button({ callback_data: 'x'.repeat(65) }), words: 'BUTTON_DATA_INVALID' },
    {
      why: '22 Korean letters of data',
      fields: button({ callback_data: '가'.repeat(22) }),
      words: 'BUTTON_DATA_INVALID',
    },
    { why: 'no data', fields: button({ callback_data: '' }), words: 'BUTTON_DATA_INVALID' },
    { why: 'a button with nothing to do', fields: button({}), words: "can't parse inline keyboard button" },
  ])('$why', async ({ fields, words }) => {
    const before = standIn.messages.length;
    const answer = await send(fields);
    expect(answer).toMatchObject({ ok: false, error_code: 400 });
    expect(answer.description).toContain(`Bad Request: ${words}`);
    expect(standIn.messages).toHaveLength(before);
    expect(standIn.calls.at(-1)).toMatchObject({ outcome: 'refused', accepted: false, refusal: answer.description });
  });
});

describe('a message is taken', () => {
  test.each([
    { why: '4096 units', fields: { text: 'x'.repeat(4096) } },
    { why: '2048 emoji', fields: { text: '😀'.repeat(2048) } },
    { why: '4096 units within white space', fields: { text: ` ${'x'.repeat(4096)}\n` } },
    { why: '64 bytes of data', fields: button({ callback_data: 'x'.repeat(64) }) },
    { why: 'a button with a link', fields: button({ url: 'https://example.org/' }) },
    { why: 'a link', fields: { entities: [entity(0, 1, { type: 'text_link', url: 'https://example.org' })] } },
    { why: 'a tg: link', fields: { entities: [entity(0, 1, { type: 'text_link', url: 'tg://user?id=1' })] } },
    {
      why: 'bold that crosses italic',
      fields: { text: 'abc', entities: [entity(0, 2), entity(1, 2, { type: 'italic' })] },
    },
    {
      why: 'code in a quotation',
      fields: { text: 'abc', entities: [entity(0, 3, { type: 'blockquote' }), entity(1, 2, { type: 'code' })] },
    },
    {
      why: 'an answer to nothing that may go alone',
      fields: { reply_parameters: { message_id: 9999, allow_sending_without_reply: true } },
    },
  ])('$why', async ({ fields }) => {
    expect(await send(fields)).toMatchObject({ ok: true });
  });

  test('trimmed, with its entities moved along', async () => {
    const entities = [entity(0, 3), entity(4, 3, { type: 'code' }), entity(9, 2)];
    const { result: message } = await send({ text: '\n  a\tb\rcd  \n', entities });
    expect(message).toMatchObject({ text: 'a bcd', entities: [entity(1, 2, { type: 'code' })] });
  });

  test('with the first 100 of its entities and a warning', async () => {
    const before = standIn.warnings.length;
    const entities = Array.from({ length: 101 }, (_, at) => entity(at, 1));
    const message = await result<Message>(standIn, 'sendMessage', { chat_id: 7001, text: 'x'.repeat(101), entities });
    expect(message.entities).toHaveLength(100);
    expect(standIn.warnings.slice(before)).toEqual(['101 entities, only the first 100 are kept']);
  });

  test('with the message that it answers, one level deep', async () => {
    const asked = standIn.say('question');
    const first = await result<Message>(standIn, 'sendMessage', {
      chat_id: 7001,
      text: 'answer',
      reply_parameters: { message_id: asked.message_id, quote: 'quest' },
    });
    const second = standIn.say({ text: 'and?', replyTo: first.message_id });
    expect(first.reply_to_message?.text).toBe('question');
    expect(first.quote).toEqual({ text: 'quest', position: 0, is_manual: true });
    expect(second.reply_to_message?.text).toBe('answer');
    expect(second.reply_to_message?.reply_to_message).toBeUndefined();
    expect(standIn.messages.at(-1)?.replyTo).toBe(first.message_id);
  });

  test('in each way in which parameters can come', async () => {
    const fields = { chat_id: '7001', text: 'é&=+', entities: '[{"type":"bold","offset":0,"length":1}]' };
    const query = new URLSearchParams(fields);
    await call(standIn, 'sendMessage', query);
    await call(standIn, 'SENDMESSAGE', form(fields));
    await call(standIn, 'sendMessage', fields);
    await fetch(`${standIn.apiRoot}/bot${standIn.token}/sendmessage?${query.toString()}`);
    const params = standIn.calls.slice(-4).map((made) => made.params);
    expect(standIn.calls.slice(-4).map(({ method, accepted }) => ({ method, accepted }))).toEqual(
      Array.from({ length: 4 }, () => ({ method: 'sendMessage', accepted: true })),
    );
    for (const each of params) expect(each).toEqual({ chat_id: 7001, text: 'é&=+', entities: [entity(0, 1)] });
  });

  test('under an id that rises by one over people and bot', async () => {
    const ids = [standIn.say('a').message_id];
    ids.push((await result<Message>(standIn, 'sendMessage', { chat_id: 7001, text: 'b' })).message_id);
    ids.push(standIn.say('c').message_id);
    expect(ids).toEqual([ids[0], Number(ids[0]) + 1, Number(ids[0]) + 2]);
  });
});

describe('files', () => {
  test.each([
    { why: 'text', content: Buffer.from('not an image'), words: 'IMAGE_PROCESS_FAILED' },
    { why: 'an empty file', content: Buffer.alloc(0), words: 'file must be non-empty' },
    { why: 'a cut header', content: png(5, 5).subarray(0, 18), words: 'IMAGE_PROCESS_FAILED' },
    { why: 'too wide and high', content: png(6000, 4001), words: 'PHOTO_INVALID_DIMENSIONS' },
    { why: 'too narrow', content: png(2100, 100), words: 'PHOTO_INVALID_DIMENSIONS' },
    { why: 'over 10 MB', content: Buffer.concat([png(5, 5), Buffer.alloc(10 * 1024 * 1024)]), words: 'file of size' },
  ])('$why is no photo', async ({ content, words }) => {
    const answer = await photo(content);
    expect(answer).toMatchObject({ ok: false, error_code: 400 });
    expect(answer.description).toContain(`Bad Request: ${words}`);
  });

  test.each([
    { length: 1024, ok: true },
    { length: 1025, ok: false },
  ])('a caption of $length units: $ok', async ({ length, ok }) => {
    const answer = await photo(png(10, 10), { caption: 'x'.repeat(length) });
    expect(answer.ok).toBe(ok);
    if (!ok) expect(answer.description).toBe('Bad Request: message caption is too long');
  });

  test('a document comes back byte by byte under its name', async () => {
    const content = Buffer.from([0, 13, 10, 45, 45, 255]);
    const sent = await result<Message>(
      standIn,
      'sendDocument',
      form({ chat_id: 7001, document: content, caption: 'here' }, '글 "1".md'),
    );
    expect(sent).toMatchObject({ caption: 'here', document: { file_size: 6 } });
    const file = await result<{ file_path: string }>(standIn, 'getFile', { file_id: sent.document?.file_id });
    const response = await fetch(`${standIn.apiRoot}/file/bot${standIn.token}/${file.file_path}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
    expect(standIn.accepted('sendDocument').at(-1)?.params['document']).toMatchObject({ bytes: 6, content });
  });

  test('a document over 50 MB is refused with 413', async () => {
    const content = Buffer.alloc(50 * 1024 * 1024 + 1);
    const answer = await call(standIn, 'sendDocument', form({ chat_id: 7001, document: content }));
    expect(answer).toEqual({ ok: false, error_code: 413, description: 'Request Entity Too Large' });
  });

  test('a file over 20 MB cannot be fetched', async () => {
    const id = standIn.addFile('x', { size: 20 * 1024 * 1024 + 1 });
    expect(await call(standIn, 'getFile', { file_id: id })).toMatchObject({
      error_code: 400,
      description: 'Bad Request: file is too big',
    });
  });

  test('the last size of a photo is the photo', async () => {
    const content = png(400, 300);
    const { photo: sizes = [] } = standIn.say({ photo: standIn.addFile(content), caption: '/blog' });
    expect(sizes.at(-1)).toMatchObject({ width: 400, height: 300, file_size: content.length });
    expect(sizes[0]?.file_id).not.toBe(sizes.at(-1)?.file_id);
  });
});

describe('an album', () => {
  test.each([
    { why: 'one item', types: ['photo'], attached: {}, words: 'too few messages' },
    { why: 'eleven items', types: Array.from({ length: 11 }, () => 'photo'), attached: {}, words: 'too many messages' },
    { why: 'documents among photos', types: ['photo', 'document'], attached: {}, words: "document can't be mixed" },
    {
      why: 'one bad photo',
      types: ['photo', 'photo'],
      attached: { f1: Buffer.from('no') },
      words: 'failed to send message #2 with the error message "IMAGE_PROCESS_FAILED"',
    },
    { why: 'a missing file', types: ['photo', 'photo'], attached: { f1: 'gone' }, words: 'failed to send message #2' },
  ])('of $why is refused as a whole', async ({ types, attached, words }) => {
    const before = standIn.messages.length;
    const answer = await album(types, attached);
    expect(answer).toMatchObject({ ok: false, error_code: 400 });
    expect(answer.description).toContain(words);
    expect(standIn.messages).toHaveLength(before);
  });

  test('of ten answers with ten messages of one group', async () => {
    const answer = await album(Array.from({ length: 10 }, () => 'document'));
    const group = messagesOf(answer);
    expect(group.map(({ caption }) => caption)).toEqual(group.map((_, index) => `item ${index}`));
    expect(new Set(group.map(({ media_group_id: id }) => id)).size).toBe(1);
    expect(standIn.calls.at(-1)?.messageIds).toEqual(group.map(({ message_id: id }) => id));
  });
});

describe('what stands already', () => {
  let sent: Message;
  beforeEach(async () => {
    sent = await result<Message>(standIn, 'sendMessage', { chat_id: 7001, text: 'old' });
  });
  afterEach(() => {
    standIn.reactionsAllowed = true;
  });
  const seen = () => standIn.messages.find(({ id }) => id === sent.message_id);

  test('an edit keeps the former text in view', async () => {
    await result(standIn, 'editMessageText', { chat_id: 7001, message_id: sent.message_id, text: 'new' });
    expect(seen()).toMatchObject({ text: 'new', edits: ['old'] });
  });

  test.each([
    { why: 'the same text', fields: { text: 'old' }, words: 'message is not modified' },
    { why: 'an unknown message', fields: { message_id: 9999 }, words: 'message to edit not found' },
  ])('an edit to $why is refused', async ({ fields, words }) => {
    const edit = { chat_id: 7001, message_id: sent.message_id, text: 'new', ...fields };
    expect((await call(standIn, 'editMessageText', edit)).description).toContain(words);
  });

  test('a person’s message cannot be edited', async () => {
    const { message_id } = standIn.say('mine');
    const answer = await call(standIn, 'editMessageText', { chat_id: 7001, message_id, text: 'new' });
    expect(answer.description).toBe("Bad Request: message can't be edited");
  });

  test('buttons go when they are taken away', async () => {
    const target = { chat_id: 7001, message_id: sent.message_id };
    await result(standIn, 'editMessageReplyMarkup', { ...target, ...button({ callback_data: 'a' }) });
    expect(seen()?.buttons).toEqual([[{ text: 'go', callback_data: 'a' }]]);
    await result(standIn, 'editMessageReplyMarkup', target);
    expect(seen()?.buttons).toEqual([]);
    expect((await call(standIn, 'editMessageReplyMarkup', target)).description).toContain('message is not modified');
  });

  test.each(['👀', '✍', '👍', '💔'])('%s is a reaction', async (emoji) => {
    const reaction = [{ type: 'emoji', emoji }];
    await result(standIn, 'setMessageReaction', { chat_id: 7001, message_id: sent.message_id, reaction });
    expect(seen()?.reaction).toBe(emoji);
    await result(standIn, 'setMessageReaction', { chat_id: 7001, message_id: sent.message_id, reaction: [] });
    expect(seen()).toMatchObject({ reaction: undefined, reactions: [emoji, ''] });
  });

  test.each([
    { emoji: '✅', allowed: true },
    { emoji: '👀', allowed: false },
  ])('$emoji is refused where reactions are allowed: $allowed', async ({ emoji, allowed }) => {
    standIn.reactionsAllowed = allowed;
    const reaction = [{ type: 'emoji', emoji }];
    const answer = await call(standIn, 'setMessageReaction', { chat_id: 7001, message_id: sent.message_id, reaction });
    expect(answer.description).toBe('Bad Request: REACTION_INVALID');
  });

  test('a pressed button is answered once', async () => {
    const id = standIn.press(sent.message_id, 'data');
    expect(await call(standIn, 'answerCallbackQuery', { callback_query_id: id })).toEqual({ ok: true, result: true });
    for (const unknown of [id, '1']) {
      expect((await call(standIn, 'answerCallbackQuery', { callback_query_id: unknown })).description).toBe(
        'Bad Request: query is too old and response timeout expired or query ID is invalid',
      );
    }
  });
});

describe('addresses', () => {
  test.each([
    { path: (root: string, token: string) => `${root}/bot${token}/getme`, status: 200 },
    { path: (root: string, token: string) => `${root}/bot${token}/noSuch`, status: 404 },
    { path: (root: string) => `${root}/bot1:wrong/getMe`, status: 401 },
    { path: (root: string) => `${root}/botwrong/getMe`, status: 404 },
    { path: (root: string) => `${root}/`, status: 404 },
    { path: (root: string, token: string) => `${root}/file/bot${token}/documents/none`, status: 404 },
  ])('$path answers $status', async ({ path, status }) => {
    const response = await fetch(path(standIn.apiRoot, standIn.token));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(status === 200 ? { ok: true } : { ok: false, error_code: status });
  });
});
