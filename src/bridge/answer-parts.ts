/**
 * Owns: from what a run printed and left behind to the parts of its reply.
 * Guarantees: every file that a part names is on disk, synced, before the reply is recorded.
 * Fails: with the disk's errors; it may be repeated.
 */
import { join, relative } from 'node:path';
import { type Composed, type OutgoingFile, composeReply } from '../core/compose-reply.ts';
import type { RunOutcome } from '../core/ports.ts';
import type { Reply } from '../core/receipt.ts';
import { cleanText } from '../core/reply/clean-text.ts';
import { formatMarkdown } from '../core/reply/format-markdown.ts';
import type { Words } from '../core/words.ts';
import type { RunFiles } from '../state/run-files.ts';
import { collectFiles } from './collect-files.ts';

export interface AnswerPlaces {
  /** Real path of the home. */
  home: string;
  /** The agent's working folder. */
  cwd: string;
  files: RunFiles;
}

/** Null where the agent gave neither text nor files. */
export function replyOf(
  outcome: RunOutcome & { kind: 'answered' },
  requestId: string,
  run: number,
  { home, cwd, files }: AnswerPlaces,
  words: Words,
  recovered = false,
): Reply | null {
  const folder = files.folder(requestId);
  const kept = (file: string, bytes: number): OutgoingFile => {
    return { file, bytes, name: 'reply.md', media: 'document', shownAs: relative(home, join(folder, file)) };
  };
  const markdown = cleanText(outcome.markdown);
  const formatted = formatMarkdown(markdown);
  const outFolder = files.outFolder(requestId, run);
  const targets = formatted.images.map(({ target }) => target);
  const collected = collectFiles(targets, { home, cwd, outFolder, folder });
  const output = `run-${run}.out`;
  const composed: Composed = composeReply(
    {
      markdown,
      formatted,
      pictures: collected.pictures,
      files: collected.files,
      recovered,
      note: outcome.note ?? null,
      leftOut: collected.leftOut === 0 ? null : { count: collected.leftOut, folder: relative(home, outFolder) },
      whole: outcome.whole === null ? null : kept(output, files.sync(requestId, output)),
      replyFile: kept(`reply-${run}.md`, Buffer.byteLength(markdown)),
    },
    words,
  );
  if (composed.kind === 'empty') return null;
  if (composed.reply.parts.some(({ kind }) => kind !== 'text')) files.syncNames(requestId);
  if (composed.keepReply) files.keepReply(requestId, `reply-${run}.md`, composed.reply.markdown);
  return recovered ? { ...composed.reply, recovered } : composed.reply;
}
