/** From how an ACP turn ended to the outcome of its run. */
import { readdirSync } from 'node:fs';
import * as acp from '@agentclientprotocol/sdk';
import { errorWords } from '../core/failure.ts';
import type { AgentFailure, RunNote, RunOutcome, RunSpec } from '../core/ports.ts';
import { isBlank } from '../core/reply/clean-text.ts';
import { Flood } from './acp-link.ts';
import type { ProcessEnd } from './acp-process.ts';
import type { ReplyText } from './acp-reply.ts';
import { endWords, lastWords } from './end-words.ts';

export type TurnEnd = { stopReason: acp.StopReason } | { error: unknown };

const NOTES: readonly Exclude<RunNote, 'disk_full'>[] = ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

export function outcomeOf(turn: TurnEnd, end: ProcessEnd, reply: ReplyText, spec: RunSpec): RunOutcome {
  if ('error' in turn) return failureOf(turn.error, end, reply, spec);
  const { stopReason } = turn;
  const { markdown, whole } = reply.result();
  const note = NOTES.find((reason) => reason === stopReason);
  if (isBlank(markdown) && !leftFiles(spec)) {
    return failed(
      note === undefined ? 'agent-empty' : `agent-${note}`,
      `the agent ended its turn (${stopReason}) without a text${lastWords(spec.errorPath)}`,
    );
  }
  if (note !== undefined) return { kind: 'answered', markdown, whole, note };
  if (isErrorText(markdown)) return failed('agent-error', `the agent gave only an error: ${markdown.trim()}`);
  return { kind: 'answered', markdown, whole };
}

function failureOf(error: unknown, end: ProcessEnd, reply: ReplyText, spec: RunSpec): RunOutcome {
  const written = isBlank(reply.result().markdown) ? '' : `; what it had written stands in ${reply.path}`;
  if (error instanceof Flood) return failed('agent-flood', error.message);
  if (error instanceof acp.MessageTooLargeError)
    return failed('agent-flood', `the agent sent a line of more than ${error.maxMessageBytes} bytes and was ended`);
  if (error instanceof acp.RequestError)
    return failed('agent-error', `the agent ended its turn with an error: ${requestErrorWords(error)}${written}`);
  if (!end.byItself) return failed('agent-protocol', `the agent closed its output in mid-turn${written}`);
  const code = end.signal === null ? 'agent-exit' : 'agent-signal';
  return failed(code, `${endWords(end.code, end.signal)}${lastWords(spec.errorPath)}${written}`);
}

/**
 * Some agents end a turn whose model could not be reached with the error as its only text. Only what begins as none but
 * an error message does, and is one paragraph, counts.
 */
const ERROR_TEXT =
  /^(?:API Error\b|(?:(?:Internal|Fatal|Unexpected|Stream|Request|Connection|Authentication)\s)?error:|Error: ?\d{3}\b|Invalid API key\b|Credit balance is too low|Not logged in\b|Please run \/login)/iu;

export function isErrorText(markdown: string): boolean {
  const text = markdown.trim();
  return text.length <= 2000 && !/\n\s*\n/u.test(text) && ERROR_TEXT.test(text);
}

/** Its message, and what `data` adds to it. */
export function requestErrorWords(error: acp.RequestError): string {
  const { data } = error;
  if (data === undefined || data === null) return errorWords(error);
  const told = typeof data === 'object' ? (Reflect.get(data, 'details') ?? Reflect.get(data, 'message')) : data;
  const words = typeof told === 'string' ? told : JSON.stringify(data);
  return words.includes(error.message) ? words : `${errorWords(error)}: ${words.slice(0, 500)}`;
}

function failed(code: AgentFailure, message: string): RunOutcome {
  return { kind: 'failed', code, message };
}

function leftFiles(spec: RunSpec): boolean {
  try {
    return readdirSync(spec.outFolder).length > 0;
  } catch {
    return false;
  }
}
