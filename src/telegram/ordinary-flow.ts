/**
 * Owns: the bot's ordinary flow, as grammY middleware over a context that knows which answer was decided.
 * Guarantees: it never makes a request; it may be extended like any grammY bot.
 * Fails: with what its handlers throw.
 */
import { Bot, Context } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import type { OrdinaryAnswer } from '../core/admission.ts';
import type { Destination, Sender } from '../core/ports.ts';
import type { Language } from '../core/settings.ts';
import { type Words, ordinaryWords, wordsIn } from '../core/words.ts';
import type { TelegramAccess } from './connection.ts';

class OrdinaryContext extends Context {
  answer: OrdinaryAnswer = 'hint';
}

export interface FlowPorts {
  access: TelegramAccess;
  me: UserFromGetMe;
  sender: Sender;
  languageOf(personLanguage: string | undefined): Language;
  /** The state of the queue in words. */
  statusWords(words: Words): string;
}

export function ordinaryFlow(ports: FlowPorts): (update: Update, answer: OrdinaryAnswer) => Promise<void> {
  const decided = new WeakMap<Update, OrdinaryAnswer>();
  const bot = new Bot<OrdinaryContext>(ports.access.token, {
    botInfo: ports.me,
    ContextConstructor: OrdinaryContext,
    client: { apiRoot: ports.access.apiRoot },
  });
  const say = async (ctx: OrdinaryContext, text: string): Promise<void> => {
    await ports.sender.sendText(placeOf(ctx), { text, entities: [] });
  };
  const wordsFor = (ctx: OrdinaryContext): Words => wordsIn(ports.languageOf(ctx.from?.language_code));

  bot.use(async (ctx, next) => {
    ctx.answer = decided.get(ctx.update) ?? 'hint';
    await next();
  });
  bot.filter((ctx) => ctx.answer === 'status').use((ctx) => say(ctx, ports.statusWords(wordsFor(ctx))));
  bot.use((ctx) => say(ctx, ordinaryWords(wordsFor(ctx), ctx.answer)));

  return async (update, answer) => {
    decided.set(update, answer);
    await bot.handleUpdate(update);
  };
}

function placeOf(ctx: Context): Destination {
  const message = ctx.msg;
  return {
    chatId: ctx.chat?.id ?? 0,
    replyTo: message?.message_id ?? null,
    threadId: message?.is_topic_message === true ? (message.message_thread_id ?? null) : null,
  };
}
