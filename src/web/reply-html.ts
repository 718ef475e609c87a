/** A reply's text with its message entities, as HTML. Pure. */
import type { Part } from '../core/receipt.ts';
import { type Html, type Piece, html } from './html.ts';

type TextPart = Extract<Part, { kind: 'text' }>;
type Entity = TextPart['entities'][number];

/** A receipt may hold entities as anybody wrote them: what does not nest, or lies outside of the text, is left out. */
export function replyHtml({ text, entities }: Pick<TextPart, 'text' | 'entities'>): Html {
  const sorted = entities
    .filter(({ offset, length }) => offset >= 0 && length > 0 && offset + length <= text.length)
    .sort((a, b) => a.offset - b.offset || b.length - a.length);
  return html`${rendered(text, 0, text.length, sorted)}`;
}

function rendered(text: string, from: number, to: number, entities: readonly Entity[]): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (let index = 0; index < entities.length; ) {
    const entity = entities[index] as Entity;
    const end = entity.offset + entity.length;
    let next = index + 1;
    while (next < entities.length && (entities[next] as Entity).offset < end) next += 1;
    const inside = entities.slice(index + 1, next).filter(({ offset, length }) => offset + length <= end);
    index = next;
    if (entity.offset < at || end > to) continue;
    const before = text.slice(at, entity.offset);
    pieces.push(isBlock(entity) ? before.replace(/\n+$/u, '') : before);
    pieces.push(marked(entity, rendered(text, entity.offset, end, inside)));
    at = isBlock(entity) ? afterNewlines(text, end, to) : end;
  }
  pieces.push(text.slice(at, to));
  return pieces;
}

/** A block has its own space around it. */
function isBlock({ type }: Entity): boolean {
  return type === 'pre' || type === 'blockquote';
}

function afterNewlines(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text[at] === '\n') at += 1;
  return at;
}

function marked(entity: Entity, inside: Piece): Html {
  switch (entity.type) {
    case 'bold':
      return html`<b>${inside}</b>`;
    case 'italic':
      return html`<i>${inside}</i>`;
    case 'strikethrough':
      return html`<s>${inside}</s>`;
    case 'code':
      return html`<code>${inside}</code>`;
    case 'pre':
      return html`<pre>${inside}</pre>`;
    case 'blockquote':
      return html`<blockquote>${inside}</blockquote>`;
    case 'text_link':
      return linked(entity['url'], inside);
  }
}

/** Only where a browser goes without running anything. */
function linked(url: unknown, inside: Piece): Html {
  if (typeof url !== 'string' || !/^(?:https?:\/\/|mailto:)/iu.test(url)) return html`${inside}`;
  return html`<a href="${url}" rel="noopener noreferrer" target="_blank">${inside}</a>`;
}
