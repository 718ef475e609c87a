/** The kinds of Bot API `MessageEntity` that a reply uses. */
export type EntityType = 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'text_link' | 'blockquote';

/** Bot API `MessageEntity`. `offset` and `length` count UTF-16 units, as JavaScript strings do. */
export interface MessageEntity {
  type: EntityType;
  offset: number;
  length: number;
  /** Of a `text_link` only. */
  url?: string;
  /** Of a `pre` only. */
  language?: string;
}

/** What one message says: plain text, and how it looks. Entities are sorted by offset, then longer first. */
export interface FormattedText {
  text: string;
  entities: MessageEntity[];
}

/** A picture named by a path instead of an address: `offset` and `length` tell where its words stand in the text. */
export interface LocalImage {
  /** As written, still percent-encoded. */
  target: string;
  alt: string;
  offset: number;
  length: number;
}

export interface FormattedMarkdown extends FormattedText {
  images: LocalImage[];
}
