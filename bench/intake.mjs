/**
 * Durable intake of one-kilobyte requests, from the updates as Telegram gives them: one by one against the same system
 * calls in a bare loop on the same disk, and in batches of 64, whose syncs are shared, against one by one.
 */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Gathering } from '../build/bridge/gathering.js';
import { Intake } from '../build/bridge/intake.js';
import { OrderInbox } from '../build/spool/order-inbox.js';
import { PartStore } from '../build/spool/part-store.js';
import { RequestStore } from '../build/spool/request-store.js';
import { keepUnread } from '../build/spool/unread-updates.js';
import { LinkStore } from '../build/state/link-store.js';
import { ReceiptStore } from '../build/state/receipt-store.js';
import { decodeUpdate } from '../build/telegram/decode.js';
import { requestOf, scratchHome } from './home.mjs';
import { median } from './samples.mjs';

const CHAT = 7001;
const ROUNDS = 12;
/** A bot that has run for a while: before some 4,000 updates most of its code is not compiled yet. */
const WARM_UP = 30;
export const BATCH = 64;

/** @returns {Promise<{ oneMs: number, bareMs: number, ratio: number, batchMs: number, gain: number }>} medians for one request; ratios of rates */
export async function measureIntake() {
  // One home for all: where on the disk a folder lies, and how much is in it, can make more of a difference than all that is measured.
  const { folders, remove } = scratchHome();
  const intake = intakeOver(folders);
  const bytes = Buffer.from(`${JSON.stringify(requestOf(1_000, CHAT), null, 2)}\n`);
  const times = { one: [], bare: [], batch: [] };
  let id = 1_000;
  try {
    // Of each a few in turn, so that whatever else the disk does meets all.
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const batch = Array.from({ length: BATCH }, () => updateOf((id += 1)));
      const batchMs = await timed(() => intake.handle(batch));
      for (let count = 0; count < BATCH; count += 1) {
        const update = updateOf((id += 1));
        const oneMs = await timed(() => intake.handle([update]));
        const bareMs = await timed(() => acceptBarely((id += 1), bytes, folders));
        if (round >= WARM_UP) times.one.push(oneMs);
        if (round >= WARM_UP) times.bare.push(bareMs);
      }
      if (round >= WARM_UP) times.batch.push(batchMs / BATCH);
    }
  } finally {
    remove();
  }
  const [oneMs, bareMs, batchMs] = [median(times.one), median(times.bare), median(times.batch)];
  return { oneMs, bareMs, ratio: bareMs / oneMs, batchMs, gain: oneMs / batchMs };
}

/** The bot's intake over a real home; nothing here is answered, so nobody talks. */
export function intakeOver(folders) {
  const ignore = () => undefined;
  return new Intake({
    assertOwn: ignore,
    rules: { chatId: CHAT, userIds: [7001], botUsername: 'bench_bot' },
    decode: (update) => decodeUpdate(update, 1),
    requests: new RequestStore(folders, CHAT),
    receipts: new ReceiptStore(folders),
    parts: new PartStore(folders),
    gathering: new Gathering(1_500, () => performance.now()),
    talk: { accepted: ignore },
    log: { info: ignore, warn: ignore, error: ignore },
    onTrouble: ignore,
    signal: new AbortController().signal,
    inbox: new OrderInbox(folders),
    links: new LinkStore(folders),
    keepUnread: (update, cause) => keepUnread(folders, update, cause),
    now: () => new Date().toISOString(),
  });
}

/** @param {number} id */
export function updateOf(id) {
  const text = `/blog ${'x'.repeat(600)}`;
  return {
    update_id: id,
    message: {
      message_id: id,
      date: 1_780_000_000,
      chat: { id: CHAT, type: 'private', first_name: 'Owner' },
      from: { id: 7001, is_bot: false, first_name: 'Owner', language_code: 'en' },
      text,
      entities: [{ type: 'bot_command', offset: 0, length: 5 }],
    },
  };
}

/**
 * @param {number} id
 * @param {Buffer} bytes
 * @param {import('../build/platform/home-folders.js').HomeFolders} folders
 */
function acceptBarely(id, bytes, { requests, pending, spoolTemporary }) {
  const path = join(spoolTemporary, `bare-${id}`);
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  linkSync(path, join(requests, `${id}.json`));
  renameSync(path, join(pending, `${id}.json`));
  for (const folder of [requests, pending]) {
    const descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** @param {() => unknown} work */
async function timed(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
