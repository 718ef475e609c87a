/** One thing that was looked at, and what came of it. Pure. */

export interface Finding {
  what: string;
  /** Null where nothing is wrong. */
  wrong: string | null;
  /** What is worth knowing though nothing is wrong; '' without. */
  note: string;
  /** What to do; '' where nothing is to be done. */
  mend: string;
  /** The network's fault, or Telegram's: it has an exit code of its own. */
  unreachable?: true;
}

export function fine(what: string, note = ''): Finding {
  return { what, wrong: null, note, mend: '' };
}

/** Not wrong, but a person may want to do something. */
export function advice(what: string, note: string, mend: string): Finding {
  return { what, wrong: null, note, mend };
}

export function wrong(what: string, words: string, mend: string): Finding {
  return { what, wrong: words, note: '', mend };
}

/** The first few of many names. */
export function someOf(names: readonly string[], count = 5): string {
  const shown = names.slice(0, count).map((name) => JSON.stringify(name).slice(1, -1));
  return names.length > count ? `${shown.join(', ')} and ${names.length - count} more` : shown.join(', ');
}
