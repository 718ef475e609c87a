/**
 * Owns: everything that comes before the claim and may be repeated freely: attachments, session, the agent held.
 * Guarantees: nothing of it has been told to do anything when it is handed over.
 * Fails: by its result; throws where the disk or the system has no room just now.
 */
import { join } from 'node:path';
import type { Agent, AgentFailure, HeldRun, Question, RunAttachment } from '../core/ports.ts';
import { promptOf } from '../core/prompt.ts';
import type { FetchedAttachment, Receipt } from '../core/receipt.ts';
import type { OrderMark, ReceiptEvent } from '../core/receipt-machine.ts';
import type { Request } from '../core/request.ts';
import type { RequestStore } from '../spool/request-store.ts';
import type { ConversationIndex } from '../state/conversation-index.ts';
import type { RunFiles } from '../state/run-files.ts';
import { type FetchFile, fetchAttachments, isNothingLeft } from './fetch-attachments.ts';
import { takeTurn } from './next-turn.ts';
import type { Answer } from './questions.ts';
import type { ReceiptBook } from './receipt-book.ts';

export interface ReadyPorts {
  agent: Agent;
  fetchFile: FetchFile;
  book: ReceiptBook;
  files: RunFiles;
  conversations: ConversationIndex;
  requests: RequestStore;
  /** In words, what keeps a request's files from coming; null once nothing does. */
  onFetchTrouble: (words: string | null) => void;
}

export interface Readied {
  kind: 'readied';
  run: HeldRun;
  /** Which run of the request this is: 1, 2, … */
  number: number;
  claim: ReceiptEvent & { type: 'claimed' };
}

/** `impossible`: nothing was run, for certain. `dropped`: the signal came first. */
export type Readying =
  | Readied
  | { kind: 'impossible'; stage: 'download'; code: 'download-failed'; message: string }
  | { kind: 'impossible'; stage: 'agent'; code: AgentFailure; message: string }
  | { kind: 'dropped' };

/** @param before the receipt as it stands; null for a first run */
export async function readyRun(
  request: Request,
  before: Receipt | null,
  order: OrderMark | null,
  ask: (question: Question, over: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
  ports: ReadyPorts,
): Promise<Readying> {
  const { agent, files, fetchFile } = ports;
  const attachments = await fetchAttachments(request, files.folder(request.id), {
    fetchFile,
    signal,
    onTrouble: (words) => ports.onFetchTrouble(`${request.id}: ${words}`),
  });
  ports.onFetchTrouble(null);
  if (attachments === null) return { kind: 'dropped' };
  if (isNothingLeft(request, attachments)) {
    const message = attachments.map(({ name, kind, problem }) => `${name ?? kind}: ${problem}`).join('; ');
    return { kind: 'impossible', stage: 'download', code: 'download-failed', message };
  }
  files.assertRoom();
  const number = (before?.run ?? 0) + 1;
  const turn = takeTurn(request, order !== null, { ...ports, resumesSessions: agent.resumesSessions });
  const forAgent = attachmentsForAgent(request, attachments, files);
  const spec = {
    ...turn,
    ...files.prepare(request.id, number),
    requestId: request.id,
    conversation: request.conversation,
    run: number,
    prompt: promptOf(request, attachments),
    filesFolder: forAgent.length === 0 ? null : files.inFolder(request.id),
    attachments: forAgent,
  };
  const held = await agent.hold(spec, { onQuestion: ask }, signal);
  if (held.kind === 'dropped') return held;
  if (held.kind === 'unavailable')
    return { kind: 'impossible', stage: 'agent', code: held.code, message: held.message };
  return { kind: 'readied', run: held.run, number, claim: claimOf(held.run, turn, attachments, order) };
}

function claimOf(
  run: HeldRun,
  { session, turn }: { session: string; turn: number },
  attachments: FetchedAttachment[],
  order: OrderMark | null,
): ReceiptEvent & { type: 'claimed' } {
  const facts = { sessionOrigin: run.origin, ...(attachments.length === 0 ? {} : { attachments }) };
  return {
    type: 'claimed',
    agent: run.process,
    session: run.session,
    // An agent that does not know the session any more begins another one.
    turn: run.session === session ? turn : 1,
    facts,
    ...(order === null ? {} : { order }),
  };
}

function attachmentsForAgent(
  request: Request,
  attachments: readonly FetchedAttachment[],
  files: RunFiles,
): RunAttachment[] {
  return attachments.flatMap(({ file, name }, index) => {
    if (file === null) return [];
    return [{ path: join(files.folder(request.id), file), mime: request.attachments[index]?.mime ?? null, name }];
  });
}
