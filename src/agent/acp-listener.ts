/**
 * Owns: what an agent says of its own accord during one run: updates of its session, and questions.
 * Guarantees: nothing that was replayed before the prompt counts as its turn; every question is answered, at the latest
 *   when the run is over.
 * Fails: never.
 */
import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
} from '@agentclientprotocol/sdk';
import type { RunHooks, RunSpec } from '../core/ports.ts';
import { nowIso } from '../platform/clock.ts';
import { linkedAbort } from '../platform/linked-abort.ts';
import { answerQuestion } from './acp-permission.ts';
import { openReply, type ReplyText } from './acp-reply.ts';
import type { AcpSettings } from './acp-settings.ts';
import { settle, TurnRecord } from './acp-turn.ts';

const MESSAGES = new Set(['user_message_chunk', 'agent_message_chunk']);

export class RunListener {
  readonly reply: ReplyText;
  readonly record: TurnRecord;
  readonly #policy: AcpSettings['permissions'];
  readonly #hooks: RunHooks | undefined;
  readonly #over = new AbortController();
  /** Null until the prompt is given. */
  #session: string | null = null;
  #replayed = 0;

  constructor(settings: AcpSettings, spec: RunSpec, hooks: RunHooks | undefined) {
    this.reply = openReply(spec.outputPath);
    this.record = new TurnRecord(this.reply);
    this.#policy = settings.permissions;
    this.#hooks = hooks;
  }

  /** Messages heard before the prompt: the history of a loaded session. */
  get replayed(): number {
    return this.#replayed;
  }

  begin(session: string): void {
    this.#session = session;
  }

  onUpdate = ({ sessionId, update }: SessionNotification): void => {
    if (this.#session === null && MESSAGES.has(update.sessionUpdate)) this.#replayed += 1;
    if (sessionId === this.#session) this.record.take(update, nowIso());
  };

  onPermission = async (
    request: RequestPermissionRequest,
    withdrawn: AbortSignal,
  ): Promise<RequestPermissionResponse> => {
    const { title, about, step } = this.record.ask(request, nowIso());
    const over = linkedAbort(this.#over.signal, withdrawn);
    const answer = answerQuestion(this.#policy, request, { title, about }, this.#hooks, over.signal);
    const { response, status } = await answer.finally(over.unlink);
    settle(step, status, nowIso());
    return response;
  };

  /** Nobody waits for an answer any more. */
  endQuestions(): void {
    this.#over.abort();
  }

  close(): void {
    this.endQuestions();
    this.reply.close();
  }
}
