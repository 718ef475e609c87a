/** The beginning of a text, for where the whole is too long; never half a character. Pure. */
export function beginningOf(text: string, units: number): string {
  return text.length <= units ? text : `${text.slice(0, units).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
