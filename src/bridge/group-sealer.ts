/**
 * Owns: turning gathered parts into one request, or into the knowledge that they are none.
 * Guarantees: the seal comes first and durably, and after it nothing joins; then the request; then, for each message and for
 *   ever, which request it is in; then the parts go. Every step may be repeated, so a crash between any two is made good.
 * Fails: with the system's error; the group is then sealed later. A part that cannot be read, and a group that our own code
 *   cannot digest, is set aside in `spool/unread/`, and told.
 */
import {
  type Admission,
  type AdmissionRules,
  type ConversationLink,
  type IncomingMessage,
  decideAdmission,
} from '../core/admission.ts';
import { errorWords } from '../core/failure.ts';
import { candidateOf } from '../core/candidate-request.ts';
import { merged } from '../core/group.ts';
import type { Request } from '../core/request.ts';
import type { Log } from '../platform/log.ts';
import type { PartStore, Seal } from '../spool/part-store.ts';
import type { Gathering } from './gathering.ts';

export interface SealPorts {
  rules: AdmissionRules;
  parts: PartStore;
  gathering: Gathering;
  /** The request that the message replied to belongs to, looked for as long as a reply's is. */
  awaitLink: (message: IncomingMessage) => Promise<ConversationLink | null>;
  accept: (request: Request) => Promise<'accepted' | 'duplicate'>;
  /** For a group that is no request. */
  answer: (whole: IncomingMessage, admission: Exclude<Admission, { kind: 'request' }>) => void;
  /** For what was set aside, under this name. */
  unread: (name: string) => void;
  log: Log;
  now: () => string;
}

/** Seals what may be sealed after a completed poll that was asked at `askedAtMs` (monotonic). */
export async function sealRipe(askedAtMs: number, ports: SealPorts): Promise<void> {
  const { gathering, parts } = ports;
  for (const id of parts.damagedIds((known) => gathering.has(known))) setAside([id], 'no part of a group', ports);
  for (const { group, messages } of gathering.ripe(askedAtMs)) {
    try {
      const link = await ports.awaitLink(merged(messages));
      await sealGroup(group, messages, link, ports);
    } catch (error) {
      // Our own code cannot digest it, and never will: it must not hold up the others, nor every start to come.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      const ids = messages.map(({ messageId }) => messageId);
      setAside(ids, errorWords(error), ports);
    }
    gathering.sealed(group);
  }
}

function setAside(messageIds: readonly number[], cause: string, { parts, log, unread }: SealPorts): void {
  for (const messageId of messageIds) {
    const name = parts.setAside(messageId);
    log.error({ message: messageId, cause }, 'part could not be read; kept in spool/unread');
    unread(name);
  }
}

async function sealGroup(
  group: string,
  gathered: readonly IncomingMessage[],
  link: ConversationLink | null,
  ports: SealPorts,
): Promise<void> {
  const { rules, parts, log } = ports;
  const former = parts.sealOf(group);
  // After a crash the seal that stands decides, whatever the settings say by now.
  const messages =
    former === null ? gathered : gathered.filter(({ messageId }) => former.messageIds.includes(messageId));
  const whole = merged(messages);
  const admission = decideAdmission(whole, link, rules);
  const seal = former ?? sealFor(whole, messages, admission);
  if (former === null) parts.seal(group, seal);
  log.info({ group, request: seal.requestId, messages: seal.messageIds }, 'group sealed');
  // Parts go only after all members are named: once they are, some parts may be gone, and what is left is no whole.
  const isStored = seal.messageIds.every((id) => parts.requestOf(id) !== null);
  if (seal.requestId !== null && admission.kind === 'request' && !isStored) await store(whole, admission, seal, ports);
  parts.removeParts(seal.messageIds);
  if (former === null && admission.kind !== 'request') ports.answer(whole, admission);
}

function sealFor(whole: IncomingMessage, messages: readonly IncomingMessage[], admission: Admission): Seal {
  const messageIds = messages.map(({ messageId }) => messageId).sort((a, b) => a - b);
  return { requestId: admission.kind === 'request' ? String(whole.messageId) : null, messageIds };
}

async function store(
  whole: IncomingMessage,
  admission: Admission & { kind: 'request' },
  seal: Seal,
  ports: SealPorts,
): Promise<void> {
  const request: Request = { ...candidateOf(whole, admission, ports.now()), messageIds: seal.messageIds };
  ports.log.info({ request: request.id, kind: request.kind }, `request ${await ports.accept(request)}`);
  for (const messageId of seal.messageIds) ports.parts.addMember(messageId, request.id);
}
