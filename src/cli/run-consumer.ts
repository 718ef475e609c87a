/** Wires the consumer: spool → agent → chat → receipts. */
import { errorWords } from '../core/failure.ts';
import type { AgentSettings } from '../core/settings.ts';
import type { Agent } from '../core/ports.ts';
import { commandAgent } from '../agent/command-agent.ts';
import { sampleAgent } from '../agent/sample-agent.ts';
import { Consumer } from '../bridge/consumer.ts';
import { Reactions, reactionTo } from '../bridge/reactions.ts';
import { Questions } from '../bridge/questions.ts';
import { ReceiptBook } from '../bridge/receipt-book.ts';
import { Runner } from '../bridge/run-request.ts';
import { monotonicMs, nowIso, pause } from '../platform/clock.ts';
import { FolderWatch } from '../platform/folder-watch.ts';
import { linkedAbort } from '../platform/linked-abort.ts';
import { type Log, openLog } from '../platform/log.ts';
import { botIdOf } from '../spool/home-binding.ts';
import { OrderInbox } from '../spool/order-inbox.ts';
import { RequestStore } from '../spool/request-store.ts';
import { ConversationIndex } from '../state/conversation-index.ts';
import { HeartbeatFile } from '../state/heartbeat.ts';
import { LinkStore } from '../state/link-store.ts';
import { OrderLog } from '../state/order-log.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { RunFiles } from '../state/run-files.ts';
import { fetchFile } from '../telegram/file-source.ts';
import { openSender } from '../telegram/sender.ts';
import { type Home, accessOf, holdsHome, workFolder } from './open-home.ts';
import { warnOfAgent, warnOfSync } from './start-warnings.ts';
import { takeHome } from './take-home.ts';

/** A run gets 10 s, its group 5 s, the last words the rest; then the process leaves, whatever hangs. */
const LAST_MOMENT_MS = 20_000;
const GROUP_END_MS = 6_000;

export async function runConsumer(home: Home, signal: AbortSignal): Promise<void> {
  const access = accessOf(home);
  const { folders, settings } = home;
  const log = openLog('consumer', [access.token]);
  const lock = await takeHome({
    folders,
    lockPath: folders.consumerLock,
    temporaryFolder: folders.stateTemporary,
    linkedFolder: folders.state,
    botId: botIdOf(access.token),
    chatId: settings.telegram.chatId,
    signal,
    onTrouble: (words) =>
      log.error({ cause: words }, words === null ? 'the home can be used now' : 'cannot start; trying again'),
  });
  if (lock === null) return;
  warnOfSync(folders.root, log);
  try {
    const heartbeat = new HeartbeatFile(folders.consumerHeartbeat, process.pid, nowIso());
    const onTrouble = (words: string | null): void => heartbeat.trouble(words, monotonicMs(), 'disk');
    const ending = linkedAbort(signal);
    const until = ending.signal;
    const assertOwner = (): void => lock.assertOwn();
    const receipts = new ReceiptStore(folders);
    const links = new LinkStore(folders);
    const files = new RunFiles(folders);
    const sender = openSender(access);
    const reactions = new Reactions(sender);
    const book = new ReceiptBook(receipts, assertOwner, nowIso, (receipt, before) => {
      if (before === null) heartbeat.receiptMade(receipt.id, monotonicMs());
      const reaction = reactionTo(receipt);
      if (reaction === null || reaction === reactionTo(before)) return;
      reactions.show(settings.telegram.chatId, Number(receipt.id), reaction);
    });
    const cwd = workFolder(home);
    if (holdsHome(cwd, folders.root)) {
      log.warn({ cwd }, 'agent.cwd holds this home: the agent can read and change requests and receipts');
    }
    warnOfAgent(settings.agent, cwd, log);
    const questions = new Questions();
    const requests = new RequestStore(folders, settings.telegram.chatId);
    const shared = {
      questions,
      requests,
      settings,
      sender,
      book,
      links,
      files,
      reactions,
      log,
      assertOwner,
      onTrouble,
      signal: until,
    };
    const runner = new Runner({
      ...shared,
      home: folders.root,
      cwd,
      agent: await agentFor(settings.agent, cwd),
      onActivity: (activity) => heartbeat.activity(activity, monotonicMs()),
      onFetchTrouble: (words) => {
        if (words !== null) log.warn({ cause: words }, 'fetching again');
        heartbeat.trouble(words, monotonicMs(), 'files');
      },
      fetchFile: (wanted, path, stop) => fetchFile(access, wanted, path, stop),
      conversations: new ConversationIndex(folders),
    });
    const watched = watchOf([folders.pending, folders.orders], () => consumer.wake(), log);
    const consumer: Consumer = new Consumer({
      ...shared,
      runner,
      receipts,
      inbox: new OrderInbox(folders),
      taken: new OrderLog(folders),
      now: nowIso,
      onFaults: (words) => heartbeat.trouble(words, monotonicMs(), 'requests'),
      onFatal: () => ending.abort(),
      onLatest: (ids) => heartbeat.latestReceipts(ids, monotonicMs()),
      onScan: () => {
        watched.renew();
        heartbeat.completed(nowIso(), monotonicMs());
      },
    });
    heartbeat.begun(monotonicMs());
    // Before the first look, so that nothing comes unseen between the two.
    watched.renew();
    const work = consumer.run();
    await Promise.race([work, lastMoment(signal)]);
    // For what hangs even then: no agent is left behind.
    runner.abandon();
    await Promise.race([work, pause(GROUP_END_MS)]);
    watched.close();
    await heartbeat.settled();
    log.info({}, 'consumer stopped');
  } finally {
    lock.release();
  }
}

async function agentFor(agent: AgentSettings, cwd: string): Promise<Agent> {
  if (agent.kind === 'sample') return sampleAgent(cwd);
  // The protocol's package takes a good part of a start: only who needs it loads it.
  if (agent.kind === 'acp') return (await import('../agent/acp-agent.ts')).acpAgent({ ...agent, cwd });
  return commandAgent({ command: agent.command, resumeCommand: agent.resumeCommand, cwd });
}

/** Events are hints: whatever goes wrong with the watch costs a second or two, since the folders are read anyway. */
function watchOf(folders: string[], wake: () => void, log: Log): FolderWatch {
  let isTold = false;
  return new FolderWatch(folders, wake, (error) => {
    if (!isTold) log.warn({ cause: errorWords(error) }, 'watching is not possible; looking every two seconds');
    isTold = true;
  });
}

async function lastMoment(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await pause(LAST_MOMENT_MS);
}
