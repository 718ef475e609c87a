/** The methods that the stand-in knows, by name in lower case. */
import { deleteWebhook, getChat, getChatMember, getMe, getMyCommands, getWebhookInfo } from './account.ts';
import { setMyCommands, setWebhook } from './account.ts';
import type { Update } from './bot-api.ts';
import { answerCallbackQuery, editMessageReplyMarkup, editMessageText } from './changing.ts';
import { sendChatAction, setMessageReaction } from './changing.ts';
import { refuseUnlessDownloadable } from './file-rules.ts';
import { fileObject } from './files.ts';
import { listParam, numberParam, type Params, textParam } from './params.ts';
import { badRequest, Refusal } from './refusal.ts';
import { sendDocument, sendMediaGroup, sendMessage, sendPhoto } from './sending.ts';
import type { World } from './world.ts';

export type Method = (world: World, params: Params, signal: AbortSignal) => unknown;

const METHODS = {
  getMe,
  getUpdates,
  getFile,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendPhoto,
  sendDocument,
  sendMediaGroup,
  editMessageText,
  editMessageReplyMarkup,
  answerCallbackQuery,
  sendChatAction,
  setMessageReaction,
  setMyCommands,
  getMyCommands,
  getChat,
  getChatMember,
} satisfies Record<string, Method>;

const BY_NAME = new Map<string, { name: string; run: Method }>(
  Object.entries(METHODS).map(([name, run]) => [name.toLowerCase(), { name, run }]),
);

/** Method names are not case-sensitive (https://core.telegram.org/bots/api#making-requests). */
export function findMethod(name: string): { name: string; run: Method } | undefined {
  return BY_NAME.get(name.toLowerCase());
}

function getUpdates(world: World, params: Params, signal: AbortSignal): Promise<Update[]> {
  if (world.webhookUrl !== '') {
    const remedy = 'use deleteWebhook to delete the webhook first';
    throw new Refusal(409, `Conflict: can't use getUpdates method while webhook is active; ${remedy}`);
  }
  const bounds = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
  const query = {
    offset: numberParam(params, 'offset', { or: 0, ...bounds }),
    limit: numberParam(params, 'limit', { or: 100, min: 1, max: 100 }),
    timeoutMs: 1000 * numberParam(params, 'timeout', { or: 0, min: 0, max: 50 }),
    allowed: listParam(params, 'allowed_updates')?.map(String),
  };
  return world.updates.poll(query, signal);
}

function getFile(world: World, params: Params): unknown {
  const file = world.files.get(textParam(params, 'file_id'));
  if (file === undefined) throw badRequest('invalid file_id');
  refuseUnlessDownloadable(file);
  return { ...fileObject(file), file_path: file.path };
}

/** `/file/bot<token>/<path>`; no method, but called, noted and spoilt like one. */
export const DOWNLOAD = { name: 'download', run: download };

function download(world: World, params: Params): Buffer {
  const file = world.files.at(textParam(params, 'path'));
  if (file === undefined) throw new Refusal(404, 'Not Found');
  return file.content;
}
