import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfm } from 'micromark-extension-gfm';
import { chunkMarkdown, linesOf } from './chunk-markdown.ts';

const EXTENSIONS = {
  // One tilde is a range in Korean ("1~2시, 3~4시"), never a strike.
  extensions: [gfm({ singleTilde: false }), cjkFriendlyExtension()],
  mdastExtensions: [gfmFromMarkdown()],
};
/** The parser's time for definitions grows with their square. */
const BORROWED_UNITS = 4096;

/** `tree` is undefined where the source cannot be parsed in reasonable time: it then stays as it was written. */
export interface ParsedChunk {
  source: string;
  tree: Root | undefined;
}

export function parseMarkdown(source: string): ParsedChunk[] {
  const chunks = chunkMarkdown(source);
  const definitions: ReadonlyMap<string, string> = chunks.length === 1 ? new Map() : definitionLines(source);
  return chunks.map(({ text, plain }) => ({
    source: text,
    tree: plain ? undefined : parseChunk(text, borrowed(text, definitions)),
  }));
}

/** `before` is read along and then left out of the tree. */
function parseChunk(text: string, before: string): Root | undefined {
  try {
    const tree = fromMarkdown(before + text, EXTENSIONS);
    tree.children = tree.children.filter((node) => (node.position?.start.offset ?? 0) >= before.length);
    return tree;
  } catch {
    // The parser recurses, so deep nesting can exhaust the stack. The answer matters more than its looks.
    return undefined;
  }
}

/** The line that defines each link or footnote, by label; of several the first, as in CommonMark. */
function definitionLines(source: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const { line, fenced } of linesOf(source)) {
    const label = /^ {0,3}\[([^\][]+)\]:\s*\S/u.exec(line)?.[1];
    if (fenced || label === undefined || lines.has(keyOf(label))) continue;
    lines.set(keyOf(label), label.startsWith('^') ? `[${label}]: x` : line);
  }
  return lines;
}

/** What the chunk refers to, so that the parser sees references as such; a rule keeps it apart from the chunk. */
function borrowed(text: string, definitions: ReadonlyMap<string, string>): string {
  const keys = new Set(Array.from(text.matchAll(/\[([^\][]+)\]/gu), ([, label]) => keyOf(label ?? '')));
  const lines = [...keys].flatMap((key) => definitions.get(key) ?? []).join('\n\n');
  return lines === '' || lines.length > BORROWED_UNITS ? '' : `${lines}\n\n***\n\n`;
}

function keyOf(label: string): string {
  return label.replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}
