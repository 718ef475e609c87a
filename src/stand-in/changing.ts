/** What the bot does to messages that stand already: edits, reactions, answers to pressed buttons. */
import { isDeepStrictEqual } from 'node:util';
import type { InlineKeyboardMarkup, Message } from './bot-api.ts';
import { readReaction } from './markup-rules.ts';
import { idParam, listParam, type Params, textParam } from './params.ts';
import { badRequest } from './refusal.ts';
import type { Entry } from './chat-message.ts';
import { readEntities, readMarkup, warner } from './sending.ts';
import { readThread } from './target.ts';
import { readText } from './text-rules.ts';
import { findRoom, type World } from './world.ts';

const ACTIONS = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

export function editMessageText(world: World, params: Params): Message {
  const entry = findOwn(world, params, 'edit');
  const { text, entities } = readText(textParam(params, 'text'), readEntities(params, 'entities'), warner(world));
  const { message } = entry;
  if (message.text === undefined) throw badRequest('there is no text in the message to edit');
  const { reply_markup: markup } = readMarkup(params);
  const same = message.text === text && isDeepStrictEqual(message.entities ?? [], entities);
  if (same && isDeepStrictEqual(message.reply_markup, markup)) throw notModified();
  entry.edits.push(message.text);
  message.text = text;
  if (entities.length > 0) message.entities = entities;
  else delete message.entities;
  return mark(world, message, markup);
}

export function editMessageReplyMarkup(world: World, params: Params): Message {
  const { message } = findOwn(world, params, 'edit');
  const { reply_markup: markup } = readMarkup(params);
  if (isDeepStrictEqual(message.reply_markup, markup)) throw notModified();
  return mark(world, message, markup);
}

function mark(world: World, message: Message, markup: InlineKeyboardMarkup | undefined): Message {
  if (markup === undefined) delete message.reply_markup;
  else message.reply_markup = markup;
  message.edit_date = world.now();
  return message;
}

/** Answers each pressed button once. */
export function answerCallbackQuery(world: World, params: Params): true {
  const callback = world.callbacks.get(textParam(params, 'callback_query_id'));
  if (callback === undefined || callback.answered) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  if (textParam(params, 'text').length > 200) throw badRequest('MESSAGE_TOO_LONG');
  callback.answered = true;
  return true;
}

export function setMessageReaction(world: World, params: Params): true {
  const entry = findRoom(world, params['chat_id']).find(idParam(params, 'message_id'));
  if (entry === undefined) throw badRequest('message to react not found');
  const [emoji] = readReaction(listParam(params, 'reaction'));
  if (emoji !== undefined && !world.reactionsAllowed) throw badRequest('REACTION_INVALID');
  entry.reactions.push(emoji ?? '');
  return true;
}

export function sendChatAction(world: World, params: Params): true {
  const room = findRoom(world, params['chat_id']);
  if (!ACTIONS.has(textParam(params, 'action'))) throw badRequest('wrong parameter action in request');
  readThread(room, params);
  return true;
}

function findOwn(world: World, params: Params, verb: string): Entry {
  const entry = findRoom(world, params['chat_id']).find(idParam(params, 'message_id'));
  if (entry === undefined) throw badRequest(`message to ${verb} not found`);
  if (!entry.fromBot) throw badRequest("message can't be edited");
  return entry;
}

function notModified(): Error {
  const same = 'specified new message content and reply markup are exactly the same as a current content and';
  return badRequest(`message is not modified: ${same} reply markup of the message`);
}
