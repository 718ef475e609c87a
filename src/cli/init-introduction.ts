/**
 * Learning chat and user from a message to the bot. It is only looked at: the offset stays where it is, so that a message
 * by which somebody introduces himself is a request, too, if it is a `/blog`.
 */
import type { InitWords } from '../core/init-words.ts';
import { type Introduction, type Sighting, hasSharedSender, introductionsIn, isGroup } from '../core/introduction.ts';
import { pause } from '../platform/clock.ts';
import { type Look, lookAtWaiting, verdictOf } from '../telegram/waiting-messages.ts';
import { type Dialog, fault } from './init-dialog.ts';
import { type KnownBot, freeOfWebhook, troubleWords } from './init-token.ts';
import { oneLine } from '../core/one-line.ts';

export interface Learned {
  chatId: number;
  userIds: readonly number[];
}

/** Where nothing waits, Telegram itself waits for this long. */
const LONG_LOOK_SECONDS = 25;
/** Where something waits, each look is answered at once. */
const LOOK_AGAIN_MS = 1_000;
const NAME_LENGTH = 40;

/** Null where the person would rather type. */
export async function learnFromMessages(dialog: Dialog, words: InitWords, known: KnownBot): Promise<Learned | null> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once('SIGINT', stop);
  try {
    const met = await new Meeting(dialog, words, known, interrupt.signal).run();
    if (met !== null) dialog.say(words.nothingConfirmed);
    return met;
  } catch (error) {
    if (interrupt.signal.aborted) throw fault('cancelled', words.cancelled);
    throw error;
  } finally {
    process.off('SIGINT', stop);
  }
}

class Meeting {
  readonly #dialog: Dialog;
  readonly #words: InitWords;
  readonly #known: KnownBot;
  readonly #signal: AbortSignal;
  /** Messages that were shown or refused already. */
  readonly #seen = new Set<number>();

  constructor(dialog: Dialog, words: InitWords, known: KnownBot, signal: AbortSignal) {
    this.#dialog = dialog;
    this.#words = words;
    this.#known = known;
    this.#signal = signal;
  }

  async run(): Promise<Learned | null> {
    const first = await this.#look(0);
    if (first === null) return null;
    const earlier = introductionsIn(this.#new(first.sightings));
    if (first.isFull) this.#dialog.warn(this.#words.queueFull);
    if (earlier.length > 0) {
      const one = await this.#chooseAmong(earlier);
      if (one !== null) return one;
    }
    return first.isFull ? null : this.#waitForOne();
  }

  async #waitForOne(): Promise<Learned | null> {
    const { bot } = this.#known;
    const words = this.#words;
    this.#dialog.say(`${words.writeNow(bot.username)}\n${words.writeInGroup(bot.username)}\n${words.stillWaiting}`);
    for (;;) {
      const look = await this.#look(LONG_LOOK_SECONDS);
      if (look === null) return null;
      const fresh = this.#new(look.sightings);
      if (hasSharedSender(fresh)) this.#dialog.warn(words.sharedSender);
      for (const one of introductionsIn(fresh)) {
        const message = words.askIsYou(this.#describe(one));
        if (await this.#dialog.confirm({ message, option: '', proposal: true, isSafe: false })) return learned(one);
        this.#dialog.say(words.stillWaiting);
      }
      if (look.sightings.length > 0) await pause(LOOK_AGAIN_MS, this.#signal);
    }
  }

  async #chooseAmong(earlier: Introduction[]): Promise<Learned | null> {
    const message = this.#words.askWhichIsYou;
    const choices = earlier.map((one, index) => ({ value: String(index), label: this.#describe(one) }));
    const none = { value: 'none', label: this.#words.noneOfThem };
    const answer = await this.#dialog.choose({ message, option: '', choices: [...choices, none], isSafe: false });
    const one = earlier[Number(answer)];
    return one === undefined ? null : learned(one);
  }

  /** Null where the person gives up looking. */
  async #look(seconds: number): Promise<Extract<Look, { kind: 'seen' }> | null> {
    const { access } = this.#known;
    for (;;) {
      const look = await lookAtWaiting(access, seconds, this.#signal).catch((error: unknown) => {
        if (this.#signal.aborted) throw error;
        return { kind: 'trouble', verdict: verdictOf(error) } as const;
      });
      if (look.kind === 'seen') return look;
      if (look.kind === 'webhook') {
        await freeOfWebhook(this.#dialog, this.#words, access);
        continue;
      }
      const trouble =
        look.kind === 'conflict' ? this.#words.otherPoller : troubleWords(this.#words, access.apiRoot, look.verdict);
      this.#dialog.warn(trouble.join('\n'));
      const choices = [
        { value: 'again', label: this.#words.waitOn },
        { value: 'ids', label: this.#words.byIds },
      ];
      const question = { message: this.#words.whatNow, option: '--chat-id', choices, isSafe: false };
      if ((await this.#dialog.choose(question)) === 'ids') return null;
    }
  }

  #new(sightings: readonly Sighting[]): Sighting[] {
    const fresh = sightings.filter(({ updateId }) => !this.#seen.has(updateId));
    for (const { updateId } of fresh) this.#seen.add(updateId);
    return fresh;
  }

  #describe({ name, userId, chatId, chatTitle }: Introduction): string {
    // Anybody may have written to the bot, under any name.
    const where = isGroup(chatId) ? this.#words.inGroup(oneLine(chatTitle, NAME_LENGTH)) : this.#words.inPrivateChat;
    return `${oneLine(name, NAME_LENGTH)} (${userId}), ${where}`;
  }
}

function learned({ chatId, userId }: Introduction): Learned {
  return { chatId, userIds: [userId] };
}
