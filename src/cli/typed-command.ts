/** The commands that are printed for a person to type: with the home that was named, so that they mean the same one. Pure. */

/** `blog-bridge show 41 --home '/my blog'`; without a named home the environment or the folder says which. */
export function typedCommand(words: string, home: string | undefined): string {
  return `blog-bridge ${words}${home === undefined ? '' : ` --home ${quoted(home)}`}`;
}

/** The same for the commands that stand in quotation marks in a text. */
export function withHome(text: string, home: string | undefined): string {
  if (home === undefined) return text;
  return text.replaceAll(/"blog-bridge ([a-z][^"]*)"/gu, (whole, words: string) =>
    words.includes('--home') ? whole : `"${typedCommand(words, home)}"`,
  );
}

/** As a POSIX shell reads it back. */
function quoted(text: string): string {
  return /^[\w./@:+-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
