/**
 * Owns: `spool/requests/` and `spool/pending/`.
 * Guarantees: a request stands under its id whole and durable, or not at all; it is created once and never changed.
 * Fails: the system's error unchanged; calling again then makes good whatever was left half done.
 */
import { linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../core/failure.ts';
import {
  MAX_REQUEST_BYTES,
  type ParsedRequest,
  type Request,
  byId,
  parseRequest,
  requestIdOf,
} from '../core/request.ts';
import {
  createDurably,
  removeQuietly,
  syncFolder,
  syncFolderBeside,
  writeTemporaries,
  writeTemporary,
} from '../platform/durable-file.ts';
import { slicesOfNames } from '../platform/folder-names.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText } from '../platform/json-file.ts';
import { readRegularFile } from '../platform/regular-file.ts';

export type StoredRequest = ParsedRequest | { ok: false; code: 'absent'; message: string };

/** A request whose file is written and synced, and has no name yet. */
export interface Draft {
  request: Request;
  temporary: string;
}

export class RequestStore {
  readonly #home: HomeFolders;
  readonly #chatId: number;
  #hasNewNames = false;

  constructor(home: HomeFolders, chatId: number) {
    this.#home = home;
    this.#chatId = chatId;
  }

  /** Temporary files of requests that are to be placed soon, each written and synced; by id. */
  async draft(requests: readonly Request[]): Promise<Map<string, Draft>> {
    const unique = [...new Map(requests.map((request) => [request.id, request])).values()];
    const paths = await writeTemporaries(unique.map(jsonText), this.#home.spoolTemporary);
    return new Map(unique.map((request, index) => [request.id, { request, temporary: paths[index] as string }]));
  }

  /**
   * Gives the request its names, which become durable with `syncNames`. The link counts: it fails where the id is taken,
   * also by another process at the same instant.
   */
  place(request: Request, draft?: Draft): 'created' | 'exists' {
    const temporary = draft?.temporary ?? writeTemporary(jsonText(request), this.#home.spoolTemporary);
    try {
      linkSync(temporary, this.#requestPath(request.id));
    } catch (error) {
      removeQuietly(temporary);
      if (errorCode(error) !== 'EEXIST') throw error;
      return 'exists';
    }
    this.#hasNewNames = true;
    try {
      // Renamed, not linked and removed: one change to the folder that is watched. Where a consumer that starts just now has
      // made this very link first, it does nothing (rename(2)), and the temporary name stays until it is swept.
      renameSync(temporary, this.#pendingPath(request.id));
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    }
    return 'created';
  }

  /** Makes durable every name placed since; those of a whole batch by two syncs, for which the disk is waited once. */
  async syncNames(): Promise<void> {
    if (!this.#hasNewNames) return;
    // Before the wait: what is placed meanwhile needs the next.
    this.#hasNewNames = false;
    const pending = syncFolderBeside(this.#home.pending);
    // Awaited below; until then its failure is no unhandled one.
    pending.catch(() => undefined);
    try {
      syncFolder(this.#home.requests);
      await pending;
    } catch (error) {
      this.#hasNewNames = true;
      throw error;
    }
  }

  /**
   * For who is about to claim: the pending name that it saw may not be durable yet, and a claim that outlived it in a power
   * cut would be looked at by nobody.
   */
  syncPending(): Promise<void> {
    return syncFolderBeside(this.#home.pending);
  }

  discard(draft: Draft): void {
    removeQuietly(draft.temporary);
  }

  /** For a request that exists and is not settled: what a crash after the link left undone is done now. */
  ensurePending(id: string): void {
    try {
      linkSync(this.#requestPath(id), this.#pendingPath(id));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      if (errorCode(error) === 'EPERM') this.#putName(id);
      else if (errorCode(error) !== 'EEXIST') throw error;
    }
    syncFolder(this.#home.requests);
    syncFolder(this.#home.pending);
  }

  /** Not synced: a name that comes back after a power cut is looked at and removed again. */
  removePending(id: string): void {
    rmSync(this.#pendingPath(id), { force: true, recursive: true });
  }

  /** Ids that are not settled, in the order in which they run. */
  pendingIds(): string[] {
    return readdirSync(this.#home.pending)
      .flatMap((name) => requestIdOf(name) ?? [])
      .sort(byId);
  }

  has(id: string): boolean {
    return this.read(id).ok;
  }

  read(id: string): StoredRequest {
    const file = readRegularFile(this.#requestPath(id), MAX_REQUEST_BYTES);
    if (file.kind === 'absent')
      return { ok: false, code: 'absent', message: `spool/requests/${id}.json: no such file` };
    if (file.kind === 'not-a-file') {
      return { ok: false, code: 'not-a-file', message: `${id}.json: expected a regular file, found something else` };
    }
    if (file.kind === 'too-large') {
      return {
        ok: false,
        code: 'too-large',
        message: `${id}.json: expected at most ${MAX_REQUEST_BYTES} bytes, found ${file.bytes}`,
      };
    }
    return parseRequest(file.bytes.toString('utf8'), id, this.#chatId);
  }

  /** Every name in `requests/` that is a request's, a thousand at a time; names only, in the order of the folder. */
  async *slicesOfIds(): AsyncGenerator<string[]> {
    for await (const names of slicesOfNames(this.#home.requests))
      yield names.flatMap((name) => requestIdOf(name) ?? []);
  }

  /** What cannot be linked (a folder, a stranger's file) still needs its name here, so that it is looked at and rejected. */
  #putName(id: string): void {
    createDurably(this.#pendingPath(id), '', this.#home.spoolTemporary);
  }

  #requestPath(id: string): string {
    return join(this.#home.requests, `${id}.json`);
  }

  #pendingPath(id: string): string {
    return join(this.#home.pending, `${id}.json`);
  }
}
