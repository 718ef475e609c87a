/**
 * Owns: questions to Telegram about bot, chat and webhook, for `doctor`.
 * Guarantees: nothing is changed: no update is confirmed, and no setting of the bot is named, so none is replaced.
 * Fails how: never throws for what the network or Telegram does; a refusal and a dead line are answers.
 */
import { type Api, GrammyError } from 'grammy';
import type { ChatFullInfo, ChatMember, Update, UserFromGetMe, WebhookInfo } from 'grammy/types';
import { type TelegramAccess, openConnection, reasonOf } from './connection.ts';

export type Told<T> =
  | { kind: 'told'; value: T }
  | { kind: 'refused'; code: number; description: string; migratedTo: number | null }
  | { kind: 'unreachable'; reason: string };

export interface Inspection {
  me(): Promise<Told<UserFromGetMe>>;
  webhook(): Promise<Told<WebhookInfo>>;
  chat(chatId: number): Promise<Told<ChatFullInfo>>;
  member(chatId: number, userId: number): Promise<Told<ChatMember>>;
  /**
   * Waits for an update as a bot does, with no offset: what comes is not confirmed and comes again. Of two that wait
   * Telegram ends the older one with 409, so a program that asks again within this time ends this question.
   */
  waitAsABot(seconds: number): Promise<Told<Update[]>>;
}

const PATIENCE_MS = 15_000;

export function openInspection(access: TelegramAccess): Inspection {
  const ask = async <T>(call: (api: Api) => Promise<T>, timeoutMs = PATIENCE_MS): Promise<Told<T>> => {
    const connection = openConnection(access, timeoutMs);
    try {
      return { kind: 'told', value: await call(connection.api) };
    } catch (error) {
      return failureOf(error);
    } finally {
      connection.close();
    }
  };
  return {
    me: () => ask((api) => api.getMe()),
    webhook: () => ask((api) => api.getWebhookInfo()),
    chat: (chatId) => ask((api) => api.getChat(chatId)),
    member: (chatId, userId) => ask((api) => api.getChatMember(chatId, userId)),
    waitAsABot: (seconds) => ask((api) => api.getUpdates({ timeout: seconds, limit: 1 }), seconds * 1000 + PATIENCE_MS),
  };
}

function failureOf(error: unknown): Exclude<Told<never>, { kind: 'told' }> {
  if (!(error instanceof GrammyError)) return { kind: 'unreachable', reason: reasonOf(error) };
  const { error_code: code, description, parameters } = error;
  if (code === 429 || code >= 500) return { kind: 'unreachable', reason: `${code} ${description}` };
  return { kind: 'refused', code, description, migratedTo: parameters.migrate_to_chat_id ?? null };
}

/**
 * How far this machine's clock is ahead of Telegram's, by the `Date` of an answer to a question without a token; null
 * where none came.
 */
export async function clockAheadMs(apiRoot: string): Promise<number | null> {
  try {
    const asked = Date.now();
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { headers } = await fetch(apiRoot, { method: 'HEAD', redirect: 'manual', signal });
    const answered = Date.now();
    const told = Date.parse(headers.get('date') ?? '');
    // The header names whole seconds, cut.
    return Number.isNaN(told) ? null : Math.round((asked + answered) / 2 - (told + 500));
  } catch {
    return null;
  }
}
