import type { Root } from 'mdast';
import { cleanText } from './clean-text.ts';
import type { FormattedMarkdown, LocalImage } from './formatted-text.ts';
import { type ParsedChunk, parseMarkdown } from './parse-markdown.ts';
import { collectReferences, type References } from './references.ts';
import { renderBlocks, renderFootnote } from './render-blocks.ts';
import type { Place } from './render-inlines.ts';
import { TextBuilder } from './text-builder.ts';

/**
 * What an agent writes (CommonMark with GFM), as Telegram shows it. Takes any string and never throws. No visible
 * character is lost but Markdown's own signs: what has no counterpart in Telegram (tables, targets that it refuses,
 * HTML, titles, nested quotations) becomes plain text; what is too long or too tangled to parse stays as written.
 * Pictures with a local path stand in the text as `alt (path)`; `images` tells where.
 */
export function formatMarkdown(markdown: string): FormattedMarkdown {
  const chunks = parseMarkdown(cleanText(markdown));
  const references = collectReferences(chunks.flatMap(({ tree }) => tree ?? []));
  const bodies = chunks.map((chunk) => renderBody(chunk, references));
  const notes = chunks.flatMap(({ tree }) => (tree === undefined ? [] : renderNotes(tree, references)));
  return joinBlocks([...bodies, ...notes]);
}

function renderBody({ source, tree }: ParsedChunk, references: References): FormattedMarkdown {
  if (tree === undefined) return { text: source.replace(/^\n+/u, '').trimEnd(), entities: [], images: [] };
  const blocks = tree.children.filter(({ type }) => type !== 'footnoteDefinition');
  return render(references, (place) => renderBlocks(blocks, place));
}

function renderNotes(tree: Root, references: References): FormattedMarkdown[] {
  return tree.children.flatMap((node) =>
    node.type === 'footnoteDefinition' ? render(references, (place) => renderFootnote(node, place)) : [],
  );
}

function render(references: References, write: (place: Place) => void): FormattedMarkdown {
  const out = new TextBuilder();
  const images: LocalImage[] = [];
  write({ out, images, references, indent: '', quoted: false, bare: false });
  return { ...out.finish(), images };
}

function joinBlocks(blocks: readonly FormattedMarkdown[]): FormattedMarkdown {
  const whole: FormattedMarkdown = { text: '', entities: [], images: [] };
  for (const { text, entities, images } of blocks) {
    if (text === '') continue;
    if (whole.text !== '') whole.text += '\n\n';
    const shift = whole.text.length;
    whole.text += text;
    for (const entity of entities) whole.entities.push({ ...entity, offset: entity.offset + shift });
    for (const image of images) whole.images.push({ ...image, offset: image.offset + shift });
  }
  return whole;
}
