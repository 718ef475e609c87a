/**
 * Telegram as the simulated bridge sees it: a queue of updates that forgets only what was confirmed, a chat that keeps all
 * that ever arrived, and a line whose next failures the test chooses.
 */
import type { Update } from 'grammy/types';
import type { Button, Destination, SendOutcome, Sender } from '../../src/core/ports.ts';
import { parseButtonData } from '../../src/core/order.ts';
import type { Receipt } from '../../src/core/receipt.ts';
import { currentProcess } from './simulated-process.ts';
import { pause } from '../../src/platform/clock.ts';

export const CHAT_ID = 7001;
export const BOT_ID = 99;

/** What becomes of a send. `unknown-…`: its answer is lost; `dies-…`: its process is killed before or after it arrives. */
export const FATES = [
  'accepted',
  'refused',
  'refused-formatting',
  'refused-quote',
  'told-to-wait',
  'no-line',
  'unknown-arrived',
  'unknown-lost',
  'dies-before',
  'dies-after',
  'slow',
] as const;
export type Fate = (typeof FATES)[number];

/** One send of a part or a notice, as the chat, the wire and the disk saw it. */
export interface Send {
  what: 'part' | 'notice' | 'other';
  requestId: string | null;
  /** The marks of the agent's answer that this message bears; of a file, its name. */
  marks: string[];
  text: string;
  messageIds: number[];
  arrived: boolean;
  /** What the bridge was told; null where its process did not live to hear it. */
  told: SendOutcome['kind'] | null;
  buttons: string[];
  /** Its receipt on disk at the moment at which the send began, and how many versions it had had. */
  receipt: Receipt | null;
  version: number;
}

export interface ChatPorts {
  receiptOf: (requestId: string) => { receipt: Receipt | null; version: number };
  nextFate: () => Fate;
}

export class Chat {
  readonly sends: Send[] = [];
  /** Updates that were never confirmed, in order; and those that were. */
  waiting: Update[] = [];
  readonly confirmed: Update[] = [];
  #lastMessageId = 40;
  #lastUpdateId = 500;
  readonly #ports: ChatPorts;

  constructor(ports: ChatPorts) {
    this.#ports = ports;
  }

  nextMessageId(): number {
    return (this.#lastMessageId += 1);
  }

  /** For a home in which much was said before. */
  goOnFrom(messageId: number): void {
    this.#lastMessageId = Math.max(this.#lastMessageId, messageId);
  }

  push(fields: Record<string, unknown>): Update {
    const update = { update_id: (this.#lastUpdateId += 1), ...fields } as unknown as Update;
    this.waiting.push(update);
    return update;
  }

  confirm(count: number): void {
    this.confirmed.push(...this.waiting.splice(0, count));
  }

  /** Delivered once more, though it was confirmed: as after a restore, or a lost offset. */
  deliverAgain(index: number): void {
    const update = this.confirmed[index % Math.max(1, this.confirmed.length)];
    if (update !== undefined) this.waiting.push(update);
  }

  /** Messages of the bot that arrived, the latest last. */
  get arrived(): Send[] {
    return this.sends.filter(({ arrived }) => arrived);
  }

  sender(): Sender {
    return {
      sendText: (to, content, buttons) => this.#send(to, content.text, 1, buttons),
      sendSilently: (to, text) => this.#send(to, text, 1),
      sendFile: (to, _media, file) => this.#send(to, file.name, 1),
      sendAlbum: (to, _media, files) => this.#send(to, files.map(({ name }) => name).join(' '), files.length),
      editText: async (_chatId, messageId) => ({ kind: 'accepted', messageIds: [messageId] }),
      removeButtons: async (_chatId, messageId) => ({ kind: 'accepted', messageIds: [messageId] }),
      react: async () => undefined,
      showTyping: async () => ({ kind: 'accepted', messageIds: [] }),
      answerPress: async () => undefined,
    };
  }

  async #send(to: Destination, text: string, count: number, buttons: Button[][] = []): Promise<SendOutcome> {
    const process = currentProcess();
    if (process === undefined || process.isDead) return never();
    const data = buttons.flat().map((button) => button.data);
    const send: Send = { ...this.#meant(text, data), text, messageIds: [], arrived: false, told: null, buttons: data };
    // What the bot says of its own is best effort, and may always arrive.
    const fate = send.what === 'other' ? 'accepted' : this.#ports.nextFate();
    const arrive = (): number[] => {
      this.sends.push(send);
      send.arrived = true;
      send.messageIds = Array.from({ length: count }, () => this.nextMessageId());
      return send.messageIds;
    };
    const miss = (): void => void this.sends.push(send);
    const told = (outcome: SendOutcome): SendOutcome => {
      send.told = outcome.kind;
      return outcome;
    };
    process.step();
    await pause(fate === 'slow' ? 4_000 : 20);
    switch (fate) {
      case 'dies-before':
        miss();
        process.kill();
        return never();
      case 'dies-after':
        arrive();
        process.kill();
        return never();
      case 'refused':
        miss();
        return told({ kind: 'refused', code: 403, description: 'Forbidden: bot was blocked by the user' });
      case 'refused-formatting':
        miss();
        return told({ kind: 'refused', code: 400, description: "Bad Request: can't parse entities" });
      case 'refused-quote':
        miss();
        if (to.replyTo === null)
          return told({ kind: 'refused', code: 400, description: 'Bad Request: chat not found' });
        return told({ kind: 'refused', code: 400, description: 'Bad Request: message to be replied not found' });
      case 'told-to-wait':
        miss();
        return told({ kind: 'not-arrived', reason: '429 Too Many Requests', retryAfterMs: 3_000 });
      case 'no-line':
        miss();
        return told({ kind: 'not-arrived', reason: 'ECONNREFUSED', retryAfterMs: null });
      case 'unknown-lost':
        miss();
        return told({ kind: 'unknown', reason: 'ECONNRESET' });
      case 'unknown-arrived':
        arrive();
        return told({ kind: 'unknown', reason: 'ECONNRESET' });
      default:
        return told({ kind: 'accepted', messageIds: arrive() });
    }
  }

  #meant(text: string, buttons: string[]): Pick<Send, 'what' | 'requestId' | 'marks' | 'receipt' | 'version'> {
    const marks = text.match(/mark-\d+-\d+-[a-z]+/gu) ?? [];
    const fromButtons = buttons.map((data) => parseButtonData(data)?.requestId).find((id) => id !== undefined);
    const named = /^(?:Request|The answer to|answer to) (\d+)\b/u.exec(text)?.[1];
    const requestId = marks[0]?.split('-')[1] ?? fromButtons ?? named ?? null;
    const what = marks.length > 0 ? 'part' : requestId === null ? 'other' : 'notice';
    return { what, requestId, marks: [...new Set(marks)], ...this.#receipt(requestId) };
  }

  #receipt(requestId: string | null): { receipt: Receipt | null; version: number } {
    return requestId === null ? { receipt: null, version: 0 } : this.#ports.receiptOf(requestId);
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
