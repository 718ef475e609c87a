/** The beginning of a text, on one line. Pure. */
import { cleanText } from './reply/clean-text.ts';

/** At most `units` characters, the last one `…` where something was left out; safe for a terminal and for a chat. */
export function oneLine(text: string, units: number): string {
  const line = cleanText(text)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  if (characters.length <= units) return line;
  const kept = characters.slice(0, units - 1).join('');
  return `${kept.trimEnd()}…`;
}
