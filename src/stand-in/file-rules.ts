/** What Telegram takes and gives as files (https://core.telegram.org/bots/api#sending-files). */
import { statedSize, type StoredFile } from './files.ts';
import { imageSize } from './image-size.ts';
import { badRequest, Refusal } from './refusal.ts';

const MIB = 1024 * 1024;

/** Bots may download files of up to 20 MB (https://core.telegram.org/bots/api#getfile). */
export function refuseUnlessDownloadable(file: StoredFile): void {
  if ((statedSize(file) ?? file.content.length) > 20 * MIB) throw badRequest('file is too big');
}

export function refuseBadPhoto(content: Buffer): void {
  if (content.length === 0) throw badRequest('file must be non-empty');
  if (content.length > 10 * MIB) {
    const limit = 'is too big for a photo; the maximum size is 10485760 bytes';
    throw badRequest(`file of size ${content.length} bytes ${limit}`);
  }
  const size = imageSize(content);
  if (size === undefined || size.width === 0 || size.height === 0) throw badRequest('IMAGE_PROCESS_FAILED');
  const ratio = Math.max(size.width / size.height, size.height / size.width);
  if (size.width + size.height > 10_000 || ratio > 20) throw badRequest('PHOTO_INVALID_DIMENSIONS');
}

export function refuseBadDocument(content: Buffer): void {
  if (content.length === 0) throw badRequest('file must be non-empty');
  if (content.length > 50 * MIB) throw new Refusal(413, 'Request Entity Too Large');
}
