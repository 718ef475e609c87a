/** Where a message of the bot goes: chat, topic and the message it answers. */
import type { Message } from './bot-api.ts';
import { idParam, isObject, objectParam, type Params, textParam } from './params.ts';
import { badRequest } from './refusal.ts';
import type { Entry } from './chat-message.ts';
import type { Room } from './room.ts';
import { findRoom, type World } from './world.ts';

export interface Target {
  room: Room;
  threadId: number | undefined;
  replyTo: Entry | undefined;
  quote: Message['quote'];
}

export function readTarget(world: World, params: Params): Target {
  const room = findRoom(world, params['chat_id']);
  const threadId = readThread(room, params);
  return { room, threadId, ...readReply(room, replyParameters(params)) };
}

/** The id of an open topic, or undefined where none is named. */
export function readThread(room: Room, params: Params): number | undefined {
  const threadId = idParam(params, 'message_thread_id');
  if (threadId === undefined) return undefined;
  const topic = room.topics.get(threadId);
  if (topic === undefined || topic.state === 'deleted') throw badRequest('message thread not found');
  if (topic.state === 'closed') throw badRequest('TOPIC_CLOSED');
  return threadId;
}

/** `reply_parameters`, or the two older parameters that mean the same. */
function replyParameters(params: Params): Params | undefined {
  const parameters = objectParam(params, 'reply_parameters');
  if (parameters !== undefined) return parameters;
  const id = idParam(params, 'reply_to_message_id');
  return id === undefined ? undefined : { ...params, message_id: id, quote: undefined };
}

function readReply(room: Room, parameters: Params | undefined): Pick<Target, 'replyTo' | 'quote'> {
  if (!isObject(parameters)) return { replyTo: undefined, quote: undefined };
  const replyTo = room.find(idParam(parameters, 'message_id'));
  if (replyTo === undefined) {
    if (parameters['allow_sending_without_reply'] === true) return { replyTo: undefined, quote: undefined };
    throw badRequest('message to be replied not found');
  }
  const text = textParam(parameters, 'quote');
  const position = (replyTo.message.text ?? replyTo.message.caption ?? '').indexOf(text);
  if (position === -1) throw badRequest('QUOTE_TEXT_INVALID');
  return { replyTo, quote: text === '' ? undefined : { text, position, is_manual: true } };
}
