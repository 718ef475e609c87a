/**
 * Owns: the one loop over `getUpdates`, and the offset.
 * Guarantees: an update is confirmed (by a later offset) only after `handle` resolved for its whole batch; the loop polls
 *   again within 60 s of whatever the network, Telegram or a sleeping laptop did.
 * Fails how: throws `token-refused` (401, 404); everything else is survived, and told through `onHealth`.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Api, GrammyError } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { BridgeError } from '../core/failure.ts';
import { monotonicMs, pause } from '../platform/clock.ts';
import { linkedAbort } from '../platform/linked-abort.ts';
import { type TelegramAccess, asGrammySignal, reasonOf } from './connection.ts';

/** Named at each poll, since Telegram remembers the list of an earlier program that used the same token. */
export const ALLOWED_UPDATES = ['message', 'edited_message', 'callback_query'] as const;

/** Silence, then the longest wait, then the next poll: together well under the 60 s that are promised. */
export const POLL_TIMING = {
  longPollSeconds: 30,
  /** How long an answer may be late before the socket is held for dead. */
  answerMarginMs: 8_000,
  /** For calls that Telegram answers at once. */
  shortCallMs: 15_000,
  firstBackOffMs: 500,
  longestBackOffMs: 20_000,
  /** Telegram names its own times with 429; a longer one is asked about earlier. */
  longestToldWaitMs: 50_000,
};

export type PollTiming = typeof POLL_TIMING;

/** Bot API, getUpdates: the most that one answer holds. */
export const MOST_UPDATES = 100;
const FAREWELL_MS = 2_000;
/** A timer that is this much late was asleep: the socket that it watched is worth nothing. */
const WAKE_TICK_MS = 2_000;
const WAKE_LATENESS_MS = 5_000;

export interface PollHealth {
  /** Null while all is well. */
  trouble: { code: 'conflict' | 'unreachable' | 'webhook'; words: string } | null;
}

export interface PollerOptions {
  access: TelegramAccess;
  /** Takes a batch in order; resolves with how many of it, from the first on, are durable or decided. */
  handle(updates: Update[]): Promise<number>;
  onHealth(health: PollHealth): void;
  /** How the next poll is asked where something waits for silence; null for a long poll at once. */
  nextPoll?(): { delayMs: number; seconds: number } | null;
  /**
   * After a poll that was asked at `askedAtMs` (monotonic) and whose updates are handled.
   * @param isAll false where Telegram may hold more than it gave
   */
  onPolled?(askedAtMs: number, isAll: boolean): Promise<void>;
  signal: AbortSignal;
  /** By default that of the product; a test is in a hurry. */
  timing?: PollTiming;
}

export interface Poller {
  /** Resolves with the bot's own account as soon as Telegram answers; null where the signal came first. */
  start(): Promise<UserFromGetMe | null>;
  /** Polls until the signal; resolves after the last batch is handled. */
  run(): Promise<void>;
}

