/** Bot and consumer as the command line wires them, over a real home, with a simulated machine below and beside them. */
import { Intake } from '../../src/bridge/intake.ts';
import { BotTalk } from '../../src/bridge/bot-talk.ts';
import { Consumer } from '../../src/bridge/consumer.ts';
import { Gathering } from '../../src/bridge/gathering.ts';
import { Questions } from '../../src/bridge/questions.ts';
import { Reactions } from '../../src/bridge/reactions.ts';
import { ReceiptBook } from '../../src/bridge/receipt-book.ts';
import { Runner } from '../../src/bridge/run-request.ts';
import type { Agent, Sender } from '../../src/core/ports.ts';
import { BridgeError } from '../../src/core/failure.ts';
import { parseSettings } from '../../src/core/settings.ts';
import type { HomeFolders } from '../../src/platform/home-folders.ts';
import type { Log } from '../../src/platform/log.ts';
import { monotonicMs } from '../../src/platform/clock.ts';
import { migrationNote } from '../../src/spool/migration-note.ts';
import { OrderInbox } from '../../src/spool/order-inbox.ts';
import { PartStore } from '../../src/spool/part-store.ts';
import { RequestStore } from '../../src/spool/request-store.ts';
import { keepUnread } from '../../src/spool/unread-updates.ts';
import { ConversationIndex } from '../../src/state/conversation-index.ts';
import { LinkStore } from '../../src/state/link-store.ts';
import { OrderLog } from '../../src/state/order-log.ts';
import { ReceiptStore } from '../../src/state/receipt-store.ts';
import { RunFiles } from '../../src/state/run-files.ts';
import { decodeUpdate } from '../../src/telegram/decode.ts';
import { BOT_ID, CHAT_ID } from './chat.ts';
import type { SimulatedProcess } from './simulated-process.ts';

export const OWNER = 7001;
export const RUN_SECONDS = 60;

const settings = parseSettings(
  JSON.stringify({
    telegram: { chatId: CHAT_ID, userIds: [OWNER] },
    agent: { kind: 'command', command: ['scripted'], timeoutSeconds: RUN_SECONDS },
    language: 'en',
  }),
  'config.json',
);

/** What a test may put in the place of the real pieces, to see whether the rules notice. */
export interface Stores {
  requests: RequestStore;
  receipts: ReceiptStore;
  links: LinkStore;
  taken: OrderLog;
  parts: PartStore;
  sender: Sender;
  agent: Agent;
}

export interface Around {
  folders: HomeFolders;
  now: () => string;
  sender: Sender;
  agent: Agent;
  log: Log;
  isConsumerAlive: () => boolean;
  /** Changes the pieces on purpose; by default leaves them as they are. */
  mutate: (stores: Stores, process: SimulatedProcess) => Stores;
}

function storesOf({ folders, sender, agent, mutate }: Around, process: SimulatedProcess): Stores {
  const stores = {
    requests: new RequestStore(folders, CHAT_ID),
    receipts: new ReceiptStore(folders),
    links: new LinkStore(folders),
    taken: new OrderLog(folders),
    parts: new PartStore(folders),
    sender,
    agent,
  };
  return mutate(stores, process);
}

export interface Bot {
  intake: Intake;
  gathering: Gathering;
}

export function openBot(around: Around, process: SimulatedProcess): Bot {
  const { folders, log, now, isConsumerAlive } = around;
  const { signal } = process.ending;
  const { requests, receipts, links, taken, parts, sender } = storesOf(around, process);
  const gathering = new Gathering(settings.gatherSeconds * 1000, monotonicMs);
  gathering.load(parts.parts());
  const say = async (): Promise<void> =>
    void (await sender.sendText({ chatId: CHAT_ID, replyTo: null, threadId: null }, { text: 'a word', entities: [] }));
  const migration = migrationNote(folders);
  const talk = new BotTalk({
    settings,
    sender,
    taken,
    requests,
    receipts,
    migration,
    flow: say,
    isConsumerAlive,
    now,
    log,
    signal,
  });
  const intake = new Intake({
    assertOwn: () => assertAlive(process),
    rules: { chatId: CHAT_ID, userIds: [OWNER], botUsername: 'bot' },
    decode: (update) => decodeUpdate(update, BOT_ID),
    requests,
    receipts,
    parts,
    gathering,
    talk,
    log,
    onTrouble: () => undefined,
    signal,
    inbox: new OrderInbox(folders),
    links,
    keepUnread: (update, cause) => keepUnread(folders, update, cause),
    now,
  });
  return { intake, gathering };
}

export function openConsumer(around: Around, process: SimulatedProcess): Consumer {
  const { folders, now, log } = around;
  const { signal } = process.ending;
  const { requests, receipts, links, taken, sender, agent } = storesOf(around, process);
  const assertOwner = (): void => assertAlive(process);
  const nothing = (): void => undefined;
  const files = new RunFiles(folders);
  const reactions = new Reactions(sender);
  const book = new ReceiptBook(receipts, assertOwner, now, nothing);
  const questions = new Questions();
  const shared = { questions, requests, settings, sender, book, links, files, reactions, log, assertOwner, signal };
  const runner = new Runner({
    ...shared,
    home: folders.root,
    cwd: folders.work,
    agent,
    onTrouble: nothing,
    onActivity: nothing,
    onFetchTrouble: nothing,
    fetchFile: async () => ({ kind: 'refused', reason: 'no files here' }),
    conversations: new ConversationIndex(folders),
  });
  return new Consumer({
    ...shared,
    runner,
    receipts,
    inbox: new OrderInbox(folders),
    taken,
    now,
    onTrouble: nothing,
    onFaults: nothing,
    onFatal: () => process.ending.abort(),
    onLatest: nothing,
    onScan: nothing,
  });
}

function assertAlive(process: SimulatedProcess): void {
  if (process.isDead) throw new BridgeError('lock-lost', `the lock of the dead ${process.name} is gone`);
}
