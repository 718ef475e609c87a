import type { MessageEntity } from './formatted-text.ts';
import { graphemesOf } from './graphemes.ts';

/** A cluster longer than this past the cut is not looked at whole. */
const LOOKAHEAD_UNITS = 256;
const SENTENCE_END = /[.!?…]["'”’)\]]*(?=\s)|[。！？]["'”’」』）]*/gu;
/** What goes on a cluster that white space or a full stop began (UAX #29, GB9 and GB9a). */
const CONTINUES = /^[\p{Grapheme_Extend}\p{Spacing_Mark}\p{Emoji_Modifier}\u200D]/u;

/**
 * Where to end a part that begins at `start` and may reach to `end`: behind the last paragraph in the second half of
 * that window, else line, sentence, word, grapheme. A paragraph that ends inside a code block is second choice.
 */
export function cutPoint(text: string, start: number, end: number, blocks: readonly MessageEntity[]): number {
  const half = start + Math.ceil((end - start) / 2);
  return (
    lastBreak(text, '\n\n', half, end, (at) => !blocks.some((block) => isInside(block, at))) ??
    lastBreak(text, '\n\n', half, end) ??
    lastBreak(text, '\n', half, end) ??
    lastSentence(text, half, end) ??
    lastSpace(text, half, end) ??
    graphemeCut(text, start, end)
  );
}

function isInside({ offset, length }: MessageEntity, at: number): boolean {
  return offset < at && at < offset + length;
}

function lastBreak(
  text: string,
  sign: string,
  half: number,
  end: number,
  suits: (at: number) => boolean = () => true,
): number | undefined {
  for (let at = text.lastIndexOf(sign, end); at >= half; at = text.lastIndexOf(sign, at - 1)) {
    const cut = Math.min(at + sign.length, end);
    if (suits(at) && isClusterStart(text, cut)) return cut;
  }
  return undefined;
}

function lastSentence(text: string, half: number, end: number): number | undefined {
  // One unit more, for the white space that must follow.
  const ends = Array.from(
    text.slice(half, end + 1).matchAll(SENTENCE_END),
    (found) => half + found.index + found[0].length,
  );
  return ends.findLast((cut) => cut <= end && isClusterStart(text, cut));
}

function lastSpace(text: string, half: number, end: number): number | undefined {
  for (let cut = end; cut >= half; cut -= 1) {
    if (/\s/u.test(text.charAt(cut - 1)) && isClusterStart(text, cut)) return cut;
  }
  return undefined;
}

function isClusterStart(text: string, at: number): boolean {
  return !CONTINUES.test(text.slice(at, at + 2)) && !(text[at - 1] === '\r' && text[at] === '\n');
}

function graphemeCut(text: string, start: number, end: number): number {
  const window = text.slice(start, end + LOOKAHEAD_UNITS);
  const cut = start + (graphemesOf(window).containing(end - start)?.index ?? end - start);
  if (cut > start) return cut;
  // The window is one cluster: at least no code point is cut.
  if (!/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(end - 1, end + 1))) return end;
  return end - 1 > start ? end - 1 : end + 1;
}
