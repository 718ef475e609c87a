/**
 * Owns: an agent's questions to a person, from the buttons in the chat to the answer.
 * Guarantees: the first answer counts; after its time, or once the run is over, a question is denied and its message says so.
 * Fails: never; a question that cannot be asked is denied.
 */
import { randomBytes } from 'node:crypto';
import { type Order, questionData } from '../core/order.ts';
import type { Button, Destination, Question, Sender } from '../core/ports.ts';
import type { Words } from '../core/words.ts';
import { editPatiently, sendPatiently } from './patient-send.ts';

export interface QuestionPorts {
  sender: Sender;
  timeoutMs: number;
  /** Aborted when the process is to stop. */
  signal: AbortSignal;
  /** That a reply to the question goes on with the conversation. */
  link: (botMessageId: number) => Promise<void>;
}

export interface Asker {
  requestId: string;
  to: Destination;
  words: Words;
  /** An instant as this person reads it. */
  timeWords: (at: string) => string;
}

export type Answer = { optionId: string } | 'denied';

/** How a question ended: by a person's choice, by its time, or with its run. */
type Ending = { option: Question['options'][number]; by: string; at: string } | 'too-late' | 'over';

/** As a person reads them: what allows first, what lasts longer after what does not. */
const ORDER = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

export class Questions {
  readonly #open = new Map<string, { question: Question; choose(ending: Ending): void }>();

  /** @param over aborted once nobody waits for the answer any more */
  async ask(question: Question, asker: Asker, over: AbortSignal, ports: QuestionPorts): Promise<Answer> {
    const nonce = randomBytes(6).toString('hex');
    const ended = new AbortController();
    const ending = this.#ending(nonce, question, over, ports.timeoutMs).finally(() => ended.abort());
    const told = this.#tell(nonce, question, asker, ended.signal, ports);
    const result = await ending;
    this.#open.delete(nonce);
    // The words under the question follow by themselves; the agent does not wait for them.
    void told.then((messageId) => this.#close(messageId, question, result, asker, ports));
    return typeof result === 'string' ? 'denied' : { optionId: result.option.id };
  }

  /** False where the question is not open any more, or has no such option. */
  answer({ question: nonce = '', option = -1, by, at }: Pick<Order, 'question' | 'option' | 'by' | 'at'>): boolean {
    const open = this.#open.get(nonce);
    const chosen = open?.question.options[option];
    if (open === undefined || chosen === undefined) return false;
    this.#open.delete(nonce);
    open.choose({ option: chosen, by: by.name, at });
    return true;
  }

  #ending(nonce: string, question: Question, over: AbortSignal, timeoutMs: number): Promise<Ending> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve('too-late'), timeoutMs);
      const choose = (ending: Ending): void => {
        clearTimeout(timer);
        resolve(ending);
      };
      over.addEventListener('abort', () => choose('over'), { once: true });
      if (over.aborted) choose('over');
      this.#open.set(nonce, { question, choose });
    });
  }

  async #tell(
    nonce: string,
    question: Question,
    { requestId, to, words }: Asker,
    ended: AbortSignal,
    { sender, link }: QuestionPorts,
  ): Promise<number | null> {
    const content = { text: words.question(question.title, question.about), entities: [] };
    const buttons = buttonsFor(requestId, nonce, question);
    const outcome = await sendPatiently((where) => sender.sendText(where, content, buttons), to, ended);
    const messageId = outcome.kind === 'accepted' ? (outcome.messageIds[0] ?? null) : null;
    if (messageId !== null) await link(messageId);
    return messageId;
  }

  async #close(
    messageId: number | null,
    question: Question,
    ending: Ending,
    { to, words, timeWords }: Asker,
    { sender, signal }: QuestionPorts,
  ): Promise<void> {
    if (messageId === null) return;
    const said =
      ending === 'too-late'
        ? words.questionTooLate
        : ending === 'over'
          ? words.questionOver
          : words.questionAnswered(ending.option.name, ending.by, timeWords(ending.at));
    const text = `${words.question(question.title, question.about)}\n\n${said}`;
    await editPatiently(() => sender.editText(to.chatId, messageId, text), signal);
  }
}

function buttonsFor(requestId: string, nonce: string, { options }: Question): Button[][] {
  const indexed = options.map((option, index) => ({ option, index }));
  indexed.sort((a, b) => rank(a.option.kind) - rank(b.option.kind));
  return indexed.map(({ option, index }) => [
    {
      label: shortened(option.name),
      data: questionData(option.kind.startsWith('allow') ? 'permit' : 'deny', requestId, nonce, index),
    },
  ]);
}

function rank(kind: string): number {
  const index = ORDER.indexOf(kind);
  return index === -1 ? ORDER.length : index;
}

/** Whole characters, as far as a button has room for them. */
function shortened(name: string): string {
  return Array.from(name).slice(0, 40).join('');
}