export function openPoller(options: PollerOptions): Poller {
  const { access, signal, timing = POLL_TIMING } = options;
  let line = openLine(access);
  let failures = 0;
  let offset: number | undefined;

  const call = async <T>(timeoutMs: number, method: (api: Api, inner: AbortSignal) => Promise<T>): Promise<T> => {
    const limit = openLimit(timeoutMs, signal);
    try {
      return await method(line.api, limit.signal);
    } catch (error) {
      // A socket that failed once, or that slept, is not used again.
      line.close();
      line = openLine(access);
      throw error;
    } finally {
      limit.close();
    }
  };

  /** Until it succeeds or the signal comes; undefined then. */
  const persist = async <T>(attempt: () => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      if (signal.aborted) return undefined;
      try {
        const result = await attempt();
        failures = 0;
        options.onHealth({ trouble: null });
        return result;
      } catch (error) {
        if (signal.aborted) return undefined;
        await survive(error);
      }
    }
  };

  const survive = async (error: unknown): Promise<void> => {
    failures += 1;
    let waitMs = Math.min(timing.firstBackOffMs * 2 ** Math.min(failures - 1, 10), timing.longestBackOffMs);
    if (error instanceof GrammyError) {
      if (error.error_code === 401 || error.error_code === 404) throw tokenRefused(error);
      if (error.error_code === 429) waitMs = (error.parameters.retry_after ?? 1) * 1000;
      if (error.error_code === 409) {
        options.onHealth({ trouble: conflictOf(error) });
        if (/webhook/iu.test(error.description)) await tryToRemoveWebhook();
      } else {
        options.onHealth({ trouble: { code: 'unreachable', words: `Telegram answered ${error.error_code}` } });
      }
    } else {
      options.onHealth({ trouble: { code: 'unreachable', words: `Telegram cannot be reached: ${reasonOf(error)}` } });
    }
    await pause(Math.min(waitMs, timing.longestToldWaitMs), signal);
  };

  /** What was dealt with is told once more before leaving, so that it does not come again; what comes back is left alone. */
  const confirm = async (next: number): Promise<void> => {
    const last = openLine(access);
    const brief = asGrammySignal(AbortSignal.timeout(FAREWELL_MS));
    await last.api
      .getUpdates({ offset: next, timeout: 0, limit: 1, allowed_updates: ALLOWED_UPDATES }, brief)
      .catch(() => undefined);
    last.close();
  };

  const removeWebhook = (): Promise<true> =>
    call(timing.shortCallMs, (api, inner) => api.deleteWebhook({ drop_pending_updates: false }, asGrammySignal(inner)));

  const tryToRemoveWebhook = async (): Promise<void> => {
    try {
      await removeWebhook();
    } catch {
      // the next poll tells again whether it is there
    }
  };

  return {
    async start() {
      // Side by side: neither needs the other, and each costs a round trip.
      const answers = await persist(() =>
        Promise.all([call(timing.shortCallMs, (api, inner) => api.getMe(asGrammySignal(inner))), removeWebhook()]),
      );
      return answers?.[0] ?? null;
    },

    async run() {
      while (!signal.aborted) {
        const { delayMs, seconds } = options.nextPoll?.() ?? { delayMs: 0, seconds: timing.longPollSeconds };
        if (delayMs > 0) await pause(delayMs, signal);
        const askedAtMs = monotonicMs();
        const updates = await persist(() =>
          call(seconds * 1000 + timing.answerMarginMs, async (api, inner) =>
            updatesOf(
              await api.getUpdates(
                { offset: offset ?? 0, timeout: seconds, limit: MOST_UPDATES, allowed_updates: ALLOWED_UPDATES },
                asGrammySignal(inner),
              ),
            ),
          ),
        );
        if (updates === undefined) break;
        const handled = await options.handle(updates);
        // An empty answer says that all before the offset is confirmed. From then on none is named, since after a week of
        // silence Telegram begins anew with any id (Bot API, `Update.update_id`), also with a lower one.
        offset = updates.length === 0 ? undefined : nextOffset(offset, updates.slice(0, handled));
        if (handled === updates.length) await options.onPolled?.(askedAtMs, updates.length < MOST_UPDATES);
      }
      if (offset !== undefined) await confirm(offset);
      line.close();
    },
  };
}

/** A proxy may answer in Telegram's place, with anything. */
function updatesOf(answer: unknown): Update[] {
  if (Array.isArray(answer)) return answer as Update[];
  throw new TypeError(`getUpdates: expected a list, found ${typeof answer}`);
}

function nextOffset(offset: number | undefined, updates: Update[]): number | undefined {
  const ids = updates.map((update) => update.update_id).filter(Number.isSafeInteger);
  return ids.length === 0 ? offset : Math.max(...ids) + 1;
}

function openLine({ token, apiRoot }: TelegramAccess): { api: Api; close(): void } {
  const agent = apiRoot.startsWith('https:') ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const fetchConfig = { agent, compress: true } as const;
  return { api: new Api(token, { apiRoot, baseFetchConfig: fetchConfig }), close: () => agent.destroy() };
}

/**
 * Aborts after `timeoutMs`, at the outer signal, and when the machine was asleep (or the process stopped): no network event
 * tells that a socket died meanwhile.
 */
function openLimit(timeoutMs: number, outer: AbortSignal): { signal: AbortSignal; close: () => void } {
  const { signal, abort, unlink } = linkedAbort(outer);
  const deadline = setTimeout(abort, timeoutMs);
  let expected = Date.now() + WAKE_TICK_MS;
  const ticks = setInterval(() => {
    if (Date.now() - expected > WAKE_LATENESS_MS) abort();
    expected = Date.now() + WAKE_TICK_MS;
  }, WAKE_TICK_MS);
  const close = (): void => {
    clearTimeout(deadline);
    clearInterval(ticks);
    unlink();
  };
  return { signal, close };
}

function conflictOf(error: GrammyError): NonNullable<PollHealth['trouble']> {
  if (/webhook/iu.test(error.description))
    return { code: 'webhook', words: 'a webhook is set for this bot; removing it' };
  return {
    code: 'conflict',
    words: 'another program polls with the same bot token; end it, or make a token of its own',
  };
}

function tokenRefused(error: GrammyError): BridgeError {
  return new BridgeError(
    'token-refused',
    `Telegram refuses the bot token: expected a valid TELEGRAM_BOT_TOKEN, found one that is answered ${error.error_code}`,
    {
      hint: 'Ask @BotFather for the current token and put it into .env.',
    },
  );
}
