/** Ports that cross the levels, and their outcomes: what a send, a fetch, a run and an agent can come to. Types only. */
import type { FormattedText } from './reply/formatted-text.ts';
import type { AgentProcess } from './receipt.ts';

/** What is known about one call to Telegram after it ended. */
export type SendOutcome =
  | { kind: 'accepted'; messageIds: number[] }
  /** Telegram said no, for certain: nothing arrived. */
  | { kind: 'refused'; code: number; description: string }
  /** Nothing arrived, and the same call may be tried again (after `retryAfterMs`, where Telegram named a time). */
  | { kind: 'not-arrived'; reason: string; retryAfterMs: number | null }
  /** The request may have left: nobody knows. */
  | { kind: 'unknown'; reason: string };

/** What became of fetching a file that a person sent. */
export type FetchOutcome =
  | { kind: 'fetched'; bytes: number }
  /**
   * `reached`: false where there was no line at all, so that nothing speaks against the file itself. `isWhole`: the server
   * gave all that it said it had, and it is not what was announced.
   */
  | { kind: 'again'; reason: string; reached: boolean; retryAfterMs?: number; isWhole?: boolean }
  | { kind: 'too-large' }
  | { kind: 'refused'; reason: string };

export interface Destination {
  chatId: number;
  /** Message that is quoted; null quotes nothing. */
  replyTo: number | null;
  threadId: number | null;
}

export type Media = 'photo' | 'document';

export interface Upload {
  path: string;
  name: string;
  caption: string;
}

export interface Button {
  label: string;
  data: string;
}

/** The line to Telegram, as the bridge needs it. No method throws for what the network or Telegram does. */
export interface Sender {
  sendText(to: Destination, content: FormattedText, buttons?: Button[][]): Promise<SendOutcome>;
  /** Without a sound, for what is nice to know. */
  sendSilently(to: Destination, text: string): Promise<SendOutcome>;
  sendFile(to: Destination, media: Media, file: Upload): Promise<SendOutcome>;
  /** 2 to 10 files of one kind; one that was partly accepted is `unknown`. */
  sendAlbum(to: Destination, media: Media, files: readonly Upload[]): Promise<SendOutcome>;
  /** Takes the buttons away as well. */
  editText(chatId: number, messageId: number, text: string): Promise<SendOutcome>;
  removeButtons(chatId: number, messageId: number): Promise<SendOutcome>;
  /** Best effort; resolves when done, whatever came of it. */
  react(chatId: number, messageId: number, emoji: Reaction): Promise<void>;
  showTyping(chatId: number, threadId: number | null): Promise<SendOutcome>;
  answerPress(callbackId: string, words: string): Promise<void>;
}

export type Reaction = '👀' | '✍' | '👍' | '💔';

export interface RunSpec {
  requestId: string;
  conversation: string;
  /** Session of the conversation; a suggestion where the agent names its sessions itself. */
  session: string;
  /** Runs begun in that session, this one included: 1, 2, … */
  turn: number;
  run: number;
  prompt: string;
  /** Folder of the attachments; null without any. */
  filesFolder: string | null;
  outFolder: string;
  /** Files that the agent's two outputs go to, straight from the process. */
  outputPath: string;
  errorPath: string;
  /** The conversation's latest session as the agent named it (`HeldRun.session`); null or absent where it has none. */
  formerSession?: string | null;
  /** The conversation so far, the latest last, for an agent that no longer knows it. */
  history?: readonly Exchange[];
  /** Files of `filesFolder`, in the order of the request. */
  attachments?: readonly RunAttachment[];
}

export interface Exchange {
  prompt: string;
  answer: string;
}

export interface RunAttachment {
  /** Absolute. */
  path: string;
  mime: string | null;
  name: string | null;
}

/** Why a run, or its start, came to nothing. A person reads words for each of them (`core/words.ts`). */
export type AgentFailure =
  | `agent-${
      | 'timeout'
      | 'exit'
      | 'signal'
      | 'empty'
      | 'missing'
      | 'folder-missing'
      | 'not-started'
      | 'disk-full'
      | 'flood'
      | 'version'
      | 'protocol'
      | 'auth'
      | 'mode'
      | 'session'
      | 'start-timeout'
      | 'error'
      | 'not-ended'}`
  | `agent-${Exclude<RunNote, 'disk_full'>}`;

