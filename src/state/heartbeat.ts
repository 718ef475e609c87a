/**
 * Owns: `state/bot.json` and `state/consumer.json`, by which a person sees that a process lives and what troubles it.
 * Guarantees: whole at each instant. Not synced: a lost one costs nothing.
 * Fails: never; a full disk must not stop what the heartbeat tells of.
 */
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { LatestIds } from '../core/message-ids.ts';
import { jsonText, readJsonFile } from '../platform/json-file.ts';

const heartbeatSchema = z.looseObject({
  pid: z.int(),
  since: z.string(),
  /** Instant of the last completed poll (bot) or scan (consumer); null before the first. */
  lastCompletedAt: z.string().nullable(),
  /** In words; null while all is well. */
  lastError: z.string().nullable(),
  /** What the agent is doing, in its own words; only the consumer's. */
  activity: z.looseObject({ request: z.string(), words: z.string() }).nullable().optional(),
  /** Ids with the latest receipts, the latest first: an index, so that nobody has to list all for them. Only the consumer's. */
  latest: z.array(z.string()).optional(),
});

export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** How many of the latest receipts are named. */
export const LATEST = 10;

const OPTIONS = { fsync: false, mode: 0o600 };

/** At most one write in this time, unless the trouble changed. */
const LEAST_INTERVAL_MS = 10_000;

export class HeartbeatFile {
  readonly #path: string;
  readonly #pid: number;
  readonly #since: string;
  readonly #troubles = new Map<string, string>();
  readonly #latest = new LatestIds(LATEST);
  #knowsLatest: boolean;
  #activity: Heartbeat['activity'];
  #lastCompletedAt: string | null = null;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, pid: number, since: string) {
    this.#path = path;
    this.#pid = pid;
    this.#since = since;
    const former = formerLatest(path);
    for (const id of former ?? []) this.#latest.add(id);
    this.#knowsLatest = former !== undefined;
  }

  /** At once, so that a process that says that it is ready is seen to live. */
  begun(now: number): void {
    this.#writtenAt = now;
    try {
      writeFileAtomic.sync(this.#path, this.#content(), OPTIONS);
    } catch {
      // The next one may succeed.
    }
  }

  /** @param now monotonic, in ms */
  completed(at: string, now: number): void {
    const isFirst = this.#lastCompletedAt === null;
    this.#lastCompletedAt = at;
    if (isFirst || now - this.#writtenAt >= LEAST_INTERVAL_MS) this.#write(now);
  }

  /** @param topic what is in trouble; the end of one trouble hides no other */
  trouble(words: string | null, now: number, topic = ''): void {
    if (words === (this.#troubles.get(topic) ?? null)) return;
    if (words === null) this.#troubles.delete(topic);
    else this.#troubles.set(topic, words);
    this.#write(now);
  }

  /** @param activity null while no agent works, or it does not say */
  activity(activity: { request: string; words: string } | null, now: number): void {
    if (activity?.words === this.#activity?.words && activity?.request === this.#activity?.request) return;
    this.#activity = activity;
    this.#write(now);
  }

  /** A receipt that was made just now. */
  receiptMade(id: string, now: number): void {
    this.#latest.add(id);
    if (this.#knowsLatest) this.#write(now);
  }

  /** @param ids of all receipts the latest, as the folder says */
  latestReceipts(ids: readonly string[], now: number): void {
    for (const id of ids) this.#latest.add(id);
    this.#knowsLatest = true;
    this.#write(now);
  }

  /** Resolves when the last write is on its way no more. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #write(now: number): void {
    this.#writtenAt = now;
    const content = this.#content();
    this.#writing = this.#writing.then(() => writeFileAtomic(this.#path, content, OPTIONS)).catch(() => undefined);
  }

  #content(): string {
    const heartbeat: Heartbeat = {
      pid: this.#pid,
      since: this.#since,
      lastCompletedAt: this.#lastCompletedAt,
      lastError: [...this.#troubles.values()].at(-1) ?? null,
      ...(this.#knowsLatest ? { latest: this.#latest.list() } : {}),
      ...(this.#activity === undefined ? {} : { activity: this.#activity }),
    };
    return jsonText(heartbeat);
  }
}

/** What cannot be read just now is found anew by the survey of the home. */
function formerLatest(path: string): string[] | undefined {
  try {
    return readHeartbeat(path)?.latest;
  } catch {
    return undefined;
  }
}

/** @throws the system's error for what is there and cannot be read */
export function readHeartbeat(path: string): Heartbeat | null {
  return readJsonFile(path, heartbeatSchema);
}
