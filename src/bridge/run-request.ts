/**
 * Owns: one request's way from waiting to its end: readied, claimed, let go, recorded, delivered.
 * Guarantees: the agent begins only after its claim is durable; its reply is durable before the first part is sent.
 * Fails: by the receipt it leaves. Throws where nothing was begun and the disk or the system has no room (try again), and
 *   for `lock-lost`.
 */
import { errorWords } from '../core/failure.ts';
import type { Destination, HeldRun, Question, RecoveryOutcome, RunOutcome, Sender } from '../core/ports.ts';
import { promptOf } from '../core/prompt.ts';
import { type FetchedAttachment, type Receipt, isRecorded } from '../core/receipt.ts';
import type { OrderMark, ReceiptEvent } from '../core/receipt-machine.ts';
import type { Request } from '../core/request.ts';
import { type Settings, languageOf } from '../core/settings.ts';
import { type Words, wordsIn } from '../core/words.ts';
import { type LinkedAbort, linkedAbort } from '../platform/linked-abort.ts';
import { localMinute } from '../platform/local-time.ts';
import type { Log } from '../platform/log.ts';
import type { LinkStore } from '../state/link-store.ts';
import { replyOf } from './answer-parts.ts';
import { eventOfEnd } from './conclude-run.ts';
import { deliver } from './delivery.ts';
import { untilStored } from './persistence.ts';
import type { Answer, Questions } from './questions.ts';
import { type Readied, type ReadyPorts, readyRun } from './ready-run.ts';
import { watchRun } from './watch-run.ts';

export interface RunnerPorts extends ReadyPorts {
  settings: Settings;
  /** Real path of the home. */
  home: string;
  /** The agent's working folder. */
  cwd: string;
  sender: Sender;
  links: LinkStore;
  questions: Questions;
  log: Log;
  assertOwner: () => void;
  onTrouble: (words: string | null) => void;
  onActivity: (activity: { request: string; words: string } | null) => void;
  /** Aborted when the process is to stop: nothing new is begun. */
  signal: AbortSignal;
}

/** `taken`: somebody else's claim, or an order, came first. `unavailable`: nothing was run, and the receipt is unchanged. */
export type RunResult = { kind: 'ended' } | { kind: 'taken' } | { kind: 'unavailable'; message: string };

interface Current {
  id: string;
  run: HeldRun;
  cancelledBy: OrderMark | null;
  over: Promise<void>;
  finish: () => void;
}

