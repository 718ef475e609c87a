/** The files that Telegram keeps for the bot: those a person sent and those the bot sent. */
import { createHash } from 'node:crypto';
import type { Document, PhotoSize } from './bot-api.ts';
import { imageSize } from './image-size.ts';

export interface FileFacts {
  name?: string;
  mime?: string;
  /** What Telegram says its size is, for files too big to be made in a test; null leaves the size out. */
  size?: number | null;
  width?: number;
  height?: number;
}

export interface StoredFile extends FileFacts {
  id: string;
  uniqueId: string;
  path: string;
  content: Buffer;
}

export interface Files {
  readonly count: number;
  /** Keeps the bytes and gives the id under which photos and documents name them. */
  add(content: Buffer, facts?: FileFacts): StoredFile;
  get(id: string): StoredFile | undefined;
  at(path: string): StoredFile | undefined;
}

export function createFiles(): Files {
  const byId = new Map<string, StoredFile>();
  const byPath = new Map<string, StoredFile>();
  return {
    get count() {
      return byId.size;
    },
    add(content, facts = {}) {
      const number = byId.size;
      const digest = createHash('sha256')
        .update(content)
        .update(`${facts.size ?? ''}`)
        .digest('base64url');
      const size = imageSize(content);
      const folder = (size ?? facts).width === undefined ? 'documents' : 'photos';
      const file = {
        ...size,
        ...facts,
        id: `BQACAgIAAxkBAAI${number}${digest.slice(0, 40)}`,
        uniqueId: `AgAD${digest.slice(0, 11)}`,
        path: `${folder}/file_${number}${extension(facts.name)}`,
        content,
      };
      byId.set(file.id, file);
      byPath.set(file.path, file);
      return file;
    },
    get: (id) => byId.get(id),
    at: (path) => byPath.get(path),
  };
}

function extension(name: string | undefined): string {
  return /\.[a-z0-9]{1,8}$/iu.exec(name ?? '')?.[0] ?? '';
}

export function documentOf(file: StoredFile): Document {
  return {
    ...fileObject(file),
    ...(file.name === undefined ? {} : { file_name: file.name }),
    ...(file.mime === undefined ? {} : { mime_type: file.mime }),
  };
}

/** Of a photo whose bytes tell no size. */
export const ANY_SIZE = { width: 800, height: 600 };

/** A thumbnail first and the photo itself last, as Telegram lists them. */
export function photoOf(files: Files, file: StoredFile): PhotoSize[] {
  const { width, height } = { ...ANY_SIZE, ...file };
  const thumbnail = files.add(Buffer.from(`thumbnail of ${file.id}`));
  const scale = 90 / Math.max(width, height);
  const small = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  return [
    { ...fileObject(thumbnail), ...small },
    { ...fileObject(file), width, height },
  ];
}

export function fileObject(file: StoredFile): { file_id: string; file_unique_id: string; file_size?: number } {
  const size = statedSize(file);
  return { file_id: file.id, file_unique_id: file.uniqueId, ...(size === undefined ? {} : { file_size: size }) };
}

/** The size Telegram tells of a file; undefined where it tells none. */
export function statedSize(file: StoredFile): number | undefined {
  return file.size === undefined ? file.content.length : (file.size ?? undefined);
}
