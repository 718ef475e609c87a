/**
 * Owns: `state/links/<botMessageId>.json`: which request a message of the bot belongs to.
 * Guarantees: durable on return; written once, since a message never changes its request, and again only where it was damaged.
 * Fails: the system's error unchanged. A link that cannot be read counts as none.
 */
import { opendirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConversationLink } from '../core/admission.ts';
import { requestIdSchema } from '../core/request.ts';
import { createDurably, replaceDurably } from '../platform/durable-file.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';

const linkSchema = z.looseObject({
  version: z.literal(1),
  requestId: requestIdSchema,
  conversation: requestIdSchema,
});

export class LinkStore {
  readonly #home: HomeFolders;

  constructor(home: HomeFolders) {
    this.#home = home;
  }

  write(botMessageId: number, link: ConversationLink): void {
    const content = jsonText({ version: 1, ...link });
    const path = this.#path(botMessageId);
    const { stateTemporary } = this.#home;
    // One that stands and cannot be read was damaged by a hand: it is made good.
    if (createDurably(path, content, stateTemporary) === 'exists' && this.read(botMessageId) === null)
      replaceDurably(path, content, stateTemporary);
  }

  read(botMessageId: number): ConversationLink | null {
    const link = readJsonFile(this.#path(botMessageId), linkSchema);
    return link === null ? null : { requestId: link.requestId, conversation: link.conversation };
  }

  isEmpty(): boolean {
    const folder = opendirSync(this.#home.links);
    try {
      return folder.readSync() === null;
    } finally {
      folder.closeSync();
    }
  }

  #path(botMessageId: number): string {
    return join(this.#home.links, `${botMessageId}.json`);
  }
}
