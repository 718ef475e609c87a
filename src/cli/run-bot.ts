/** Wires the bot: poller → intake → spool. */
import { type Settings, languageOf } from '../core/settings.ts';
import { BOT_COMMANDS, wordsIn } from '../core/words.ts';
import { BotTalk } from '../bridge/bot-talk.ts';
import { Gathering } from '../bridge/gathering.ts';
import { Intake } from '../bridge/intake.ts';
import { isConsumerRunning, overviewOf, statusWords } from '../bridge/overview.ts';
import { untilStored } from '../bridge/persistence.ts';
import { nowIso, monotonicMs, pause } from '../platform/clock.ts';
import { type Log, openLog } from '../platform/log.ts';
import { botIdOf } from '../spool/home-binding.ts';
import { migrationNote } from '../spool/migration-note.ts';
import { OrderInbox } from '../spool/order-inbox.ts';
import { PartStore } from '../spool/part-store.ts';
import { RequestStore } from '../spool/request-store.ts';
import { keepUnread } from '../spool/unread-updates.ts';
import { HeartbeatFile } from '../state/heartbeat.ts';
import { LinkStore } from '../state/link-store.ts';
import { OrderLog } from '../state/order-log.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { registerCommands } from '../telegram/command-menu.ts';
import type { TelegramAccess } from '../telegram/connection.ts';
import { decodeUpdate } from '../telegram/decode.ts';
import { ordinaryFlow } from '../telegram/ordinary-flow.ts';
import { openPoller } from '../telegram/poller.ts';
import { openSender } from '../telegram/sender.ts';
import { type Home, accessOf } from './open-home.ts';
import { warnOfSync } from './start-warnings.ts';
import { takeHome } from './take-home.ts';

/** How long the last words may take once the process is to stop. */
const FAREWELL_MS = 3_000;

export async function runBot(home: Home, signal: AbortSignal): Promise<void> {
  const access = accessOf(home);
  const { folders, settings } = home;
  const { chatId, userIds } = settings.telegram;
  const log = openLog('bot', [access.token]);
  const lock = await takeHome({
    folders,
    lockPath: folders.botLock,
    temporaryFolder: folders.spoolTemporary,
    linkedFolder: folders.requests,
    botId: botIdOf(access.token),
    chatId,
    signal,
    onTrouble: (words) =>
      log.error({ cause: words }, words === null ? 'the home can be used now' : 'cannot start; trying again'),
  });
  if (lock === null) return;
  warnOfSync(folders.root, log);
  try {
    const heartbeat = new HeartbeatFile(folders.botHeartbeat, process.pid, nowIso());
    const onTrouble = (words: string | null): void => heartbeat.trouble(words, monotonicMs());
    const requests = new RequestStore(folders, chatId);
    const receipts = new ReceiptStore(folders);
    const taken = new OrderLog(folders);
    const sender = openSender(access);
    const parts = new PartStore(folders);
    const gathering = new Gathering(settings.gatherSeconds * 1000, monotonicMs);
    const tellOfParts = (words: string | null): void => {
      onTrouble(words);
      log.error({ cause: words }, words === null ? 'parts can be read now' : 'cannot read parts; trying again');
    };
    const waiting = await untilStored(() => parts.parts(), signal, tellOfParts).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (waiting === null) return;
    gathering.load(waiting);
    let intake: Intake | undefined;
    let trouble: string | null = null;
    const poller = openPoller({
      access,
      signal,
      handle: async (updates) => (await intake?.handle(updates)) ?? 0,
      onHealth: (health) => {
        const words = health.trouble?.words ?? null;
        if (words !== trouble)
          log.warn({ cause: words }, words === null ? 'Telegram answers' : 'trouble with Telegram');
        trouble = words;
        onTrouble(words);
      },
      nextPoll: () => gathering.nextPoll(),
      onPolled: async (askedAtMs, isAll) => {
        heartbeat.completed(nowIso(), monotonicMs());
        if (isAll) await intake?.polled(askedAtMs);
      },
    });
    onTrouble(null);
    heartbeat.begun(monotonicMs());
    const me = await poller.start();
    if (me === null) return;
    const overview = () => overviewOf({ home: folders, requests, receipts });
    const flow = ordinaryFlow({
      access,
      me,
      sender,
      languageOf: (language) => languageOf(settings, language),
      statusWords: (words) => statusWords(overview(), words, Date.now()),
    });
    const talk = new BotTalk({
      settings,
      sender,
      taken,
      requests,
      receipts,
      flow,
      migration: migrationNote(folders),
      now: nowIso,
      isConsumerAlive: () => isConsumerRunning(folders),
      log,
      signal,
    });
    intake = new Intake({
      assertOwn: () => lock.assertOwn(),
      rules: { chatId, userIds, botUsername: me.username },
      decode: (update) => decodeUpdate(update, me.id),
      requests,
      receipts,
      parts,
      gathering,
      talk,
      log,
      onTrouble,
      signal,
      inbox: new OrderInbox(folders),
      links: new LinkStore(folders),
      keepUnread: (update, cause) => keepUnread(folders, update, cause),
      now: nowIso,
    });
    log.info({ bot: me.username, chatId }, 'bot ready');
    const polling = poller.run();
    void showCommands(access, settings, log);
    await polling;
    await Promise.race([talk.settled(), pause(FAREWELL_MS)]);
    await heartbeat.settled();
    log.info({}, 'bot stopped');
  } finally {
    lock.release();
  }
}

/** A nicety: whatever comes of it, the bot does its work. */
async function showCommands(access: TelegramAccess, settings: Settings, log: Log): Promise<void> {
  const lists = (['', 'ko'] as const).map((language) => {
    const words = wordsIn(languageOf(settings, language));
    return { language, commands: BOT_COMMANDS.map((command) => ({ command, description: words.command[command] })) };
  });
  const outcome = await registerCommands(access, settings.telegram.chatId, lists);
  if (outcome.kind === 'failed') log.warn({ cause: outcome.reason }, 'the commands are not shown in the chat');
  else if (outcome.changed > 0) log.info({ lists: outcome.changed }, 'commands shown in the chat');
}
