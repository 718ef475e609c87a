/** sendMessage, sendPhoto, sendDocument and sendMediaGroup. */
import { type InlineKeyboardMarkup, type Message, defined } from './bot-api.ts';
import { refuseBadDocument, refuseBadPhoto } from './file-rules.ts';
import { documentOf, photoOf, type StoredFile } from './files.ts';
import { readInlineKeyboard } from './markup-rules.ts';
import { fileParam, isObject, listParam, objectParam, type Params, textParam } from './params.ts';
import { badRequest, Refusal } from './refusal.ts';
import { readTarget, type Target } from './target.ts';
import { type FormattedText, readCaption, readText } from './text-rules.ts';
import type { World } from './world.ts';

export function sendMessage(world: World, params: Params): Message {
  const target = readTarget(world, params);
  const { text, entities } = readText(textParam(params, 'text'), readEntities(params, 'entities'), warner(world));
  return put(world, target, { ...readMarkup(params), text, ...(entities.length === 0 ? {} : { entities }) });
}

export function sendPhoto(world: World, params: Params): Message {
  const target = readTarget(world, params);
  const photo = readPhoto(world, params, 'photo', params['photo']);
  return put(world, target, { ...readMarkup(params), photo, ...captionOf(world, params) });
}

export function sendDocument(world: World, params: Params): Message {
  const target = readTarget(world, params);
  const file = readDocument(world, params, params['document']);
  return put(world, target, { ...readMarkup(params), document: documentOf(file), ...captionOf(world, params) });
}

export function sendMediaGroup(world: World, params: Params): Message[] {
  const media = listParam(params, 'media') ?? [];
  if (media.length < 2) throw badRequest('there are too few messages to send as an album');
  if (media.length > 10) throw badRequest('too many messages to send as an album');
  return sendAlbum(world, params);
}

/** The album as it is given, whatever the number of its items; all of it is checked before any of it is put. */
export function sendAlbum(world: World, params: Params): Message[] {
  const target = readTarget(world, params);
  const items = (listParam(params, 'media') ?? []).map((item) => {
    if (!isObject(item)) throw badRequest("can't parse InputMedia: expected an Object");
    return item;
  });
  const types = new Set(items.map(({ type }) => type));
  if (types.has('document') && types.size > 1) throw badRequest("document can't be mixed with other media types");
  const contents = items.map((item, index) => readItem(world, params, item, index + 1));
  const groupId = `${13_000_000_000_000_000n + BigInt(world.now()) * 1000n + BigInt(world.files.count)}`;
  return contents.map((content) => put(world, target, { ...content, media_group_id: groupId }));
}

function readItem(world: World, params: Params, item: Params, number: number): Partial<Message> {
  try {
    const caption = captionOf(world, item);
    if (item['type'] === 'photo') return { photo: readPhoto(world, params, 'media', item['media']), ...caption };
    if (item['type'] === 'document') {
      return { document: documentOf(readDocument(world, params, item['media'])), ...caption };
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 400) throw error;
    const reason = error.message.replace('Bad Request: ', '');
    throw badRequest(`failed to send message #${number} with the error message "${reason}"`);
  }
  throw badRequest(`can't parse InputMedia: media type ${JSON.stringify(item['type'])} is not supported`);
}

function put(world: World, { room, threadId, replyTo, quote }: Target, content: Partial<Message>): Message {
  const fields = defined<Partial<Message>>({ from: world.bot, message_thread_id: threadId, quote, ...content });
  return room.put({ ...fields, replyTo }, true);
}

function captionOf(world: World, params: Params): Partial<Message> {
  const given = readEntities(params, 'caption_entities');
  const { text, entities }: FormattedText = readCaption(textParam(params, 'caption'), given, warner(world));
  if (text === '') return {};
  return { caption: text, ...(entities.length === 0 ? {} : { caption_entities: entities }) };
}

export function readEntities(params: Params, name: string): unknown[] | undefined {
  // The product formats by entities only; a call that would need a parser here is a mistake to be seen.
  if (textParam(params, 'parse_mode') !== '') throw badRequest('unsupported parse_mode');
  return listParam(params, name);
}

export function readMarkup(params: Params): { reply_markup?: InlineKeyboardMarkup } {
  const markup = readInlineKeyboard(objectParam(params, 'reply_markup'));
  return markup === undefined ? {} : { reply_markup: markup };
}

export function warner(world: World): (words: string) => void {
  return (words) => void world.warnings.push(words);
}

function readPhoto(world: World, params: Params, field: string, value: unknown): NonNullable<Message['photo']> {
  const stored = readStored(world, params, field, value, ({ content }) => refuseBadPhoto(content));
  if (stored.path.startsWith('documents/') && stored.width === undefined) {
    throw badRequest("can't use file of type Document as Photo");
  }
  return photoOf(world.files, stored);
}

function readDocument(world: World, params: Params, value: unknown): StoredFile {
  return readStored(world, params, 'document', value, ({ content }) => refuseBadDocument(content));
}

/** A file that comes along, itself or by `attach://`, or one that Telegram has already. */
function readStored(
  world: World,
  params: Params,
  field: string,
  value: unknown,
  check: (sent: { content: Buffer }) => void,
): StoredFile {
  const name = typeof value === 'string' ? value : '';
  const attached = name.startsWith('attach://') ? name.slice('attach://'.length) : undefined;
  const sent = attached === undefined ? fileParam({ [field]: value }, field) : fileParam(params, attached);
  if (sent !== undefined) {
    check(sent);
    return world.files.add(sent.content, { name: sent.filename, mime: sent.contentType });
  }
  if (name === '') throw badRequest(`there is no ${field} in the request`);
  const stored = world.files.get(name);
  if (stored === undefined) throw badRequest('wrong file identifier/HTTP URL specified');
  return stored;
}
