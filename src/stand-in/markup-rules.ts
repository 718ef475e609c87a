/** Rules for inline keyboards and reactions. */
import type { Button, InlineKeyboardMarkup } from './bot-api.ts';
import { isLink } from './entity-rules.ts';
import { isObject } from './params.ts';
import { badRequest } from './refusal.ts';

/** Reactions a bot may set (https://core.telegram.org/bots/api#reactiontypeemoji), without variation selectors. */
const REACTIONS = new Set(
  (
    '❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 ' +
    '👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡'
  ).split(' '),
);

/** The inline keyboard of `reply_markup`; undefined without one or with an empty one. */
export function readInlineKeyboard(markup: Record<string, unknown> | undefined): InlineKeyboardMarkup | undefined {
  if (markup === undefined || !('inline_keyboard' in markup)) return undefined;
  const rows = markup['inline_keyboard'];
  if (!Array.isArray(rows)) throw badRequest('object expected as reply markup');
  const keyboard = rows.map((row: unknown) => {
    if (!Array.isArray(row)) throw badRequest("can't parse inline keyboard button: Array of Buttons expected");
    return row.map(readButton);
  });
  const filled = keyboard.filter((row) => row.length > 0);
  if (filled.flat().length > 100) throw badRequest('REPLY_MARKUP_TOO_LONG');
  return filled.length === 0 ? undefined : { inline_keyboard: filled };
}

function readButton(button: unknown): Button {
  if (!isObject(button) || typeof button['text'] !== 'string' || button['text'].trim() === '') {
    throw badRequest('can\'t parse inline keyboard button: field "text" is empty');
  }
  const { text, callback_data: data, url } = button;
  if (typeof data === 'string') {
    const bytes = Buffer.byteLength(data);
    if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID');
    return { text, callback_data: data };
  }
  if (typeof url !== 'string') throw badRequest("can't parse inline keyboard button: text buttons are unallowed");
  if (!isLink(url)) throw badRequest(`inline keyboard button URL '${url}' is invalid: wrong HTTP URL`);
  return { text, url };
}

/** The emoji of `reaction`; a bot may set one. */
export function readReaction(reaction: unknown[] | undefined): string[] {
  const emoji = (reaction ?? []).map((item) => {
    if (!isObject(item) || item['type'] !== 'emoji' || typeof item['emoji'] !== 'string') {
      throw badRequest("can't parse reaction: type must be emoji");
    }
    if (!REACTIONS.has(item['emoji'])) throw badRequest('REACTION_INVALID');
    return item['emoji'];
  });
  if (emoji.length > 1) throw badRequest('REACTIONS_TOO_MANY');
  return emoji;
}
