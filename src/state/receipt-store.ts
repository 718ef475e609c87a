/**
 * Owns: the receipts, `state/<messageId>.json`, and `state/damaged/`.
 * Guarantees: the first receipt of an id is created exclusively, later ones replace it whole; a reader never sees half a
 *   file, and a receipt that cannot be read never counts as none.
 * Fails: the system's error unchanged; the former receipt then stands.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../core/failure.ts';
import { REWRITABLE_DEPTH, issueWords, parseJson, versionOf } from '../core/json.ts';
import { requestIdOf } from '../core/request.ts';
import { type Receipt, inconsistency, receiptSchema } from '../core/receipt.ts';
import { createDurably, replaceDurably, syncFolder } from '../platform/durable-file.ts';
import { namesIn, slicesOfNames } from '../platform/folder-names.ts';
import type { HomeFolders } from '../platform/home-folders.ts';
import { jsonText } from '../platform/json-file.ts';
import { readRegularFile } from '../platform/regular-file.ts';

/** A receipt holds each run's reply twice, as Markdown and as parts; a larger file is damaged. */
const MAX_RECEIPT_BYTES = 64 * 1024 * 1024;

export type StoredReceipt =
  | { kind: 'none' }
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'damaged'; cause: string; bytes: Buffer }
  /** Written by a later version of this program: not ours to judge. */
  | { kind: 'from-the-future'; version: number };

export class ReceiptStore {
  readonly #home: HomeFolders;

  constructor(home: HomeFolders) {
    this.#home = home;
  }

  /** @throws the system's error for what is there and cannot be read (EACCES, EIO), and `file-unreadable` for a folder */
  read(id: string): StoredReceipt {
    const path = this.#path(id);
    const file = readRegularFile(path, MAX_RECEIPT_BYTES);
    if (file.kind === 'absent') return { kind: 'none' };
    if (file.kind !== 'file') {
      throw new BridgeError(
        'file-unreadable',
        `${path}: expected a receipt, found ${file.kind === 'too-large' ? 'a file too large for one' : 'no regular file'}`,
        {
          hint: 'Move it away by hand; until then the request is left alone.',
        },
      );
    }
    return parseReceipt(file.bytes, id);
  }

  /** The claim: of all that ever try, for one id, exactly one gets `created`. */
  create(receipt: Receipt): 'created' | 'exists' {
    return createDurably(this.#path(receipt.id), serialise(receipt), this.#home.stateTemporary);
  }

  replace(receipt: Receipt): void {
    replaceDurably(this.#path(receipt.id), serialise(receipt), this.#home.stateTemporary);
  }

  /** For a receipt that stands, and of which it is not known whether its name is durable. */
  syncNames(): void {
    syncFolder(this.#home.state);
  }

  /** A copy of what could not be read is kept before its place is taken. */
  setAside(id: string, bytes: Buffer, at: string): string {
    const name = `${id}-${at.replaceAll(/[:.]/gu, '-')}.json`;
    createDurably(join(this.#home.damaged, name), bytes, this.#home.stateTemporary);
    return name;
  }

  /** Throws the system's error where it cannot be told. */
  isAbsent(id: string): boolean {
    return lstatSync(this.#path(id), { throwIfNoEntry: false }) === undefined;
  }

  /** Every id that has a receipt, a thousand at a time; names only, in the order of the folder. */
  async *slicesOfIds(): AsyncGenerator<string[]> {
    for await (const names of slicesOfNames(this.#home.state)) yield names.flatMap((name) => requestIdOf(name) ?? []);
  }

  /** The same one by one, without a pause, for a command that ends with it. */
  *ids(): Generator<string> {
    for (const name of namesIn(this.#home.state)) {
      const id = requestIdOf(name);
      if (id !== null) yield id;
    }
  }

  #path(id: string): string {
    return join(this.#home.state, `${id}.json`);
  }
}

function parseReceipt(bytes: Buffer, id: string): StoredReceipt {
  const damaged = (cause: string): StoredReceipt => ({ kind: 'damaged', cause, bytes });
  const json = parseJson(bytes.toString('utf8'), REWRITABLE_DEPTH);
  if (!json.ok) return damaged(`expected one JSON object, found ${json.found}`);
  const version = versionOf(json.value);
  if (typeof version === 'number' && version > 1) return { kind: 'from-the-future', version };
  const parsed = receiptSchema.safeParse(json.value);
  if (!parsed.success) return damaged(issueWords(parsed.error, json.value));
  if (parsed.data.id !== id) return damaged(`expected id ${id}, found ${parsed.data.id}`);
  const wrong = inconsistency(parsed.data);
  return wrong === null ? { kind: 'receipt', receipt: parsed.data } : damaged(wrong);
}

/** Read back before it touches the disk: a file that we could not read ourselves must not replace one that we can. */
function serialise(receipt: Receipt): string {
  const text = jsonText(receipt);
  receiptSchema.parse(JSON.parse(text));
  return text;
}
