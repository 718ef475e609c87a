/** The receipt of a request: `state/<messageId>.json` (contract §5). Its shapes; the machine is in `receipt-machine.ts`. */
import { z } from 'zod';
import { requestIdSchema } from './request.ts';

export const ATTENTIONS = ['interrupted-run', 'unknown-delivery', 'failed'] as const;
export const ORDER_VERBS = ['cancel', 'rerun', 'resend', 'arrived', 'dismiss', 'permit', 'deny'] as const;

export type Attention = (typeof ATTENTIONS)[number];
export type OrderVerb = (typeof ORDER_VERBS)[number];

const at = z.iso.datetime();
const messageIds = z.array(z.int());

const entitySchema = z.looseObject({
  type: z.enum(['bold', 'italic', 'strikethrough', 'code', 'pre', 'text_link', 'blockquote']),
  offset: z.int(),
  length: z.int(),
});

const partShared = {
  state: z.enum(['waiting', 'sending', 'sent', 'failed']),
  /** Telegram's ids of what this part became; empty until it was accepted. */
  messageIds,
  at: at.nullable(),
};

/** A path that leads out of the folder that it starts in could send any file of this machine to the chat. */
const fileWithin = z
  .string()
  .refine((path) => !/^\/|(?:^|\/)\.\.(?:\/|$)|\0/u.test(path), 'expected a path within the request\u2019s own folder');

const fileShared = {
  /** Relative to `state/files/<id>/`. */
  file: fileWithin,
  name: z.string(),
  caption: z.string(),
};

const partSchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), ...partShared, text: z.string(), entities: z.array(entitySchema) }),
  z.looseObject({ kind: z.literal('photo'), ...partShared, ...fileShared }),
  z.looseObject({ kind: z.literal('document'), ...partShared, ...fileShared }),
  z.looseObject({
    kind: z.literal('album'),
    ...partShared,
    media: z.enum(['photo', 'document']),
    items: z.array(z.looseObject(fileShared)).min(2),
  }),
]);

const replySchema = z.looseObject({
  markdown: z.string(),
  parts: z.array(partSchema).min(1),
  /** True where it was read from the agent's history after a crash: possibly incomplete. */
  recovered: z.boolean().optional(),
});

const failureSchema = z.looseObject({
  stage: z.enum(['download', 'agent', 'send', 'request']),
  code: z.string(),
  message: z.string(),
});

const historySchema = z.looseObject({
  state: z.enum(['submitted', 'sending', 'sent', 'failed', 'rejected']),
  at,
  /** The failure's code, kept here since `error` is cleared by what follows it. */
  code: z.string().optional(),
  /** Set where a person's order led here: the order's id, its verb, and who gave it. */
  order: z.looseObject({ id: z.string(), verb: z.enum(ORDER_VERBS), by: z.string() }).optional(),
});

const noticeSchema = z.looseObject({
  for: z.enum([...ATTENTIONS, 'rejected']),
  /** `waiting`: not sent yet, or known not to have arrived. `sending`: may have arrived. `unknown`: never tried again. */
  state: z.enum(['waiting', 'sending', 'sent', 'unknown']),
  messageId: z.int().nullable(),
});

const agentSchema = z.looseObject({
  /** 1 is no agent: its group number would mean every process. */
  pid: z.int().min(2),
  startedAt: z.string(),
  bootId: z.string(),
  /** The kernel's start time of the process, which tells it from a later one of the same pid. */
  startTime: z.string().optional(),
});

const fetchedSchema = z.looseObject({
  /** Relative to `state/files/<id>/`; null where the file could not be had. */
  file: z.string().nullable(),
  kind: z.string(),
  name: z.string().nullable(),
  bytes: z.int().nullable(),
  /** Why it is not there. */
  problem: z.string().nullable(),
});

const stepSchema = z.looseObject({
  at,
  endedAt: at.nullable(),
  /** `plan`, `permission`, or the kind of tool. */
  kind: z.string(),
  title: z.string(),
  status: z.string(),
});

export const receiptSchema = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  state: z.enum(['submitted', 'sending', 'sent', 'failed', 'rejected']),
  conversation: requestIdSchema,
  session: z.string().nullable(),
  /** Which run of that session this was: 1, 2, …; 0 before the first. */
  turn: z.int().nonnegative().optional(),
  /** Agent runs begun for this request; 0 where none was. */
  run: z.int().nonnegative(),
  history: z.array(historySchema).min(1),
  reply: replySchema.nullable(),
  agent: agentSchema.nullable(),
  /** How the agent came by that session. */
  sessionOrigin: z.enum(['new', 'loaded', 'resumed', 'retold']).optional(),
  /** What the agent did, in order; complete once the run has ended. */
  steps: z.array(stepSchema).optional(),
  /** What the agent's own history told of a run that was cut short. */
  recovery: z.enum(['answer', 'unfinished', 'unknown-request', 'unavailable']).optional(),
  /** What became of the request's attachments, in their order. */
  attachments: z.array(fetchedSchema).optional(),
  previous: z.array(
    z.looseObject({
      run: z.int(),
      session: z.string().nullable().optional(),
      reply: replySchema.nullable(),
      error: failureSchema.nullable(),
    }),
  ),
  error: failureSchema.nullable(),
  attention: z.enum(ATTENTIONS).nullable(),
  notice: noticeSchema.nullable(),
});

/** A receipt as it is read from disk; fields that we do not know are kept. */
export type Receipt = z.infer<typeof receiptSchema>;
export type ReceiptState = Receipt['state'];
export type Reply = z.infer<typeof replySchema>;
export type Part = z.infer<typeof partSchema>;
export type PartFile = { file: string; name: string; caption: string };

export type FetchedAttachment = z.infer<typeof fetchedSchema>;
export type Failure = z.infer<typeof failureSchema>;
export type HistoryEntry = z.infer<typeof historySchema>;
export type Notice = z.infer<typeof noticeSchema>;
export type AgentProcess = z.infer<typeof agentSchema>;

/** A receipt whose reply is recorded: the only kind that a part can be sent from. */
export type RecordedReceipt = Receipt & { state: 'sending'; reply: Reply };

export function isRecorded(receipt: Receipt): receipt is RecordedReceipt {
  return receipt.state === 'sending' && receipt.reply !== null;
}

/** Final state, no open attention, notice out: nothing is left to do, so its pending name may go. */
export function isSettled(receipt: Receipt): boolean {
  const final = receipt.state === 'sent' || receipt.state === 'failed' || receipt.state === 'rejected';
  return final && receipt.attention === null && !isNoticeOwed(receipt);
}

/** True while a notice has still to go out: it was not sent yet, or is known not to have arrived. */
export function isNoticeOwed(receipt: Receipt): boolean {
  return receipt.notice?.state === 'waiting' || receipt.notice?.state === 'sending';
}

const STATE_OF: Record<Attention, ReceiptState> = {
  'interrupted-run': 'submitted',
  'unknown-delivery': 'sending',
  failed: 'failed',
};

/** What a state demands of the other fields; null when the receipt makes sense. */
export function inconsistency(receipt: Receipt): string | null {
  if (receipt.state === 'sending' && receipt.reply === null) return 'state "sending" without a reply';
  if (receipt.state === 'submitted' && receipt.agent === null) return 'state "submitted" without an agent';
  if ((receipt.state === 'failed' || receipt.state === 'rejected') && receipt.error === null) {
    return `state "${receipt.state}" without an error`;
  }
  if (receipt.attention !== null && receipt.state !== STATE_OF[receipt.attention]) {
    return `attention "${receipt.attention}" in state "${receipt.state}"`;
  }
  return null;
}
