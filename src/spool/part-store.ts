/**
 * Owns: `spool/parts/`, the messages of groups that are not sealed; `spool/seals/<group>.json`, which messages a group was
 *   sealed with; and `spool/members/<messageId>.json`, which request a message of a sealed group is in. The last two stay.
 * Guarantees: a part is durable on return; the seal comes first, and after it nothing joins.
 * Fails: the system's error unchanged; calling again makes good what was left half done.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { IncomingMessage } from '../core/admission.ts';
import { requestIdOf } from '../core/request.ts';
import { createDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';

const partSchema = z.looseObject({
  version: z.literal(1),
  group: z.string(),
  message: z.looseObject({ messageId: z.int() }),
});
const memberSchema = z.looseObject({ version: z.literal(1), requestId: z.string() });
const sealSchema = z.looseObject({
  version: z.literal(1),
  /** Null where the group was no request. */
  requestId: z.string().nullable(),
  messageIds: z.array(z.int()).min(1),
});

export interface StoredPart {
  group: string;
  message: IncomingMessage;
}

export interface Seal {
  requestId: string | null;
  messageIds: number[];
}

export class PartStore {
  readonly #home: HomeFolders;

  constructor(home: HomeFolders) {
    this.#home = home;
  }

  add(part: StoredPart): 'created' | 'exists' {
    const content = jsonText({ version: 1, ...part });
    return createDurably(this.#partPath(part.message.messageId), content, this.#home.spoolTemporary);
  }

  /** All parts of groups that are not sealed to the end, by message id. */
  parts(): StoredPart[] {
    const ids = readdirSync(this.#home.parts).flatMap((name) => requestIdOf(name) ?? []);
    return ids
      .flatMap((id) => {
        const part = readJsonFile(this.#partPath(Number(id)), partSchema);
        // What stands there was written by us, from a message that was decoded.
        return part === null ? [] : [{ group: part.group, message: part.message as unknown as IncomingMessage }];
      })
      .sort((a, b) => a.message.messageId - b.message.messageId);
  }

  removeParts(messageIds: readonly number[]): void {
    for (const id of messageIds) rmSync(this.#partPath(id), { force: true });
  }

  seal(group: string, seal: Seal): void {
    createDurably(this.#sealPath(group), jsonText({ version: 1, ...seal }), this.#home.spoolTemporary);
  }

  sealOf(group: string): Seal | null {
    const seal = readJsonFile(this.#sealPath(group), sealSchema);
    return seal === null ? null : { requestId: seal.requestId, messageIds: seal.messageIds };
  }

  /** Which request the message is in; for ever. */
  addMember(messageId: number, requestId: string): 'created' | 'exists' {
    const content = jsonText({ version: 1, requestId });
    return createDurably(this.#memberPath(messageId), content, this.#home.spoolTemporary);
  }

  requestOf(messageId: number): string | null {
    return readJsonFile(this.#memberPath(messageId), memberSchema)?.requestId ?? null;
  }

  #partPath(messageId: number): string {
    return join(this.#home.parts, `${messageId}.json`);
  }

  #sealPath(group: string): string {
    return join(this.#home.seals, `${group}.json`);
  }

  #memberPath(messageId: number): string {
    return join(this.#home.members, `${messageId}.json`);
  }
}