export class Runner {
  readonly #ports: RunnerPorts;
  #readying: { id: string; stop: LinkedAbort } | null = null;
  #current: Current | null = null;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
  }

  /** Id of the request whose agent works at this moment. */
  get runningId(): string | null {
    return this.#current?.id ?? null;
  }

  /** Id of the request whose files are fetched, or whose agent is being started. */
  get readyingId(): string | null {
    return this.#readying?.id ?? null;
  }

  /**
   * @param order set for a rerun: then an agent that cannot be started changes nothing
   * @param onClaimed called once the claim is durable
   */
  async run(request: Request, order: OrderMark | null, onClaimed: () => void = () => undefined): Promise<RunResult> {
    const before = this.#ports.book.current(request.id);
    // Cancelled while it waited, say: only an order starts what has a receipt.
    if (before !== null && order === null) return { kind: 'taken' };
    const named = this.#ports.requests.syncPending();
    // Awaited before the claim; until then its failure is no unhandled one.
    named.catch(() => undefined);
    const readied = await this.#ready(request, before, order);
    if (readied.kind !== 'readied') return readied;
    if (!(await this.#claim(request, before, readied, named))) return { kind: 'taken' };
    const ended = this.#letGo(request, readied.run);
    // Awaited below; until then its failure is no unhandled one.
    ended.catch(() => undefined);
    this.#ports.log.info({ request: request.id, run: readied.number, pid: readied.run.process.pid }, 'agent let go');
    onClaimed();
    this.#tellWhatIsMissing(request, readied.claim.facts?.attachments ?? []);
    await this.#conclude(request, await ended, readied.number);
    return { kind: 'ended' };
  }

  /** While this process has nothing better to do. */
  prepare(): void {
    void this.#ports.agent.prepare?.();
  }

  /** True once the running agent was ended by this order; false where it had ended by itself before. */
  async cancel(requestId: string, order: OrderMark): Promise<boolean> {
    const current = this.#current;
    if (current === null || current.id !== requestId || current.cancelledBy !== null) return false;
    current.cancelledBy = order;
    current.run.stop('cancelled');
    await current.over;
    return this.#ports.book.current(requestId)?.history.some((entry) => entry.order?.id === order.id) ?? false;
  }

  /** Gives up getting ready for a request that an order has closed meanwhile: files, and an agent that is being started. */
  dropWaiting(requestId: string): void {
    if (this.#readying?.id === requestId) this.#readying.stop.abort();
  }

  /** Ends the running agent at once; its receipt stays `submitted`. */
  abandon(): void {
    this.#current?.run.stop('shutdown');
  }

  /** Sends what a recorded receipt still holds; the receipt is left `sent`, `failed` or doubtful. */
  async deliver(request: Request, receipt: Receipt): Promise<void> {
    if (!isRecorded(receipt)) return;
    const { sender, links, files, log, book, assertOwner, signal, onTrouble } = this.#ports;
    const end = await deliver(receipt, destinationOf(request), {
      sender,
      signal,
      assertOwner,
      current: () => book.current(request.id),
      filesFolder: files.folder(request.id),
      advance: (event) => this.#advance(request, event),
      link: (botMessageId, link) => untilStored(() => links.write(botMessageId, link), signal, onTrouble),
    });
    log.info({ request: request.id, state: end.state, attention: end.attention }, 'delivery ended');
  }

  /**
   * For a run that a dead consumer left `submitted`, and of which nothing is left: an answer that the agent's own history
   * holds is recorded, to be delivered for the first time; else the receipt says that the run was interrupted, and what
   * the history told. Calls no model.
   */
  async recover(request: Request, receipt: Receipt): Promise<Receipt | null> {
    const recovery = await this.#recovered(request, receipt);
    const { log, signal, onTrouble } = this.#ports;
    // A look that a stop cut short tells nothing: the next start looks again.
    if (signal.aborted && recovery?.kind === 'unavailable') return null;
    if (recovery?.kind === 'answer') {
      log.info({ request: request.id, run: receipt.run }, 'answer found in the agent’s history');
      const outcome = { ...recovery, kind: 'answered', whole: null } as const;
      const compose = () => replyOf(outcome, request.id, receipt.run, this.#ports, this.#wordsFor(request), true);
      const reply = await untilStored(compose, signal, onTrouble);
      const facts = { recovery: recovery.kind };
      const recorded = reply === null ? null : await this.#advance(request, { type: 'recorded', reply, facts });
      if (recorded !== null) return recorded;
    }
    const facts = recovery === null || recovery.kind === 'answer' ? {} : { recovery: recovery.kind };
    return this.#advance(request, { type: 'interrupted', facts });
  }

  async #recovered(request: Request, receipt: Receipt): Promise<RecoveryOutcome | null> {
    const { agent, files, log, signal } = this.#ports;
    if (agent.recover === undefined || receipt.session === null) return null;
    const spec = {
      ...files.prepare(request.id, receipt.run),
      requestId: request.id,
      conversation: request.conversation,
      session: receipt.session,
      formerSession: receipt.session,
      turn: receipt.turn ?? 1,
      run: receipt.run,
      prompt: promptOf(request),
      filesFolder: null,
    };
    const outcome = await agent.recover(spec, signal);
    log.info({ request: request.id, outcome: outcome.kind }, 'history looked at');
    return outcome;
  }

  async #ready(request: Request, before: Receipt | null, order: OrderMark | null): Promise<Readied | RunResult> {
    const { signal, log } = this.#ports;
    const stop = linkedAbort(signal);
    this.#readying = { id: request.id, stop };
    const ask = (question: Question, over: AbortSignal): Promise<Answer> => this.#ask(request, question, over);
    const readying = await readyRun(request, before, order, ask, stop.signal, this.#ports).finally(() => {
      stop.unlink();
      this.#readying = null;
    });
    if (readying.kind === 'readied') return readying;
    if (readying.kind === 'dropped') return { kind: 'taken' };
    const { stage, code, message } = readying;
    // The message may hold what the agent printed, and so what a person wrote; it stands in the receipt.
    log.warn({ request: request.id, code }, 'nothing was run');
    if (order !== null) return { kind: 'unavailable', message };
    await this.#advance(request, { type: 'failed', error: { stage, code, message } });
    return { kind: 'ended' };
  }

  /** @param named settles once its pending name is durable */
  async #claim(
    request: Request,
    before: Receipt | null,
    { run, claim }: Readied,
    named: Promise<void>,
  ): Promise<boolean> {
    const { book, assertOwner, signal } = this.#ports;
    let isOurs = false;
    try {
      await named;
      // Nothing new is begun once the process is to stop; and while the agent got ready a person may have decided otherwise.
      const isAsBefore = book.current(request.id)?.history.length === before?.history.length;
      isOurs = !signal.aborted && isAsBefore && book.advance(request, claim).ok;
      assertOwner();
    } catch (error) {
      await abandon(run);
      throw error;
    }
    if (!isOurs) await abandon(run);
    return isOurs;
  }

  #letGo(request: Request, run: HeldRun): Promise<RunOutcome> {
    const { settings, sender, signal, onActivity } = this.#ports;
    let finish = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.#current = { id: request.id, run, cancelledBy: null, over, finish };
    return watchRun(run, {
      sender,
      signal,
      chatId: request.chatId,
      threadId: request.threadId,
      timeoutMs: settings.agent.timeoutSeconds * 1000,
      onActivity: (words) => onActivity(words === null ? null : { request: request.id, words }),
    });
  }

  #ask(request: Request, question: Question, over: AbortSignal): Promise<Answer> {
    const { questions, sender, settings, links, signal, onTrouble } = this.#ports;
    const { id: requestId, conversation } = request;
    const language = languageOf(settings, request.from.language);
    const asker = {
      requestId,
      to: destinationOf(request),
      words: wordsIn(language),
      timeWords: (at: string) => localMinute(at, language),
    };
    return questions.ask(question, asker, over, {
      sender,
      signal,
      timeoutMs: settings.agent.permissionMinutes * 60_000,
      link: (messageId) => untilStored(() => links.write(messageId, { requestId, conversation }), signal, onTrouble),
    });
  }

  /** Once, beside the run; the receipt says the same. */
  #tellWhatIsMissing(request: Request, attachments: readonly FetchedAttachment[]): void {
    const words = this.#wordsFor(request);
    const kindOf = (index: number): string => words.attachment[request.attachments[index]?.kind ?? 'document'];
    const missing = attachments.flatMap(({ name, problem }, index) =>
      problem === null ? [] : [words.notFetched(name ?? `${kindOf(index)} ${index + 1}`, problem)],
    );
    if (missing.length === 0) return;
    const text = missing.join('\n').slice(0, 4096);
    // Nobody waits for it.
    this.#ports.sender.sendText(destinationOf(request), { text, entities: [] }).catch(() => undefined);
  }

  async #conclude(request: Request, outcome: RunOutcome, number: number): Promise<void> {
    const { settings, signal, onTrouble } = this.#ports;
    const { run, cancelledBy, finish } = this.#current as Current;
    const { timeoutSeconds } = settings.agent;
    const ended = { requestId: request.id, number, outcome, steps: run.steps(), cancelledBy, timeoutSeconds };
    let receipt: Receipt | null = null;
    try {
      const compose = () => eventOfEnd(ended, this.#ports, this.#wordsFor(request));
      const event = await untilStored(compose, signal, onTrouble);
      if (event !== null) receipt = await this.#advance(request, event);
    } finally {
      this.#current = null;
      finish();
    }
    if (receipt !== null) await this.deliver(request, receipt);
  }

  /** What happened already must be written down, however long the disk takes. */
  async #advance(request: Request, event: ReceiptEvent): Promise<Receipt | null> {
    const { book, log, signal, onTrouble } = this.#ports;
    const step = await untilStored(() => book.advance(request, event), signal, onTrouble);
    if (!step.ok) {
      log.warn({ request: request.id, change: event.type }, 'receipt had moved on');
      return null;
    }
    const { state, error } = step.receipt;
    log.info({ request: request.id, state, code: error?.code }, `receipt ${event.type}`);
    return step.receipt;
  }

  #wordsFor(request: Request): Words {
    return wordsIn(languageOf(this.#ports.settings, request.from.language));
  }
}

async function abandon(run: HeldRun): Promise<void> {
  run.stop('shutdown');
  await run.finished.catch((error: unknown) => errorWords(error));
}

export function destinationOf(request: Request): Destination {
  return { chatId: request.chatId, replyTo: request.messageId, threadId: request.threadId };
}
