/** The first questions of `init`: which bot, and whether Telegram can be asked at all. */
import { readFileSync, realpathSync } from 'node:fs';
import { errorCode, errorWords } from '../core/failure.ts';
import type { InitWords, Trouble } from '../core/init-words.ts';
import type { BotFacts, Verdict } from '../core/reach.ts';
import { DEFAULT_API_ROOT } from '../core/settings.ts';
import { keepSecret } from '../platform/stderr.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import type { TelegramAccess } from '../telegram/connection.ts';
import { askWhoAmI } from '../telegram/first-call.ts';
import { removeWebhook, verdictOf } from '../telegram/waiting-messages.ts';
import { type Dialog, fault } from './init-dialog.ts';
import type { Standing } from './init-files.ts';
import { usableApiRoot } from './open-home.ts';

const TOKEN = /^\d{1,15}:[\w-]{1,200}$/u;
const OPTION = '--token-file (or TELEGRAM_BOT_TOKEN in the environment)';

export interface KnownBot {
  access: TelegramAccess;
  bot: BotFacts;
}

export interface TokenOptions {
  tokenFile?: string;
  /** How long Telegram may take to answer. */
  timeout: number;
}

export async function learnBot(
  dialog: Dialog,
  words: InitWords,
  standing: Standing,
  options: TokenOptions,
): Promise<KnownBot> {
  const apiRoot = usableApiRoot(
    process.env['TELEGRAM_API_ROOT'] ||
      standing.env.apiRoot ||
      (standing.config.settings?.telegram.apiRoot ?? DEFAULT_API_ROOT),
  );
  let given = givenToken(options, standing, words);
  for (;;) {
    const token = given?.token ?? (await askToken(dialog, words));
    keepSecret(token);
    if (given !== null) dialog.say(words.tokenFrom(given.place));
    const access = { token, apiRoot };
    const bot = await whoAmI(dialog, words, access, options.timeout * 1000);
    if (bot !== null && (await isWanted(dialog, words, bot, given))) {
      warnOfEnvironment(dialog, words, token);
      await freeOfWebhook(dialog, words, access);
      return { access, bot };
    }
    given = null;
  }
}

interface GivenToken {
  token: string;
  place: string;
  /** It was not chosen in this run, so a person is asked. */
  stands: boolean;
}

function givenToken({ tokenFile }: TokenOptions, { env, folders }: Standing, words: InitWords): GivenToken | null {
  if (tokenFile !== undefined) {
    const token = readTokenFile(tokenFile, words);
    if (token === null) throw fault('usage', words.tokenFileEmpty(tokenFile));
    return { token, place: tokenFile === '-' ? 'stdin' : tokenFile, stands: false };
  }
  const ofEnvironment = process.env['TELEGRAM_BOT_TOKEN'] ?? '';
  if (TOKEN.test(ofEnvironment)) return { token: ofEnvironment, place: 'TELEGRAM_BOT_TOKEN', stands: false };
  return TOKEN.test(env.token) ? { token: env.token, place: folders.env, stands: true } : null;
}

function readTokenFile(path: string, words: InitWords): string | null {
  const text = path === '-' ? readFileSync(0, 'utf8') : wholeText(path, words);
  const token = text.trim().replace(/^TELEGRAM_BOT_TOKEN=/u, '');
  return TOKEN.test(token) ? token : null;
}

function wholeText(path: string, words: InitWords): string {
  try {
    const file = readRegularFile(realpathSync(path), 64 * 1024);
    return file.kind === 'file' ? file.bytes.toString('utf8') : '';
  } catch (error) {
    throw fault('usage', words.tokenFileUnreadable(path, errorCode(error) ?? errorWords(error)));
  }
}

function askToken(dialog: Dialog, words: InitWords): Promise<string> {
  const check = (answer: string): string | undefined => (TOKEN.test(answer) ? undefined : words.tokenShape);
  if (dialog.isInteractive) dialog.say(words.tokenHow);
  return dialog.secret({ message: words.askToken, option: OPTION, check });
}

/** Null where a person wants to give another token. */
async function whoAmI(
  dialog: Dialog,
  words: InitWords,
  access: TelegramAccess,
  timeoutMs: number,
): Promise<BotFacts | null> {
  for (;;) {
    const verdict = await askWhoAmI(access, timeoutMs);
    if (verdict.kind === 'bot') {
      dialog.say(words.botIs(verdict.bot.username));
      return verdict.bot;
    }
    const trouble = troubleWords(words, access.apiRoot, verdict);
    const failure = fault(verdict.kind === 'token-refused' ? 'token-refused' : 'telegram-unreachable', trouble);
    if (!dialog.isInteractive) throw failure;
    dialog.warn(trouble.join('\n'));
    if (verdict.kind === 'token-refused') return null;
    const question = { message: words.tryAgain, option: '', proposal: true, isSafe: false };
    if (!(await dialog.confirm(question))) throw failure;
  }
}

export function troubleWords(words: InitWords, apiRoot: string, verdict: Exclude<Verdict, { kind: 'bot' }>): Trouble {
  if (verdict.kind === 'token-refused') return words.tokenRefused(verdict.status);
  return words.trouble[verdict.what]({ host: new URL(apiRoot).host, detail: verdict.detail });
}

async function isWanted(
  dialog: Dialog,
  words: InitWords,
  { username }: BotFacts,
  given: GivenToken | null,
): Promise<boolean> {
  if (given?.stands !== true || !dialog.isInteractive) return true;
  const choices = [
    { value: 'keep', label: words.yes },
    { value: 'other', label: words.otherBot },
  ];
  const question = { message: words.keepBot(username), option: OPTION, choices, proposal: 'keep' };
  return (await dialog.choose(question)) === 'keep';
}

function warnOfEnvironment(dialog: Dialog, words: InitWords, token: string): void {
  const ofEnvironment = process.env['TELEGRAM_BOT_TOKEN'] ?? '';
  if (ofEnvironment !== '' && ofEnvironment !== token) dialog.warn(words.environmentWins);
}

/** As the bot would at its start: without that, nothing that is written to it is seen. */
export async function freeOfWebhook(dialog: Dialog, words: InitWords, access: TelegramAccess): Promise<void> {
  const removed = await reached(words, access, () => removeWebhook(access));
  if (removed !== null) dialog.warn(words.webhookRemoved(removed.host, removed.waiting));
}

/** What Telegram or the network refuses becomes an error in words. */
export async function reached<T>(words: InitWords, { apiRoot }: TelegramAccess, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw fault('telegram-unreachable', troubleWords(words, apiRoot, verdictOf(error)));
  }
}
