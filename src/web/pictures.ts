/**
 * Owns: finding and giving out the pictures of a request, which its receipt names; nothing else of the home is given out.
 * Guarantees: only regular files whose real path lies in `in/` or `out/` of this request, and whose first bytes are those of a
 *   picture that runs nothing (no SVG); an agent's link leads nowhere.
 * Fails: by null.
 */
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join, sep } from 'node:path';
import type { Part, PartFile, Receipt } from '../core/receipt.ts';
import type { HomeFolders } from '../platform/home-folders.ts';

export type Side = 'in' | 'out';

export interface Picture {
  handle: FileHandle;
  mime: string;
  bytes: number;
  /** The same for as long as the file is. */
  tag: string;
}

const MAX_BYTES = 50 * 1024 * 1024;
const MAGIC_BYTES = 12;

/** What came with a request and what goes back, each in the order that its index counts. */
export function filesOf(receipt: Receipt | null, side: Side): string[] {
  if (side === 'in') return (receipt?.attachments ?? []).map(({ file }) => file ?? '');
  return (receipt?.reply?.parts ?? []).flatMap((part) => itemsOf(part).map(({ file }) => file));
}

export function itemsOf(part: Part): PartFile[] {
  if (part.kind === 'text') return [];
  return part.kind === 'album' ? part.items : [part];
}

/** Open; who asked closes it. */
export async function openPicture(
  { files }: HomeFolders,
  receipt: Receipt | null,
  { id, side, index }: { id: string; side: Side; index: number },
): Promise<Picture | null> {
  const name = filesOf(receipt, side)[index];
  if (name === undefined || name === '' || name.includes('\0')) return null;
  let handle: FileHandle | null = null;
  try {
    const path = await realpath(join(files, id, name));
    if (!path.startsWith(join(await realpath(files), id, side) + sep)) return null;
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = await handle.stat();
    const mime = status.isFile() && status.size <= MAX_BYTES ? await mimeOf(handle) : null;
    if (mime !== null)
      return { handle, mime, bytes: status.size, tag: `"${status.ino}-${status.mtimeMs}-${status.size}"` };
  } catch {
    // gone, or not ours to read
  }
  await handle?.close();
  return null;
}

async function mimeOf(handle: FileHandle): Promise<string | null> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
  const magic = buffer.subarray(0, bytesRead).toString('latin1');
  if (magic.startsWith('\u0089PNG\r\n')) return 'image/png';
  if (magic.startsWith('\u00FF\u00D8\u00FF')) return 'image/jpeg';
  if (/^GIF8[79]a/u.test(magic)) return 'image/gif';
  return /^RIFF[^]{4}WEBP/u.test(magic) ? 'image/webp' : null;
}
