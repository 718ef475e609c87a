/** Made at the first need: the tables behind it cost a process tens of milliseconds, and many never cut a text. */
let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character each; a family of emoji is one. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
