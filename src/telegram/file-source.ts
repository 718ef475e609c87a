/**
 * Owns: fetching a file that a person sent (Bot API `getFile`).
 * Guarantees: a file is whole, by every size that was announced, or there is none; the address, which holds the token, stands
 *   in no error.
 * Fails: by its outcome.
 */
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GrammyError } from 'grammy';
import type { FetchOutcome } from '../core/ports.ts';
import { errorCode } from '../core/failure.ts';
import { isRefusedFor } from '../core/system-refusal.ts';
import { linkedAbort } from '../platform/linked-abort.ts';
import { type TelegramAccess, asGrammySignal, openConnection, reasonOf } from './connection.ts';

const CALL_TIMEOUT_MS = 20_000;
/** A transfer that brings nothing for so long is dead. */
const SILENCE_MS = 30_000;

export interface WantedFile {
  fileId: string;
  /** As the message announced it; null where it did not. */
  bytes: number | null;
}

/** @param path final place; written beside it first, synced, and renamed when it is whole */
export async function fetchFile(
  access: TelegramAccess,
  wanted: WantedFile,
  path: string,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): Promise<FetchOutcome> {
  const connection = openConnection(access, CALL_TIMEOUT_MS);
  try {
    const file = await connection.api.getFile(wanted.fileId, asGrammySignal(signal));
    if (file.file_path === undefined) return { kind: 'refused', reason: 'Telegram names no place for it' };
    const expected = [wanted.bytes, file.file_size ?? null].filter((bytes) => bytes !== null);
    return await transfer(
      `${access.apiRoot}/file/bot${access.token}/${file.file_path}`,
      expected,
      path,
      signal,
      silenceMs,
    );
  } catch (error) {
    return fateOfCall(error, connection.left);
  } finally {
    connection.close();
  }
}

async function transfer(
  address: string,
  expected: readonly number[],
  path: string,
  signal: AbortSignal,
  silenceMs: number,
): Promise<FetchOutcome> {
  const partial = `${path}.part`;
  const stop = linkedAbort(signal);
  let timer = setTimeout(stop.abort, silenceMs);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(stop.abort, silenceMs);
  };
  try {
    const response = await fetch(address, { signal: stop.signal, redirect: 'error' });
    if (!response.ok || response.body === null) return fateOfStatus(response.status);
    const body = Readable.fromWeb(response.body);
    body.on('data', heard);
    await pipeline(body, createWriteStream(partial, { mode: 0o600 }));
    const { size } = await stat(partial);
    const told = response.headers.get('content-length');
    const declared = told === null ? null : Number(told);
    const wrong = [...expected, declared ?? size].find((bytes) => bytes !== size);
    if (wrong !== undefined) {
      return { kind: 'again', reason: `${size} of ${wrong} bytes came`, reached: true, isWhole: declared === size };
    }
    await sync(partial);
    await rename(partial, path);
    return { kind: 'fetched', bytes: size };
  } catch (error) {
    if (isLocal(error)) throw error;
    return { kind: 'again', reason: causeOf(error), reached: stop.signal.aborted || !isUnreachable(error) };
  } finally {
    clearTimeout(timer);
    stop.unlink();
    await rm(partial, { force: true });
  }
}

function fateOfCall(error: unknown, left: boolean): FetchOutcome {
  if (isLocal(error)) throw error;
  if (!(error instanceof GrammyError)) return { kind: 'again', reason: reasonOf(error), reached: left };
  if (error.error_code === 429) {
    return {
      kind: 'again',
      reason: error.description,
      reached: true,
      retryAfterMs: (error.parameters.retry_after ?? 1) * 1000,
    };
  }
  const isRefusal = error.error_code >= 400 && error.error_code < 500;
  if (isRefusal && /too big/iu.test(error.description)) return { kind: 'too-large' };
  if (isRefusal) return { kind: 'refused', reason: `${error.error_code} ${error.description}` };
  return { kind: 'again', reason: `${error.error_code} ${error.description}`, reached: true };
}

/** A place that is gone may have moved: the next try asks for it anew. */
function fateOfStatus(status: number): FetchOutcome {
  return { kind: 'again', reason: `answered ${status}`, reached: true };
}

/** Our own disk, not the line. */
function isLocal(error: unknown): boolean {
  return isRefusedFor(error, 'room', 'handles', 'disk', 'access');
}

function isUnreachable(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    codeOf(error),
  );
}

function causeOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== '') return code;
  return error instanceof Error ? error.name : 'network error';
}

/** `fetch` wraps what happened in a TypeError. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorCode(cause) ?? errorCode(error) ?? '';
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
