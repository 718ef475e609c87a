import { graphemesOf } from './graphemes.ts';

// East Asian Width W and F (UAX #11), by block.
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Mark}]+$/u;

/** Columns that the text takes in a fixed-width font: 2 for East Asian wide characters and emoji. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    if (INVISIBLE.test(segment)) continue;
    width += WIDE.test(segment) || EMOJI.test(segment) ? 2 : 1;
  }
  return width;
}