/** Why a reply could not be sent. */
export type SendFailure = 'send-refused' | 'send-not-arrived';

/** Why a file that a person sent could not be had. */
export type FetchProblem = 'too-large' | 'refused' | 'incomplete';

export type RunOutcome =
  | {
      kind: 'answered';
      markdown: string /** The whole output, where `markdown` had to be cut. */;
      whole: string | null;
      /** Why the agent stopped, where it was not done. */
      note?: RunNote;
    }
  | { kind: 'failed'; code: AgentFailure; message: string }
  | { kind: 'stopped'; reason: StopReason };

export type StopReason = 'timeout' | 'cancelled' | 'shutdown';

export type RunNote = 'disk_full' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled';

/** `retold`: a session that was given the conversation so far, since the agent does not know it. */
export type SessionOrigin = 'new' | 'loaded' | 'resumed' | 'retold';

/** What an agent did, as a person reads it later. */
export interface RunStep {
  at: string;
  endedAt: string | null;
  /** `plan`, `permission`, or the kind of tool: `read`, `edit`, `execute`, … */
  kind: string;
  title: string;
  /** `pending`, `in_progress`, `completed`, `failed`; of a permission `waiting`, `allowed`, `denied`, `cancelled`. */
  status: string;
}

/** A run that stands ready and has done nothing yet. */
export interface HeldRun {
  process: AgentProcess;
  /** Session as the agent names it: a follow-up gives it as `formerSession`. */
  session: string;
  origin: SessionOrigin;
  /** What the agent is doing now, in its own words; null where it does not say. */
  activity(): string | null;
  /** What it did so far, in order; complete once `finished` has resolved, whatever the outcome. */
  steps(): readonly RunStep[];
  letGo(): void;
  /** Resolves when the run has ended and nothing of its process group is left. */
  finished: Promise<RunOutcome>;
  /** Ends the run with its whole group; `finished` then tells `stopped`, unless it had ended by itself before. */
  stop(reason: StopReason): void;
}

export type HoldOutcome =
  | { kind: 'held'; run: HeldRun }
  | { kind: 'unavailable'; code: AgentFailure; message: string }
  /** The signal came first; nothing of the agent is left. */
  | { kind: 'dropped' };

/** What an agent wants to be allowed. */
export interface Question {
  title: string;
  /** Path or command that it is about. */
  about: string | null;
  /** `kind`: `allow_once`, `allow_always`, `reject_once`, `reject_always`; ids and names are the agent's own. */
  options: readonly { id: string; kind: string; name: string }[];
}

export interface RunHooks {
  /**
   * Asked only where permissions are `ask`. Several may be open at once.
   * @param over aborted once nobody waits for the answer any more: the run ended or was stopped, or the agent withdrew
   */
  onQuestion(question: Question, over: AbortSignal): Promise<{ optionId: string } | 'denied'>;
}

/** What an agent's own history tells of a run whose end nobody saw. */
export type RecoveryOutcome =
  /** A text stands after the request and after all that the agent did for it: possibly incomplete all the same. */
  | { kind: 'answer'; markdown: string }
  | { kind: 'unfinished' }
  /** The history does not show the request, which proves nothing. */
  | { kind: 'unknown-request' }
  | { kind: 'unavailable'; reason: string };

/** A way to run an agent. `hold` throws for nothing that the configuration or the system does. */
export interface Agent {
  /** False where a rerun must not use the former session again. */
  readonly resumesSessions: boolean;
  /**
   * Without hooks every question is denied.
   * @param signal ends an agent that is not ready yet, with its whole group; a run that is held has its own `stop`
   */
  hold(spec: RunSpec, hooks?: RunHooks, signal?: AbortSignal): Promise<HoldOutcome>;
  /**
   * Reads the history of `spec.formerSession` for what became of run `spec.run`; calls no model. Only where nothing of
   * that run is left.
   * @param signal ends the agent at once; what is told then is worth nothing
   */
  recover?(spec: RunSpec, signal?: AbortSignal): Promise<RecoveryOutcome>;
}
