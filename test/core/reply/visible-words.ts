import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfm } from 'micromark-extension-gfm';

/** What the writer of a document wants seen, found without the renderer. */
export interface Visible {
  /** In reading order; footnotes last. */
  words: string[];
  targets: string[];
}

export function visibleIn(markdown: string): Visible {
  const tree: Root = fromMarkdown(markdown, {
    extensions: [gfm({ singleTilde: false }), cjkFriendlyExtension()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const found: Visible = { words: [], targets: [] };
  for (const node of tree.children) if (node.type !== 'footnoteDefinition') visit(node, found);
  for (const node of tree.children) if (node.type === 'footnoteDefinition') visit(node, found);
  return found;
}

function visit(node: Nodes, found: Visible): void {
  if ('value' in node) found.words.push(...wordsOf(node.value));
  if ('alt' in node) found.words.push(...wordsOf(node.alt ?? ''));
  if ('children' in node) for (const child of node.children) visit(child, found);
  if ('url' in node) found.targets.push(...wordsOf(node.url));
  if (node.type === 'footnoteReference') found.words.push(`[${node.label ?? ''}]`);
  if ((node.type === 'link' || node.type === 'image') && node.title) found.words.push(...wordsOf(node.title));
}

function wordsOf(text: string): string[] {
  // A character reference can bring in what no message may hold.
  return text
    .replaceAll(/[^\P{Control}\s]|\uFEFF/gu, '')
    .split(/\s+/u)
    .filter((word) => word !== '');
}
