/** A command as a person types it → program and arguments, as a shell would cut it but without running anything. Pure. */

/** Null where a quote is not closed, or nothing stands there. */
export function splitCommand(text: string): [string, ...string[]] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote === "'" ? character === "'" : quote === '"' && character === '"') quote = '';
    else if (quote === "'") word = (word ?? '') + character;
    else if (character === '\\' && (quote === '' || /["\\$`]/u.test(text[at + 1] ?? ''))) {
      at += 1;
      word = (word ?? '') + (text[at] ?? '');
    } else if (quote === '"') word = (word ?? '') + character;
    else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (!/\s/u.test(character)) word = (word ?? '') + character;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (word !== null) words.push(word);
  const [program, ...rest] = words;
  return quote !== '' || program === undefined || program === '' ? null : [program, ...rest];
}
