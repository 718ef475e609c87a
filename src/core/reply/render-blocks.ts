import type { Blockquote, Code, Definition, FootnoteDefinition, List, ListItem, RootContent } from 'mdast';
import { withoutControls } from './clean-text.ts';
import { labelOf } from './references.ts';
import { type Place, renderInlines, writeLines } from './render-inlines.ts';
import { renderTable } from './render-table.ts';

const RULE = '———';

/** Writes blocks one below the other; those that show nothing leave no gap. */
export function renderBlocks(nodes: readonly RootContent[], place: Place, gap = '\n\n'): void {
  const { out } = place;
  const start = out.length;
  for (const node of nodes) {
    const before = out.length;
    if (before > start) out.write(`${gap}${isFlush(node, place) ? '' : place.indent}`);
    const here = out.length;
    renderBlock(node, place);
    if (out.length === here) out.takeBack(before);
  }
}

export function renderFootnote(node: FootnoteDefinition, place: Place): void {
  place.out.write(`[${labelOf(node)}] `);
  renderBlocks(node.children, place);
}

function renderBlock(node: RootContent, place: Place): void {
  const { out } = place;
  const start = out.length;
  switch (node.type) {
    case 'paragraph':
      return renderInlines(node.children, place);
    case 'heading':
      renderInlines(node.children, place);
      return out.mark('bold', start);
    case 'code':
      return renderCode(node, place);
    case 'table':
      return renderTable(node, place);
    case 'list':
      return renderList(node, place);
    case 'blockquote':
      return renderQuote(node, place);
    case 'html':
      return writeLines(node.value, place);
    case 'thematicBreak':
      return out.write(RULE);
    case 'definition':
      return place.references.isUsed(node) ? undefined : renderDefinition(node, place);
    case 'footnoteDefinition':
      return renderFootnote(node, place);
    default:
      // The rest of the union stands only inside the blocks above.
      return undefined;
  }
}

/** Blocks that begin at the margin: their entity is a box of its own, and code is copied out of it. */
function isFlush({ type }: RootContent, { quoted }: Place): boolean {
  return type === 'code' || type === 'table' || (type === 'blockquote' && !quoted);
}

function renderCode({ value, lang, meta }: Code, { out }: Place): void {
  if (meta) out.write(`${meta}\n`);
  const start = out.length;
  out.write(value);
  const language = withoutControls(lang ?? '');
  out.mark('pre', start, language === '' ? {} : { language });
}

/** Telegram refuses a quotation inside a quotation: the inner one keeps its sign. */
function renderQuote({ children }: Blockquote, place: Place): void {
  const { out } = place;
  const start = out.length;
  if (place.quoted) {
    out.write('> ');
    renderBlocks(children, { ...place, indent: `${place.indent}> ` });
  } else {
    renderBlocks(children, { ...place, indent: '', quoted: true });
    out.mark('blockquote', start);
  }
}

function renderList({ children, ordered, start, spread }: List, place: Place): void {
  const isLoose = spread === true || children.some((item) => item.spread === true);
  for (const [index, item] of children.entries()) {
    if (index > 0) place.out.write(`${isLoose ? '\n\n' : '\n'}${place.indent}`);
    renderItem(item, ordered === true ? `${(start ?? 1) + index}.` : '', place);
  }
}

function renderItem({ children, checked, spread }: ListItem, number: string, place: Place): void {
  const { out } = place;
  const box = checked == null ? '' : checked ? '☑' : '☐';
  const marker = [number, box].filter((sign) => sign !== '').join(' ') || '•';
  const [first] = children;
  out.write(`${marker} `);
  if (first !== undefined && isFlush(first, place)) out.write('\n');
  renderBlocks(
    children,
    { ...place, indent: `${place.indent}${' '.repeat(number === '' ? 2 : number.length + 1)}` },
    spread === true ? '\n\n' : '\n',
  );
}

function renderDefinition(node: Definition, place: Place): void {
  writeLines(`[${labelOf(node)}]: ${node.url}${node.title ? ` (${node.title})` : ''}`, place);
}
