/**
 * Owns: `spool/parts/`, the messages of groups that are not sealed; `spool/seals/<group>.json`, which messages a group was
 *   sealed with; and `spool/members/<messageId>.json`, which request a message of a sealed group is in. The last two stay.
 * Guarantees: a part is durable on return; the seal comes first, and after it nothing joins.
 * Fails: the system's error unchanged; calling again makes good what was left half done.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { IncomingMessage } from '../core/admission.ts';
import { errorCode } from '../core/failure.ts';
import { attachmentSchema, requestIdOf, requestIdSchema } from '../core/request.ts';
import { createDurably, syncFolder } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';

const textOrNull = z.string().nullable();
/** A message as `telegram/decode` makes it: what is gathered later rests on each of its fields. */
const messageSchema = z.looseObject({
  chatId: z.int(),
  isPrivate: z.boolean(),
  messageId: z.int().positive(),
  threadId: z.int().nullable(),
  from: z.looseObject({ id: z.int(), name: z.string(), language: textOrNull, isBot: z.boolean() }).nullable(),
  onBehalfOfChat: z.boolean(),
  isForwarded: z.boolean(),
  text: z.string(),
  command: z.looseObject({ name: z.string(), mention: textOrNull, rest: z.string() }).nullable(),
  replyTo: z
    .looseObject({
      messageId: z.int(),
      fromThisBot: z.boolean(),
      text: z.string(),
      attachments: z.array(attachmentSchema),
    })
    .nullable(),
  attachments: z.array(attachmentSchema),
  mediaGroupId: textOrNull,
  unsupported: textOrNull,
  date: z.int(),
});
/** As `core/group.ts` names them; a group's name becomes a file name. */
const groupName = z.string().regex(/^(?:album-\w{0,64}|paste-\d{1,16})$/u);

const partSchema = z.looseObject({ version: z.literal(1), group: groupName, message: messageSchema });
const memberSchema = z.looseObject({ version: z.literal(1), requestId: requestIdSchema });
const sealSchema = z.looseObject({
  version: z.literal(1),
  /** Null where the group was no request. */
  requestId: requestIdSchema.nullable(),
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
        const part = this.#read(Number(id));
        return part === null ? [] : [part];
      })
      .sort((a, b) => a.message.messageId - b.message.messageId);
  }

  /** Ids of files in the place of parts that are none; those of `known` need not be looked at. */
  damagedIds(known: (messageId: number) => boolean): number[] {
    const ids = readdirSync(this.#home.parts).flatMap((name) => requestIdOf(name) ?? []);
    return ids.map(Number).filter((id) => !known(id) && this.#read(id) === null);
  }

  /** Moves it to `spool/unread/`; returns its name there. */
  setAside(messageId: number): string {
    const name = `part-${messageId}`;
    try {
      renameSync(this.#partPath(messageId), join(this.#home.unread, `${name}.json`));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    syncFolder(this.#home.unread);
    syncFolder(this.#home.parts);
    return name;
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

  #read(messageId: number): StoredPart | null {
    const part = readJsonFile(this.#partPath(messageId), partSchema);
    if (part === null || part.message.messageId !== messageId) return null;
    return { group: part.group, message: part.message };
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
