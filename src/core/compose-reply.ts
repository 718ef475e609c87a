/** From what the agent printed and made to the parts that are sent; decided once, before the first leaves (contract §5). Pure. */
import { isBlank } from './reply/clean-text.ts';
import type { FormattedMarkdown, FormattedText } from './reply/formatted-text.ts';
import { sliceText } from './reply/slice-text.ts';
import { splitText } from './reply/split-text.ts';
import type { RunNote } from './ports.ts';
import type { Part, PartFile, Reply } from './receipt.ts';
import type { Words } from './words.ts';

/** Bot API: a message's text, in UTF-16 units after entities are parsed. */
const MAX_TEXT_UNITS = 4096;
/** Bot API: a caption, likewise. */
const MAX_CAPTION_UNITS = 1024;
/** Bot API: items of one album. */
const MAX_ALBUM_ITEMS = 10;
/** Bot API: largest upload, in bytes. */
const MAX_UPLOAD_BYTES = 50_000_000;
/** A reply of more text parts is a flood in the chat; it goes as its first part and a file. */
const MAX_TEXT_PARTS = 16;

/** A file that goes back, in the request's folder in `state/files/`. */
export interface OutgoingFile {
  file: string;
  name: string;
  bytes: number;
  media: 'photo' | 'document';
  /** Where a person finds it, relative to the home. */
  shownAs: string;
}

export interface Answer {
  /** What the agent printed, cleaned, as Markdown. */
  markdown: string;
  formatted: FormattedMarkdown;
  /** Set where the agent printed more than `markdown` holds. */
  whole: OutgoingFile | null;
  /** Where the whole text lies once `keepReply` was followed. */
  replyFile: OutgoingFile;
  /** Pictures that the text names, by their target, where the file was found. */
  pictures: ReadonlyMap<string, OutgoingFile>;
  /** What the agent left besides. */
  files: readonly OutgoingFile[];
  /** Files that are too many to send, and where they lie; null where all go. */
  leftOut: { count: number; folder: string } | null;
  /** Set where the answer was read from the agent's history after a crash. */
  recovered: boolean;
  /** Why the agent stopped, where it was not done. */
  note: RunNote | null;
}

export type Composed =
  | { kind: 'empty' }
  | { kind: 'reply'; reply: Reply /** `replyFile` must be written first. */; keepReply: boolean };

interface FileBlock {
  file: OutgoingFile;
  caption: string;
}

type Block = { text: FormattedText } | FileBlock;

export function composeReply(answer: Answer, words: Words): Composed {
  const { whole, leftOut } = answer;
  const blocks = [...textAndPictures(answer), ...answer.files.map((file): Block => ({ file, caption: '' }))];
  if (blocks.length === 0) return { kind: 'empty' };
  if (answer.recovered) blocks.unshift({ text: textOf(words.recovered) });
  if (answer.note !== null) blocks.push({ text: textOf(words.note[answer.note]) });
  if (leftOut !== null) blocks.push({ text: textOf(words.tooManyFiles(leftOut.count, leftOut.folder)) });

  const markdown = whole === null ? answer.markdown : `${answer.markdown}\n\n${words.cutAt(whole.bytes)}`;
  const parts = partsOf(blocks, words);
  const texts = parts.filter((part) => part.kind === 'text');
  if (whole === null && texts.length <= MAX_TEXT_PARTS)
    return { kind: 'reply', reply: { markdown, parts }, keepReply: false };

  const wholePart = partOfFile(whole ?? answer.replyFile, words.wholeAsFile, words);
  const others = parts.filter((part) => part.kind !== 'text');
  return {
    kind: 'reply',
    reply: { markdown, parts: [...texts.slice(0, 1), wholePart, ...others] },
    keepReply: whole === null,
  };
}

/** The text cut at the pictures that it names; their own words become captions. */
function textAndPictures({ formatted, pictures }: Answer): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  const pushText = (to: number): void => {
    const text = sliceText(formatted, from, to);
    if (!isBlank(text.text)) blocks.push({ text });
  };
  for (const image of formatted.images) {
    const file = pictures.get(image.target);
    if (file === undefined) continue;
    pushText(image.offset);
    blocks.push({ file, caption: image.alt });
    from = image.offset + image.length;
  }
  pushText(formatted.text.length);
  return blocks;
}

function partsOf(blocks: readonly Block[], words: Words): Part[] {
  const parts: Part[] = [];
  let run: FileBlock[] = [];
  const flush = (): void => {
    parts.push(...partsOfFiles(run, words));
    run = [];
  };
  for (const block of blocks) {
    if ('text' in block) {
      flush();
      parts.push(...splitText(block.text, MAX_TEXT_UNITS).map(textPart));
      continue;
    }
    const [caption = textOf(''), ...rest] = splitText(textOf(block.caption), MAX_CAPTION_UNITS);
    run.push({ file: block.file, caption: caption.text });
    if (rest.length > 0) flush();
    parts.push(...rest.map(textPart));
  }
  flush();
  return parts;
}

/** Neighbours of one kind go together, 2 to 10 at a time; one alone goes alone. */
function partsOfFiles(files: readonly FileBlock[], words: Words): Part[] {
  const parts: Part[] = [];
  let start = 0;
  while (start < files.length) {
    const first = files[start] as FileBlock;
    let end = start + 1;
    while (end < files.length && end - start < MAX_ALBUM_ITEMS && goTogether(first.file, files[end]?.file)) end += 1;
    const group = files.slice(start, end);
    parts.push(group.length === 1 ? partOfFile(first.file, first.caption, words) : albumPart(group));
    start = end;
  }
  return parts;
}

function goTogether(a: OutgoingFile, b: OutgoingFile | undefined): boolean {
  return b !== undefined && a.media === b.media && !isTooLarge(a) && !isTooLarge(b);
}

function isTooLarge(file: OutgoingFile): boolean {
  return file.bytes > MAX_UPLOAD_BYTES;
}

function albumPart(group: readonly FileBlock[]): Part {
  const media = group[0]?.file.media ?? 'document';
  const items = group.map(({ file, caption }): PartFile => ({ file: file.file, name: file.name, caption }));
  return { kind: 'album', ...unsent(), media, items };
}

function partOfFile(file: OutgoingFile, caption: string, words: Words): Part {
  if (isTooLarge(file)) return textPart(textOf(words.fileTooLarge(file.name, file.shownAs)));
  return { kind: file.media, ...unsent(), file: file.file, name: file.name, caption };
}

function textPart({ text, entities }: FormattedText): Part {
  return { kind: 'text', ...unsent(), text, entities: entities.map((entity) => ({ ...entity })) };
}

function textOf(text: string): FormattedText {
  return { text, entities: [] };
}

function unsent(): { state: 'waiting'; messageIds: number[]; at: null } {
  return { state: 'waiting', messageIds: [], at: null };
}
