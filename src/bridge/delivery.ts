/**
 * Owns: bringing a recorded reply to the chat, part by part.
 * Guarantees: a part is sent only from a receipt that already says so; after a doubtful part nothing is sent.
 * Fails: by the receipt it leaves: `sent`, `failed`, or `sending` with `unknown-delivery`.
 */
import { join } from 'node:path';
import type { Destination, Media, SendFailure, SendOutcome, Sender, Upload } from '../core/ports.ts';
import type { Degradation } from '../core/refusal.ts';
import { type Part, type PartFile, type Receipt, type RecordedReceipt, isRecorded } from '../core/receipt.ts';
import type { ReceiptEvent } from '../core/receipt-machine.ts';
import type { ConversationLink } from '../core/admission.ts';
import { type Attempt, sendPatiently } from './patient-send.ts';

export interface DeliveryPorts {
  sender: Sender;
  /** Writes the event durably, waiting for the disk if it must. Null where the receipt has moved on. */
  advance(event: ReceiptEvent): Promise<Receipt | null>;
  link(botMessageId: number, link: ConversationLink): Promise<void>;
  /** Throws `lock-lost` where this process is not the owner any more. */
  assertOwner(): void;
  /** The receipt as it stands on disk. */
  current(): Receipt | null;
  /** Folder of the request's files, `state/files/<id>/`. */
  filesFolder: string;
  signal: AbortSignal;
}

/** @param receipt its next unsent part is marked `sending` */
export async function deliver(receipt: RecordedReceipt, to: Destination, ports: DeliveryPorts): Promise<Receipt> {
  let current: Receipt = receipt;
  while (isRecorded(current) && current.attention === null) {
    const index = current.reply.parts.findIndex((part) => part.state === 'sending');
    const part = current.reply.parts[index];
    if (part === undefined) break;
    const delivered = current;
    const attempt: Attempt = (where, without) => {
      // Between two attempts minutes may pass: the lock may go, and a person may decide otherwise.
      ports.assertOwner();
      if (!isSame(ports.current(), delivered)) throw new MovedOn();
      return sendPart(part, where, without, ports);
    };
    const outcome = await sendPatiently(attempt, to, ports.signal).catch(pastMovedOn);
    if (outcome === null) break;
    const next = await record(current, index, outcome, ports);
    if (next === null) break;
    current = next;
  }
  return current;
}

/** Another work, or an order, is at this receipt by now. */
class MovedOn extends Error {}

function pastMovedOn(error: unknown): null {
  if (error instanceof MovedOn) return null;
  throw error;
}

function isSame(now: Receipt | null, delivered: Receipt): boolean {
  return now?.state === 'sending' && now.attention === null && now.history.length === delivered.history.length;
}

async function record(
  receipt: Receipt,
  index: number,
  outcome: SendOutcome,
  ports: DeliveryPorts,
): Promise<Receipt | null> {
  switch (outcome.kind) {
    case 'accepted':
      // The link first: once the receipt says `sent`, a reply to this message must find its request.
      for (const id of outcome.messageIds)
        await ports.link(id, { requestId: receipt.id, conversation: receipt.conversation });
      return ports.advance({ type: 'part-sent', index, messageIds: outcome.messageIds });
    case 'unknown':
      return ports.advance({ type: 'doubtful' });
    case 'refused':
      return ports.advance(
        failed(
          'send-refused',
          `part ${index + 1}: ${outcome.code === 0 ? '' : `Telegram answered ${outcome.code} `}${outcome.description}`,
        ),
      );
    case 'not-arrived':
      // Stopped while waiting: the receipt stays `sending`, as after a crash.
      if (ports.signal.aborted) return null;
      return ports.advance(
        failed('send-not-arrived', `part ${index + 1}: could not be sent for 15 minutes: ${outcome.reason}`),
      );
  }
}

function failed(code: SendFailure, message: string): ReceiptEvent {
  return { type: 'failed', error: { stage: 'send', code, message } };
}

function sendPart(
  part: Part,
  to: Destination,
  without: ReadonlySet<Degradation>,
  ports: DeliveryPorts,
): Promise<SendOutcome> {
  const { sender, filesFolder } = ports;
  const upload = ({ file, name, caption }: PartFile): Upload => ({ path: join(filesFolder, file), name, caption });
  // What Telegram refuses as a picture goes once more as a document.
  const mediaOf = (media: Media): Media => (without.has('picture') ? 'document' : media);
  switch (part.kind) {
    case 'text':
      return sender.sendText(to, {
        text: part.text,
        entities: without.has('formatting') ? [] : part.entities.map(({ ...entity }) => entity),
      });
    case 'album':
      return sender.sendAlbum(to, mediaOf(part.media), part.items.map(upload));
    default:
      return sender.sendFile(to, mediaOf(part.kind), upload(part));
  }
}
