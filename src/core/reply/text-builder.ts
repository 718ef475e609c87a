import { withoutControls } from './clean-text.ts';
import { lawfulEntities } from './entity-rules.ts';
import type { FormattedText, MessageEntity } from './formatted-text.ts';

/** Text that grows at its end, and the marks on it. */
export class TextBuilder {
  #text = '';
  readonly #marks: MessageEntity[] = [];

  get length(): number {
    return this.#text.length;
  }

  write(text: string): void {
    this.#text += withoutControls(text);
  }

  since(offset: number): string {
    return this.#text.slice(offset);
  }

  /** Marks all that was written since `from`. */
  mark(type: MessageEntity['type'], from: number, details: { url?: string; language?: string } = {}): void {
    this.#marks.push({ type, offset: from, length: this.length - from, ...details });
  }

  /** Takes back what was written since `offset`; nothing there may be marked. */
  takeBack(offset: number): void {
    this.#text = this.#text.slice(0, offset);
  }

  finish(): FormattedText {
    return { text: this.#text, entities: lawfulEntities(this.#text, this.#marks) };
  }
}
