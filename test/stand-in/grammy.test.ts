import { Api, GrammyError, HttpError, InputFile, InputMediaBuilder } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStandIn, type StandIn } from '../../src/stand-in/stand-in.ts';
import { png } from './bot-client.ts';

let standIn: StandIn;
let api: Api;
beforeEach(async () => {
  standIn = await openStandIn();
  api = new Api(standIn.token, { apiRoot: standIn.apiRoot });
});
afterEach(() => standIn.close());

test('grammY knows the bot and gets its updates', async () => {
  expect(await api.getMe()).toMatchObject({ id: standIn.botId, is_bot: true, username: 'blog_bridge_bot' });
  standIn.say('/blog hello');
  const [update] = await api.getUpdates({ timeout: 5, allowed_updates: ['message'] });
  expect(update?.message).toMatchObject({ text: '/blog hello', chat: { id: 7001, type: 'private' } });
});

test('grammY sends texts with entities, answers and buttons', async () => {
  const { message_id } = standIn.say('question');
  await api.sendMessage(7001, 'bold', {
    entities: [{ type: 'bold', offset: 0, length: 4 }],
    reply_parameters: { message_id },
    reply_markup: { inline_keyboard: [[{ text: 'go', callback_data: 'd' }]] },
  });
  expect(standIn.botMessages[0]).toMatchObject({
    text: 'bold',
    entities: [{ type: 'bold', offset: 0, length: 4 }],
    replyTo: message_id,
    buttons: [[{ text: 'go', callback_data: 'd' }]],
  });
});

test('grammY sends documents under names with spaces, quotes and other letters', async () => {
  for (const name of ['reply.md', '내 글.md', "it's a file.txt"]) {
    const sent = await api.sendDocument(7001, new InputFile(Buffer.from('content'), name), { caption: 'c' });
    expect(sent).toMatchObject({ document: { file_name: name, file_size: 7 }, caption: 'c' });
  }
});

test('grammY sends albums', async () => {
  const album = [40, 50].map((width) => InputMediaBuilder.photo(new InputFile(png(width, 30), 'p.png')));
  const sent = await api.sendMediaGroup(7001, album);
  expect(standIn.botMessages.map(({ message }) => message.photo?.at(-1)?.width)).toEqual([40, 50]);
  expect(standIn.accepted('sendMediaGroup')[0]?.messageIds).toEqual(sent.map(({ message_id: id }) => id));
});

test('grammY tells a refusal from a broken connection', async () => {
  await expect(api.sendMessage(1, 'x')).rejects.toBeInstanceOf(GrammyError);
  standIn.fault({ method: 'sendMessage' }, { reset: 'after' });
  await expect(api.sendMessage(7001, 'x')).rejects.toBeInstanceOf(HttpError);
  expect(standIn.botMessages).toHaveLength(1);
});
