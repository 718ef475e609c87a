/**
 * Owns: every call by which the bridge says something in the chat.
 * Guarantees: each call is made once, on a connection of its own; its outcome is never better than what is known.
 * Fails how: by its outcome; nothing is thrown for what the network or Telegram does.
 */
import { statSync } from 'node:fs';
import { InputFile, InputMediaBuilder } from 'grammy';
import type { Api } from 'grammy';
import type { Button, Destination, Reaction, SendOutcome, Sender, Upload } from '../core/ports.ts';
import { errorCode } from '../core/failure.ts';
import { type TelegramAccess, fateOf, openConnection } from './connection.ts';

/** How long an answer is waited for. What was sent and not answered in this time has an unknown fate. */
const TIMEOUTS = { textMs: 30_000, bestEffortMs: 10_000 };
/** Slowest upload that is waited for, in bytes a millisecond (about 0.4 Mbit/s). */
const SLOWEST_UPLOAD = 50;

export function openSender(access: TelegramAccess, { textMs, bestEffortMs } = TIMEOUTS): Sender {
  const once = (timeoutMs: number, call: (api: Api) => Promise<number[]>): Promise<SendOutcome> =>
    callOnce(access, timeoutMs, call);

  return {
    sendText: (to, content, buttons) =>
      once(textMs, async (api) => {
        const message = await api.sendMessage(to.chatId, content.text, {
          ...addressing(to),
          entities: content.entities as NonNullable<Parameters<Api['sendMessage']>[2]>['entities'] & object,
          link_preview_options: { is_disabled: true },
          ...(buttons === undefined ? {} : { reply_markup: keyboard(buttons) }),
        });
        return [message.message_id];
      }),

    sendSilently: (to, text) =>
      once(textMs, async (api) => {
        const message = await api.sendMessage(to.chatId, text, { ...addressing(to), disable_notification: true });
        return [message.message_id];
      }),

    async sendFile(to, media, file) {
      const bytes = sizeOf([file]);
      if (typeof bytes === 'string') return notReadable(bytes);
      return once(textMs + bytes / SLOWEST_UPLOAD, async (api) => {
        const other = { ...addressing(to), ...captionOf(file) };
        const upload = uploadOf(file);
        const message =
          media === 'photo'
            ? await api.sendPhoto(to.chatId, upload, other)
            : await api.sendDocument(to.chatId, upload, other);
        return [message.message_id];
      });
    },

    async sendAlbum(to, media, files) {
      const bytes = sizeOf(files);
      if (typeof bytes === 'string') return notReadable(bytes);
      const outcome = await once(textMs + bytes / SLOWEST_UPLOAD, async (api) => {
        const items = files.map((file) => InputMediaBuilder[media](uploadOf(file), captionOf(file)));
        const messages = await api.sendMediaGroup(
          to.chatId,
          items as Parameters<Api['sendMediaGroup']>[1],
          addressing(to),
        );
        return messages.map((message) => message.message_id);
      });
      return albumOutcome(outcome, files.length);
    },

    editText: (chatId, messageId, text) =>
      once(bestEffortMs, async (api) => {
        await api.editMessageText(chatId, messageId, text, { link_preview_options: { is_disabled: true } });
        return [messageId];
      }),

    removeButtons: (chatId, messageId) =>
      once(bestEffortMs, async (api) => {
        await api.editMessageReplyMarkup(chatId, messageId);
        return [messageId];
      }),

    async react(chatId, messageId, emoji) {
      await once(bestEffortMs, async (api) => {
        await api.setMessageReaction(chatId, messageId, [{ type: 'emoji', emoji: emoji satisfies Reaction }]);
        return [];
      });
    },

    showTyping: (chatId, threadId) =>
      once(bestEffortMs, async (api) => {
        await api.sendChatAction(chatId, 'typing', threadId === null ? {} : { message_thread_id: threadId });
        return [];
      }),

    async answerPress(callbackId, words) {
      await once(bestEffortMs, async (api) => {
        await api.answerCallbackQuery(callbackId, { text: words.slice(0, 200) });
        return [];
      });
    },
  };
}

async function callOnce(
  access: TelegramAccess,
  timeoutMs: number,
  call: (api: Api) => Promise<number[]>,
): Promise<SendOutcome> {
  const connection = openConnection(access, timeoutMs);
  try {
    const messageIds = await call(connection.api);
    if (messageIds.every(Number.isSafeInteger)) return { kind: 'accepted', messageIds };
    return { kind: 'unknown', reason: 'an answer without a message id' };
  } catch (error) {
    return fateOf(error, connection);
  } finally {
    connection.close();
  }
}

function addressing(to: Destination): {
  message_thread_id?: number;
  reply_parameters?: { message_id: number; allow_sending_without_reply: true };
} {
  return {
    ...(to.threadId === null ? {} : { message_thread_id: to.threadId }),
    ...(to.replyTo === null ? {} : { reply_parameters: { message_id: to.replyTo, allow_sending_without_reply: true } }),
  };
}

function keyboard(buttons: Button[][]): { inline_keyboard: { text: string; callback_data: string }[][] } {
  return {
    inline_keyboard: buttons.map((row) => row.map(({ label, data }) => ({ text: label, callback_data: data }))),
  };
}

/** An album can be refused in its middle: what came before has arrived then. */
function albumOutcome(outcome: SendOutcome, items: number): SendOutcome {
  if (outcome.kind === 'accepted' && outcome.messageIds.length !== items) {
    return { kind: 'unknown', reason: `${outcome.messageIds.length} of ${items} items were confirmed` };
  }
  const words = outcome.kind === 'refused' ? outcome.description : outcome.kind === 'not-arrived' ? outcome.reason : '';
  return /failed to send message/iu.test(words) ? { kind: 'unknown', reason: words } : outcome;
}

function captionOf(file: Upload): { caption?: string } {
  return file.caption === '' ? {} : { caption: file.caption };
}

/** Nothing left this machine, and nothing will: a certain refusal of our own. */
function notReadable(code: string): SendOutcome {
  return { kind: 'refused', code: 0, description: `a file of the answer cannot be read (${code})` };
}

/** Bytes of all files, or the system's code for one that cannot be read. */
function sizeOf(files: readonly Upload[]): number | string {
  try {
    return files.reduce((sum, file) => sum + statSync(file.path).size, 0);
  } catch (error) {
    return errorCode(error) ?? 'unreadable';
  }
}

/** grammY writes the name into the header as it is, where a semicolon or a blank would end it: so it is quoted here. */
function uploadOf({ path, name }: Upload): InputFile {
  return new InputFile(path, `"${name}"`);
}
