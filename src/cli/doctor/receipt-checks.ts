/** Receipts and waiting requests that cannot be read. Of very many, the open and the newest are read, and the count is told. */
import { existsSync, readdirSync } from 'node:fs';
import { errorWords } from '../../core/failure.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { RequestStore } from '../../spool/request-store.ts';
import { ReceiptStore } from '../../state/receipt-store.ts';
import type { Examined } from './examined.ts';
import { type Finding, fine, someOf, wrong } from './finding.ts';

/** What a person waits for without wondering; the names of 1,000,000 receipts take another second. */
const READING_MS = 3_000;
/** However slow the disk is. */
const LEAST_READ = 200;

export async function receipts({ folders, settings, thorough }: Examined, readingMs = READING_MS): Promise<Finding> {
  const what = 'receipts';
  if (!existsSync(folders.state)) return fine(what, 'none yet');
  const store = new ReceiptStore(folders);
  const ids = await newestFirst(store);
  const open = existsSync(folders.pending) ? new RequestStore(folders, settings.telegram.chatId).pendingIds() : [];
  const faults: string[] = [];
  const begun = monotonicMs();
  let read = 0;
  for (const id of thorough ? ids : [...open, ...ids]) {
    if (!thorough && read >= LEAST_READ + open.length && monotonicMs() - begun > readingMs) break;
    read += 1;
    const fault = faultOf(store, id);
    if (fault !== null) faults.push(`${id} (${fault})`);
  }
  const count = Math.min(read, ids.length);
  const counted =
    count === ids.length ? `all ${count} read` : `the newest ${count} of ${ids.length} read; --all reads the rest`;
  const unique = [...new Set(faults)];
  if (unique.length === 0) return fine(what, `${counted}${asideWords(folders.damaged)}`);
  return wrong(
    what,
    `cannot be read: ${someOf(unique)} (${counted})`,
    'The consumer sets damaged ones aside when it starts, and asks you about their requests; one of a later version needs that version.',
  );
}

export function waitingRequests({ folders, settings }: Examined): Finding {
  const what = 'waiting requests';
  if (!existsSync(folders.pending)) return fine(what, 'none yet');
  const store = new RequestStore(folders, settings.telegram.chatId);
  const ids = store.pendingIds();
  const faults = ids.flatMap((id) => {
    try {
      const read = store.read(id);
      return read.ok ? [] : [read.message];
    } catch (error) {
      return [errorWords(error)];
    }
  });
  if (faults.length === 0) return fine(what, ids.length === 0 ? 'none' : `${ids.length} to be settled`);
  return wrong(
    what,
    `cannot be used: ${someOf(faults, 3)}`,
    'The consumer rejects what is no request; what may not be read, make readable (chmod 600).',
  );
}

/** As numbers while they are sorted, since there may be a million. */
async function newestFirst(store: ReceiptStore): Promise<string[]> {
  const numbers: number[] = [];
  for await (const ids of store.slicesOfIds()) for (const id of ids) numbers.push(Number(id));
  return Array.from(Float64Array.from(numbers).sort().toReversed(), String);
}

function faultOf(store: ReceiptStore, id: string): string | null {
  try {
    const stored = store.read(id);
    if (stored.kind === 'damaged') return stored.cause;
    return stored.kind === 'from-the-future' ? `version ${stored.version}` : null;
  } catch (error) {
    return errorWords(error);
  }
}

function asideWords(folder: string): string {
  const count = existsSync(folder) ? readdirSync(folder).length : 0;
  return count === 0 ? '' : `; ${count} set aside earlier in state/damaged/`;
}
