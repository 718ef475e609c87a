import type { LinkReference, PhrasingContent } from 'mdast';
import { isBlank, withoutControls } from './clean-text.ts';
import type { LocalImage } from './formatted-text.ts';
import { isLinkable, isLocal, saysTarget } from './link-target.ts';
import { labelOf, type References } from './references.ts';
import type { TextBuilder } from './text-builder.ts';

/** Where the renderer writes, and what surrounds the place. */
export interface Place {
  out: TextBuilder;
  images: LocalImage[];
  references: References;
  /** What each further line begins with. */
  indent: string;
  /** Inside a quotation: another one cannot be an entity. */
  quoted: boolean;
  /** Inside a link, or where no entity can stand: targets are written out. */
  bare: boolean;
}

interface Target {
  url: string;
  title?: string | null | undefined;
}

export function renderInlines(nodes: readonly PhrasingContent[], place: Place): void {
  for (const [index, node] of nodes.entries()) renderInline(node, nodes[index + 1], place);
}

/** Writes text, its further lines indented as the place asks. */
export function writeLines(text: string, { out, indent }: Place): void {
  out.write(text.replaceAll('\n', `\n${indent}`));
}

function renderInline(node: PhrasingContent, next: PhrasingContent | undefined, place: Place): void {
  const { out, references } = place;
  const start = out.length;
  switch (node.type) {
    case 'text':
    case 'html':
      return writeLines(node.value, place);
    case 'inlineCode':
      writeLines(node.value, place);
      return out.mark('code', start);
    case 'break':
      return writeLines('\n', place);
    case 'emphasis':
      renderInlines(node.children, place);
      return out.mark('italic', start);
    case 'strong':
      renderInlines(node.children, place);
      return out.mark('bold', start);
    case 'delete':
      renderInlines(node.children, place);
      return out.mark('strikethrough', start);
    case 'footnoteReference':
      return out.write(`[${labelOf(node)}]`);
    case 'link':
      return renderLink(node.children, node, next, place);
    case 'linkReference': {
      const target = references.find(node.identifier);
      return target === undefined ? renderUnresolved(node, place) : renderLink(node.children, target, next, place);
    }
    case 'image':
      return renderImage(node.alt ?? '', node, place);
    case 'imageReference': {
      const target = references.find(node.identifier);
      if (target !== undefined) return renderImage(node.alt ?? '', target, place);
      return writeLines(`${node.alt ?? ''} [${labelOf(node)}]`, place);
    }
  }
}

/** Its definition stands in a stretch that was not parsed, and is to be found there. */
function renderUnresolved(node: LinkReference, place: Place): void {
  if (node.referenceType === 'full') renderInlines(node.children, place);
  place.out.write(`${node.referenceType === 'full' ? ' ' : ''}[${labelOf(node)}]`);
}

function renderLink(
  children: readonly PhrasingContent[],
  { url, title }: Target,
  next: PhrasingContent | undefined,
  place: Place,
): void {
  const { out, bare } = place;
  const start = out.length;
  renderInlines(children, { ...place, bare: true });
  const label = out.since(start);
  const linkable = isLinkable(url) && !bare;
  // Telegram links a bare address by itself, but would take the letters after it along ("https://a.b/c에서").
  const glued = next?.type === 'text' && /^[\p{L}\p{N}]/u.test(next.value);
  if (isBlank(label)) out.write(url);
  else if (!saysTarget(label, url) && !linkable && url !== '') out.write(` (${url})`);
  else if (linkable && (glued || !saysTarget(label, url))) out.mark('text_link', start, { url });
  writeTitle(title, label, place);
}

function renderImage(alt: string, { url, title }: Target, place: Place): void {
  const { out, images, bare } = place;
  const start = out.length;
  writeLines(alt, place);
  if (isBlank(alt)) out.write(url);
  else if (isLinkable(url) && !bare) out.mark('text_link', start, { url });
  else if (url !== '' && alt !== url) out.write(` (${url})`);
  const words = { offset: start, length: out.length - start };
  if (isLocal(url)) images.push({ target: withoutControls(url), alt: withoutControls(alt), ...words });
  writeTitle(title, alt, place);
}

/** Telegram has no hover text. */
function writeTitle(title: string | null | undefined, label: string, place: Place): void {
  if (title != null && !isBlank(title) && title !== label) writeLines(` (${title})`, place);
}
