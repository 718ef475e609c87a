/**
 * Owns: looking at what waits at Telegram, and at what stands in the way of that.
 * Guarantees: the offset is never named, so nothing is confirmed: whatever is seen here comes to the bot again, as if
 *   nobody had looked (Bot API, `getUpdates`). A webhook is removed without dropping what waits.
 * Fails: grammY's errors unchanged.
 */
import { GrammyError } from 'grammy';
import type { Message, Update } from 'grammy/types';
import type { Sighting } from '../core/introduction.ts';
import { type Verdict, judgeAttempt } from '../core/reach.ts';
import { type TelegramAccess, asGrammySignal, openConnection, reasonOf } from './connection.ts';
import { ALLOWED_UPDATES, MOST_UPDATES } from './poller.ts';

const SHORT_CALL_MS = 15_000;
const ANSWER_MARGIN_MS = 8_000;

export type Look =
  /** @property isFull there may be later ones, which cannot be seen without confirming these */
  | { kind: 'seen'; sightings: Sighting[]; isFull: boolean }
  /** Another program asks with the same token. */
  | { kind: 'conflict' }
  | { kind: 'webhook' };

/** @param seconds how long Telegram may wait for a first message; where one waits already it answers at once */
export async function lookAtWaiting(access: TelegramAccess, seconds: number, signal: AbortSignal): Promise<Look> {
  const connection = openConnection(access, seconds * 1000 + ANSWER_MARGIN_MS);
  try {
    // The bot's own list of kinds: Telegram remembers the last one that was named.
    const updates = await connection.api.getUpdates(
      { timeout: seconds, limit: MOST_UPDATES, allowed_updates: ALLOWED_UPDATES },
      asGrammySignal(signal),
    );
    const sightings = updates.flatMap((update) => sightingOf(update) ?? []);
    return { kind: 'seen', sightings, isFull: updates.length >= MOST_UPDATES };
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 409) throw error;
    return { kind: /webhook/iu.test(error.description) ? 'webhook' : 'conflict' };
  } finally {
    connection.close();
  }
}

/** Where it led, without its path, which often holds a secret; null where there was none. */
export async function removeWebhook(access: TelegramAccess): Promise<{ host: string; waiting: number } | null> {
  const connection = openConnection(access, SHORT_CALL_MS);
  try {
    const { url = '', pending_update_count: waiting } = await connection.api.getWebhookInfo();
    if (url === '') return null;
    await connection.api.deleteWebhook({ drop_pending_updates: false });
    return { host: URL.canParse(url) ? new URL(url).host : '?', waiting };
  } finally {
    connection.close();
  }
}

/** The chat as the bot knows it; null where it does not. */
export async function chatKnownAs(
  access: TelegramAccess,
  chatId: number,
): Promise<{ type: string; title: string } | null> {
  const connection = openConnection(access, SHORT_CALL_MS);
  try {
    const chat = await connection.api.getChat(chatId);
    return { type: chat.type, title: titleOf(chat) };
  } catch (error) {
    if (error instanceof GrammyError && (error.error_code === 400 || error.error_code === 403)) return null;
    throw error;
  } finally {
    connection.close();
  }
}

/** What an error that was thrown here tells about Telegram. */
export function verdictOf(error: unknown): Exclude<Verdict, { kind: 'bot' }> {
  const verdict = judgeAttempt(
    error instanceof GrammyError
      ? { kind: 'answered', status: error.error_code, body: '{"ok":false}' }
      : { kind: 'failed', code: reasonOf(error) },
  );
  return verdict.kind === 'bot' ? { kind: 'trouble', what: 'other', detail: '' } : verdict;
}

/** Null for what is no new message. */
function sightingOf({ update_id: updateId, message }: Update): Sighting | null {
  if (message === undefined) return null;
  const { chat, from, date, migrate_to_chat_id: movedTo } = message;
  return {
    updateId,
    date,
    chat: { id: chat.id, type: chat.type, title: titleOf(chat) },
    from: from === undefined ? null : { id: from.id, name: nameOf(from), isBot: from.is_bot },
    movedTo: movedTo ?? null,
  };
}

function titleOf(chat: Pick<Message['chat'], 'title' | 'first_name' | 'last_name'>): string {
  return chat.title ?? nameOf({ first_name: chat.first_name ?? '', last_name: chat.last_name });
}

function nameOf({
  first_name: first,
  last_name: last,
}: {
  first_name: string;
  last_name?: string | undefined;
}): string {
  return last === undefined ? first : `${first} ${last}`;
}
