/** The demo's chat window: what the person says goes to the stand-in, what changes there is printed. */
import type { StandIn } from '../stand-in/stand-in.ts';

type Shown = StandIn['messages'][number];

export class DemoChat {
  readonly #telegram: StandIn;
  readonly #print: (words: string) => void;
  readonly #shown = new Map<number, string>();
  readonly #stopListening: () => void;
  /** The latest message that asked for something. */
  lastRequestId: number | null = null;

  constructor(telegram: StandIn, print: (words: string) => void) {
    this.#telegram = telegram;
    this.#print = print;
    this.#stopListening = telegram.onChange(() => this.show());
  }

  /** `> text` replies to the bot's last message, `>43 text` to message 43; all else is a plain line. */
  say(line: string): void {
    const reply = /^>\s*(\d+)?\s*(.*)$/su.exec(line);
    if (reply === null) {
      const { message_id: id } = this.#telegram.say(line);
      if (/^\/blog\s+\S/iu.test(line)) this.lastRequestId = id;
      return;
    }
    const target = reply[1] === undefined ? this.#telegram.botMessages.at(-1)?.id : Number(reply[1]);
    if (target === undefined || !this.#telegram.messages.some((message) => message.id === target)) {
      this.#print('  * there is no such message to reply to\n');
      return;
    }
    this.lastRequestId = this.#telegram.say({ text: reply[2] ?? '', replyTo: target }).message_id;
  }

  press(number: number): void {
    const message = this.#telegram.botMessages.findLast((one) => buttonsOf(one).length > 0);
    const button = message === undefined ? undefined : buttonsOf(message)[number - 1];
    if (message === undefined || button === undefined) this.#print('  * there is no such button\n');
    else this.#telegram.press(message.id, button.data);
  }

  /** Resolves when each request of this chat came to an end that a person can see, or after `mostMs`. */
  async quiet(mostMs: number): Promise<void> {
    await this.#telegram
      .waitFor((telegram) => telegram.messages.filter(isAsking).every(isOver), mostMs)
      .catch(() => undefined);
  }

  close(): void {
    this.show();
    this.#stopListening();
  }

  /** Prints what is new. */
  show(): void {
    for (const message of this.#telegram.messages) {
      const words = message.fromBot ? this.#botWords(message) : this.#ownWords(message);
      if (words === this.#shown.get(message.id)) continue;
      const isNew = !this.#shown.has(message.id);
      this.#shown.set(message.id, words);
      if (isNew || message.fromBot) this.#print(`${words}\n`);
      else this.#print(`[${message.id}] ${message.reaction ?? ''}\n`);
    }
  }

  #ownWords(message: Shown): string {
    return `[${message.id}] you: ${message.text}${message.reaction === undefined ? '' : ` ${message.reaction}`}`;
  }

  #botWords(message: Shown): string {
    const quoted = message.replyTo === undefined ? '' : ` (to ${message.replyTo})`;
    const text = message.text === '' ? '[a file]' : message.text;
    const buttons = buttonsOf(message).map(({ label }, index) => `   [${index + 1}: ${label}]`);
    return [`[${message.id}] bot${quoted}:`, ...text.split('\n').map((line) => `   ${line}`), ...buttons].join('\n');
  }
}

function buttonsOf(message: Shown): { label: string; data: string }[] {
  return message.buttons.flat().map(({ text, callback_data: data = '' }) => ({ label: text, data }));
}

function isAsking({ fromBot, replyTo, text }: Shown): boolean {
  return !fromBot && (replyTo !== undefined || /^\/blog\s/iu.test(text));
}

function isOver({ reaction }: Shown): boolean {
  return reaction === '👍' || reaction === '💔';
}
