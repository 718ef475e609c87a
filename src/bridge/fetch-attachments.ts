/**
 * Owns: getting a request's attachments before its claim; that may be repeated freely.
 * Guarantees: a file stands under a name of our own, whole; the original name stays data.
 * Fails: by what it tells of each file; throws the disk's errors.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FetchOutcome, FetchProblem } from '../core/ports.ts';
import type { FetchedAttachment } from '../core/receipt.ts';
import type { Attachment, Request } from '../core/request.ts';
import { WakingTime, pause } from '../platform/clock.ts';

/** Bot API: the most that `getFile` gives out, in bytes. */
const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;
/** How long a request's files are tried that Telegram does give out; time without any line does not count. */
const PATIENCE_MS = 15 * 60_000;
const LONGEST_WAIT_MS = 30_000;

export type FetchFile = (
  wanted: { fileId: string; bytes: number | null },
  path: string,
  signal: AbortSignal,
) => Promise<FetchOutcome>;

export interface FetchPorts {
  fetchFile: FetchFile;
  /** Told of what goes wrong while it is tried again. */
  onTrouble: (words: string) => void;
  signal: AbortSignal;
}

/** @param folder `state/files/<id>`; null is returned where the signal came first */
export async function fetchAttachments(
  request: Request,
  folder: string,
  ports: FetchPorts,
): Promise<FetchedAttachment[] | null> {
  const { signal } = ports;
  if (request.attachments.length === 0) return [];
  const inFolder = join(folder, 'in');
  mkdirSync(inFolder, { recursive: true, mode: 0o700 });
  const names = request.attachments.map((attachment, index) => `${index + 1}${extensionOf(attachment)}`);
  removeOthers(inFolder, names);
  const results: FetchedAttachment[] = [];
  const waking = new WakingTime();
  for (const [index, attachment] of request.attachments.entries()) {
    const name = names[index] as string;
    const outcome = await fetchOne(attachment, join(inFolder, name), { ...ports, waking });
    if (signal.aborted) return null;
    const { kind, name: original, bytes } = attachment;
    const base = { kind, name: original };
    if (outcome.problem === null) results.push({ ...base, file: `in/${name}`, bytes: outcome.bytes, problem: null });
    else results.push({ ...base, file: null, bytes, problem: outcome.problem });
  }
  return results;
}

/** True where the request would come to the agent without a word and without a file. */
export function isNothingLeft(request: Request, attachments: readonly FetchedAttachment[]): boolean {
  const hasWords = request.text.trim() !== '' || (request.replyTo?.text ?? '').trim() !== '';
  return !hasWords && attachments.length > 0 && attachments.every(({ file }) => file === null);
}

type Fetched = { problem: null; bytes: number } | { problem: FetchProblem };

async function fetchOne(
  attachment: Attachment,
  path: string,
  { fetchFile, signal, waking, onTrouble }: FetchPorts & { waking: WakingTime },
): Promise<Fetched> {
  if ((attachment.bytes ?? 0) > MAX_DOWNLOAD_BYTES) return { problem: 'too-large' };
  // What stands there came whole before a crash.
  if (existsSync(path)) return { problem: null, bytes: statSync(path).size };
  let waitMs = 500;
  let formerReason = '';
  while (!signal.aborted) {
    const outcome = await fetchFile(attachment, path, signal);
    if (outcome.kind === 'fetched') return { problem: null, bytes: outcome.bytes };
    if (outcome.kind !== 'again') return { problem: outcome.kind };
    if (waking.spentMs >= PATIENCE_MS) return { problem: 'incomplete' };
    // Twice the same wrong size, told as the whole: it will not become another one.
    if (outcome.isWhole === true && outcome.reason === formerReason) return { problem: 'incomplete' };
    formerReason = outcome.reason;
    onTrouble(`file ${basename(path)}: ${outcome.reason}; trying again`);
    const restMs = Math.max(waitMs, outcome.retryAfterMs ?? 0);
    const rest = (): Promise<void> => pause(restMs, signal);
    // Time without any line speaks against no file.
    await (outcome.reached ? waking.during(restMs, rest) : rest());
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
  return { problem: 'incomplete' };
}

/** The agent is to find the attachments there, and nothing else. */
function removeOthers(folder: string, names: readonly string[]): void {
  for (const name of readdirSync(folder))
    if (!names.includes(name)) rmSync(join(folder, name), { force: true, recursive: true });
}

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'image/heic': '.heic',
  'image/heif': '.heif',
  'application/pdf': '.pdf',
  'audio/ogg': '.ogg',
  'audio/mpeg': '.mp3',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
  'text/plain': '.txt',
  'text/markdown': '.md',
};

/** The extension of the original name, if it is a plain one; else that of its announced type. */
function extensionOf({ name, mime, kind }: Attachment): string {
  const own = /\.[A-Za-z0-9]{1,8}$/u.exec(name ?? '')?.[0];
  if (own !== undefined) return own.toLowerCase();
  if (kind === 'sticker') return EXTENSIONS[mime ?? ''] ?? '.webp';
  if (kind === 'voice') return EXTENSIONS[mime ?? ''] ?? '.ogg';
  return EXTENSIONS[mime ?? ''] ?? (kind === 'photo' ? '.jpg' : '');
}
