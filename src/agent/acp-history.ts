/** What a replayed history tells of one request: its answer, where one stands after all else. Pure. */
import type { SessionUpdate, ToolCallStatus } from '@agentclientprotocol/sdk';
import type { RecoveryOutcome } from '../core/ports.ts';
import { isBlank } from '../core/reply/clean-text.ts';
import { isErrorText } from './acp-outcome.ts';
import { wordsOf } from './acp-turn.ts';

const MARKERS = /\[blog-bridge request \d+ run \d+\]/gu;
const STARTS_WITH_MARKER = /^\s*\[blog-bridge request \d+ run \d+\]/u;
const OVER = new Set(['completed', 'failed']);

export class HistoryReader {
  readonly #marker: string;
  #place: 'before' | 'within' | 'after' = 'before';
  /** The person's message that is being told; null between two. */
  #message: string | null = null;
  #answer = '';
  /** What was the answer when that message began. */
  #answerBefore = '';
  #messageId: string | null = null;
  readonly #openTools = new Set<string>();

  constructor(marker: string) {
    this.#marker = marker;
  }

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
        return this.#takePerson(wordsOf(update.content));
      case 'agent_thought_chunk':
        this.#message = null;
        return;
      case 'agent_message_chunk':
        this.#message = null;
        return this.#takeWords(wordsOf(update.content), update.messageId ?? null);
      case 'tool_call':
      case 'tool_call_update':
        this.#message = null;
        return this.#takeTool(
          update.toolCallId,
          update.status ?? (update.sessionUpdate === 'tool_call' ? 'pending' : null),
        );
      default:
        // Modes, commands, usage: they belong to no message.
        return;
    }
  }

  result(): RecoveryOutcome {
    if (this.#place === 'before') return { kind: 'unknown-request' };
    const isFinished = this.#openTools.size === 0 && !isBlank(this.#answer) && !isErrorText(this.#answer);
    return isFinished ? { kind: 'answer', markdown: this.#answer } : { kind: 'unfinished' };
  }

  /** A message of the person comes in one piece or in several, and another may follow it with nothing in between. */
  #takePerson(words: string): void {
    if (this.#message === null || STARTS_WITH_MARKER.test(words)) {
      this.#message = '';
      this.#answerBefore = this.#answer;
    }
    this.#message += words;
    const markers = this.#message.match(MARKERS) ?? [];
    const isOurs = markers[0] === this.#marker;
    const isOther = markers.some((marker) => marker !== this.#marker);
    if (isOurs && !isOther) {
      this.#place = 'within';
      this.#answer = '';
      this.#openTools.clear();
    } else if (isOther && (isOurs || this.#place === 'within')) {
      this.#place = 'after';
      this.#answer = isOurs ? '' : this.#answerBefore;
    } else if (this.#place === 'within') {
      // What the agent itself put in (an interruption, a summary) says that its turn went on.
      this.#answer = '';
    }
  }

  #takeWords(words: string, messageId: string | null): void {
    if (this.#place !== 'within') return;
    if (messageId !== this.#messageId && this.#answer !== '') this.#answer += '\n\n';
    this.#messageId = messageId;
    this.#answer += words;
  }

  /** @param status null: as it was */
  #takeTool(id: string, status: ToolCallStatus | null): void {
    if (this.#place !== 'within') return;
    this.#answer = '';
    if (status === null) return;
    if (OVER.has(status)) this.#openTools.delete(id);
    else this.#openTools.add(id);
  }
}
