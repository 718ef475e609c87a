/** HTML as values: whatever is put into a template is escaped, unless it came from a template itself. Pure. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes; nothing at all for `null` and `false`. */
export type Piece = Html | string | number | null | false | readonly Piece[];

/** Attributes must stand in double quotes: `<a href="${address}">`. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.map((text, index) => text + rendered(pieces[index] ?? null)).join(''));
}

function rendered(piece: Piece): string {
  if (piece === null || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'string') return escaped(piece);
  if (typeof piece === 'number') return String(piece);
  return piece.map(rendered).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control characters that no page can show become the sign for what cannot be shown. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? sign).replaceAll(/[^\P{Cc}\t\n\r]/gu, '\uFFFD');
}
