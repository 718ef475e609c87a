/**
 * Owns: finding the files that an answer brings along: what it names as pictures, and what the agent left in its out folder.
 * Guarantees: only regular files whose real path lies in the working folder or the out folder; each is in the out folder, and
 *   synced, when it is told of.
 * Fails: with the disk's errors; a name that leads nowhere is no file.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { imageSize } from 'image-size';
import type { OutgoingFile } from '../core/compose-reply.ts';
import { errorCode } from '../core/failure.ts';
import { syncFile, syncFolder } from '../platform/durable-file.ts';

/** More files than this are not sent, but told of. */
const MAX_FILES = 50;
/** Bot API, sendPhoto: 10 MB; width and height together at most 10,000; at most 20 times as long as wide. */
const MAX_PHOTO_BYTES = 10_000_000;
const MAX_PHOTO_SIDES = 10_000;
const MAX_PHOTO_RATIO = 20;
const PHOTO_EXTENSIONS = new Set(['.jpg', '.jpeg', '.png', '.webp']);
/** A header that tells the dimensions lies well within this. */
const HEADER_BYTES = 512 * 1024;

export interface Places {
  /** The agent's working folder. */
  cwd: string;
  /** The request's own, `state/files/<id>`, as a real path; and the run's out folder in it. */
  folder: string;
  outFolder: string;
  home: string;
}

export interface Collected {
  pictures: Map<string, OutgoingFile>;
  files: OutgoingFile[];
  /** How many more lie in the out folder. */
  leftOut: number;
}

/** @param targets as the answer's Markdown names its pictures */
export function collectFiles(targets: readonly string[], places: Places): Collected {
  const { outFolder } = places;
  // An agent may have thrown the folder away, or put a link in its place.
  if (!isOwnFolder(outFolder)) return { pictures: new Map(), files: [], leftOut: 0 };
  const pictures = new Map<string, OutgoingFile>();
  const copies = new Map<string, string>();
  for (const target of new Set(targets)) {
    const found = findFile(target, places);
    if (found !== null) pictures.set(target, outgoing(broughtHere(found, outFolder, copies), places));
  }
  const named = new Set([...pictures.values()].map(({ file }) => join(places.folder, file)));
  const others = listFiles(outFolder).filter((path) => !named.has(path));
  const files = others.slice(0, MAX_FILES).map((path) => outgoing(path, places));
  sync([...named, ...others.slice(0, MAX_FILES)], outFolder);
  return { pictures, files, leftOut: Math.max(0, others.length - MAX_FILES) };
}

function isOwnFolder(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function sync(paths: readonly string[], outFolder: string): void {
  if (paths.length === 0) return;
  for (const path of paths) syncFile(path);
  for (const folder of new Set([outFolder, ...paths.map((path) => dirname(path))])) syncFolder(folder);
}

/** Only relative paths, and only what really lies in one of the two folders. */
function findFile(target: string, { cwd, outFolder }: Places): string | null {
  const path = decoded(target);
  if (path === '' || path.startsWith('/') || path.includes('\0')) return null;
  for (const folder of [cwd, outFolder]) {
    const found = inEitherForm(folder, path);
    if (found !== null && isInside(found, folder) && statSync(found).isFile()) return found;
  }
  return null;
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** A Korean name is written composed in one place and decomposed in another; file systems keep either. */
function inEitherForm(folder: string, path: string): string | null {
  let here = folder;
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    const next = resolve(here, step);
    here = existsSync(next) ? next : (siblingLike(here, step) ?? next);
  }
  try {
    return realpathSync(here);
  } catch {
    return null;
  }
}

function siblingLike(folder: string, name: string): string | null {
  try {
    const found = readdirSync(folder).find((one) => one.normalize('NFC') === name.normalize('NFC'));
    return found === undefined ? null : join(folder, found);
  } catch {
    return null;
  }
}

function isInside(realPath: string, folder: string): boolean {
  try {
    return realPath.startsWith(`${realpathSync(folder)}${sep}`);
  } catch {
    return false;
  }
}

/** A copy of each file that goes back stays with the request. */
function broughtHere(path: string, outFolder: string, copies: Map<string, string>): string {
  if (isInside(path, outFolder)) return path;
  const copy = copies.get(path) ?? copyUnderFreeName(path, outFolder);
  copies.set(path, copy);
  return copy;
}

function copyUnderFreeName(path: string, outFolder: string): string {
  const extension = extname(path);
  const stem = basename(path, extension);
  for (let count = 1; ; count += 1) {
    const copy = join(outFolder, count === 1 ? `${stem}${extension}` : `${stem}-${count}${extension}`);
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      chmodSync(copy, 0o600);
      return copy;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      rmSync(copy, { force: true });
      throw error;
    }
  }
}

/** Regular files below the folder in the order of their names; no links, nothing hidden. */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'));
  entries.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

function outgoing(path: string, places: Places): OutgoingFile {
  const { size } = statSync(path);
  return {
    file: relative(places.folder, path),
    name: basename(path)
      .normalize('NFC')
      .replaceAll(/[\p{Cc}"\\]/gu, '_'),
    bytes: size,
    media: isPhoto(path, size) ? 'photo' : 'document',
    shownAs: relative(places.home, path),
  };
}

/** What Telegram would refuse as a photo for a reason that can be seen from here goes as a document at once. */
function isPhoto(path: string, bytes: number): boolean {
  if (!PHOTO_EXTENSIONS.has(extname(path).toLowerCase()) || bytes > MAX_PHOTO_BYTES || bytes === 0) return false;
  try {
    const { width, height } = imageSize(headOf(path));
    const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height));
    return width + height <= MAX_PHOTO_SIDES && ratio <= MAX_PHOTO_RATIO;
  } catch {
    return false;
  }
}

function headOf(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEADER_BYTES);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
