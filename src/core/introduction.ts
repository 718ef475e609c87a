/** Who introduced themselves to the bot: chats and persons, from the messages that wait at Telegram. Pure. */
import { SHARED_TELEGRAM_IDS } from './settings.ts';

/** What is looked at of one waiting message. */
export interface Sighting {
  updateId: number;
  /** Unix time in seconds. */
  date: number;
  chat: { id: number; type: string; title: string };
  from: { id: number; name: string; isBot: boolean } | null;
  /** The group has this id now (Bot API, `migrate_to_chat_id`). */
  movedTo: number | null;
}

export interface Introduction {
  chatId: number;
  chatType: string;
  chatTitle: string;
  userId: number;
  name: string;
  date: number;
}

/** One for each person in each chat, the latest first. */
export function introductionsIn(sightings: readonly Sighting[]): Introduction[] {
  const moved = new Map(sightings.flatMap(({ chat, movedTo }) => (movedTo === null ? [] : [[chat.id, movedTo]])));
  const found = new Map<string, Introduction>();
  for (const { chat, from, date, movedTo } of sightings) {
    if (movedTo !== null || from === null || from.isBot || isShared(from.id)) continue;
    const movedId = moved.get(chat.id);
    const chatId = movedId ?? chat.id;
    const chatType = movedId === undefined ? chat.type : 'supergroup';
    found.set(`${chatId} ${from.id}`, {
      chatId,
      chatType,
      chatTitle: chat.title,
      userId: from.id,
      name: from.name,
      date,
    });
  }
  return [...found.values()].toSorted((a, b) => b.date - a.date);
}

/** Whether somebody wrote as the group or a channel: under an account that many share, so nobody can be allowed by it. */
export function hasSharedSender(sightings: readonly Sighting[]): boolean {
  return sightings.some(({ from }) => from !== null && isShared(from.id));
}

export function isShared(userId: number): boolean {
  return SHARED_TELEGRAM_IDS.includes(userId);
}

/** In a private chat, chat and person have the same number; groups have negative ones. */
export function isGroup(chatId: number): boolean {
  return chatId < 0;
}

/** Ids as a person types them: numbers with commas or spaces between; null where something else stands there. */
export function parseIds(text: string): number[] | null {
  const ids = text
    .split(/[\s,]+/u)
    .filter((word) => word !== '')
    .map((word) => (/^-?\d{1,16}$/u.test(word) ? Number(word) : Number.NaN));
  return ids.length > 0 && ids.every((id) => Number.isSafeInteger(id) && id !== 0) ? ids : null;
}
