/**
 * Owns: `state/conversations/<id>.json`: which runs a conversation had, in the order of their claims.
 * Guarantees: a run is named durably before its claim; one that is named and was never claimed does no harm. An index: all
 *   of it stands in requests and receipts too.
 * Fails: the system's error unchanged. A file that cannot be read counts as empty.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { requestIdSchema } from '../core/request.ts';
import { replaceDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';

const MAX_BYTES = 16 * 1024 * 1024;

const indexSchema = z.looseObject({ version: z.literal(1), runsOf: z.array(requestIdSchema) });

export class ConversationIndex {
  readonly #home: HomeFolders;

  constructor(home: HomeFolders) {
    this.#home = home;
  }

  /** Ids of the requests whose runs followed the opening one's first; the latest last, one id a run. */
  runsOf(conversation: string): string[] {
    return readJsonFile(this.#path(conversation), indexSchema, MAX_BYTES)?.runsOf ?? [];
  }

  append(conversation: string, requestId: string): void {
    const content = { version: 1, runsOf: [...this.runsOf(conversation), requestId] };
    replaceDurably(this.#path(conversation), jsonText(content), this.#home.stateTemporary);
  }

  #path(conversation: string): string {
    return join(this.#home.conversations, `${conversation}.json`);
  }
}
