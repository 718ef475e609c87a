/**
 * The parser's time grows faster than its input, and runs away on some: 1 MiB of ordinary Markdown takes a minute,
 * 64 KB of `*a_ ` more. In pieces of this size the time grows evenly; a text up to this size is one piece.
 */
const CHUNK_UNITS = 8192;
/** What comes later stays as written: a reply this long goes out as one message and a file. */
const FORMATTED_UNITS = 98_304;
/** Marks that the parser compares with each other, or looks for the ends of, in one run of text. */
const MARKS_IN_A_RUN = 500;
const NESTING_ON_A_LINE = 48;
const INDENT_BEFORE_A_MARKER = 160;

/** A stretch of the source that can be read by itself. `plain`: not to be parsed. */
export interface Chunk {
  text: string;
  plain: boolean;
}

/** Joined, the chunks are the source. */
export function chunkMarkdown(source: string): Chunk[] {
  const chunks: Chunk[] = [];
  let left = FORMATTED_UNITS;
  for (const text of blocksOf(source)) {
    left = text.length > left ? 0 : left - text.length;
    const plain = left === 0 || isTangled(text);
    const last = chunks.at(-1);
    const joins =
      last !== undefined && last.plain === plain && (plain || last.text.length + text.length <= CHUNK_UNITS);
    if (joins) last.text += text;
    else chunks.push({ text, plain });
  }
  return chunks;
}

/** Cut where no list, quote, fence or footnote can go on: before a line at the margin that follows an empty one. */
function blocksOf(source: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let afterBlank = false;
  let holdsList = false;
  for (const { line, fenced } of linesOf(source)) {
    const isItem = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)/u.test(line);
    if (afterBlank && !fenced && /^\S/u.test(line) && !(isItem && holdsList)) {
      blocks.push(`${block.join('\n')}\n`);
      block = [];
      holdsList = false;
    }
    block.push(line);
    afterBlank = !fenced && line.trim() === '';
    holdsList ||= isItem;
  }
  blocks.push(block.join('\n'));
  return blocks;
}

/** `fenced`: the line stands inside a code fence, or closes it. */
export function linesOf(source: string): { line: string; fenced: boolean }[] {
  let fence = '';
  return source.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})(.*)$/u.exec(line);
    const [ticks, rest] = [mark?.[1] ?? '', mark?.[2] ?? ''];
    const fenced = fence !== '';
    if (!fenced && !(ticks.startsWith('`') && rest.includes('`'))) fence = ticks;
    else if (fenced && ticks.startsWith(fence) && rest.trim() === '') fence = '';
    return { line, fenced };
  });
}

function isTangled(block: string): boolean {
  const isTable = /^[ \t>|]*:?-+:?[ \t]*\|/mu.test(block);
  let marks = 0;
  return linesOf(block).some(({ line, fenced }) => {
    const startsAnew = /^[\s>]*(?:$|#|[-+*]\s|\d{1,9}[.)]\s)/u.test(line) || (isTable && /^\s*\|/u.test(line));
    marks = (startsAnew || fenced ? 0 : marks) + (fenced ? 0 : line.replaceAll(/[^*_~[\]`@<]+/gu, '').length);
    return marks > MARKS_IN_A_RUN || isDeep(line);
  });
}

function isDeep(line: string): boolean {
  const prefix = /^[\s>+*\-\d.)]*/u.exec(line)?.[0] ?? '';
  const markers = prefix.replaceAll(/[^>+*\-.)]+/gu, '');
  // A rule, or the line under a heading.
  if (prefix.length === line.length && /^(?:-+|\*+)$/u.test(markers)) return false;
  return markers.length > NESTING_ON_A_LINE || (markers !== '' && prefix.length > INDENT_BEFORE_A_MARKER);
}
