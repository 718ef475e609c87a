/** Any order and timing of an album's parts, redelivery, and crashes between any two steps: one request, each part once. */
import { accepted } from '../spool/accepted.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Gathering } from '../../src/bridge/gathering.ts';
import { type SealPorts, sealRipe } from '../../src/bridge/group-sealer.ts';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import type { Log } from '../../src/platform/log.ts';
import { PartStore } from '../../src/spool/part-store.ts';
import { RequestStore } from '../../src/spool/request-store.ts';
import { incoming, photo } from '../harness/incoming.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

const QUIET_MS = 1_500;
const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type Step = { deliver: number } | { waitMs: number } | { pollDyingAfter: number } | { restart: true };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.nat(4).map((deliver) => ({ deliver })) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2_000 }).map((waitMs) => ({ waitMs })) },
  // 9 and more: it does not die.
  { weight: 3, arbitrary: fc.nat(14).map((pollDyingAfter) => ({ pollDyingAfter })) },
  { weight: 1, arbitrary: fc.constant({ restart: true } as const) },
);

class Died extends Error {}

/** The bot's own pieces over a real folder; a crash is an exception, and a gathering that starts from the disk again. */
class Desk {
  readonly requests;
  readonly parts;
  gathering;
  now = 0;
  #stepsLeft = Number.POSITIVE_INFINITY;

  constructor() {
    const folders = homeFolders(scratchFolder());
    makeHomeFolders(folders);
    this.requests = new RequestStore(folders, 7001);
    this.parts = this.#mortal(new PartStore(folders));
    this.gathering = new Gathering(QUIET_MS, () => this.now);
  }

  restart(): void {
    this.#stepsLeft = Number.POSITIVE_INFINITY;
    this.gathering = new Gathering(QUIET_MS, () => this.now);
    this.gathering.load(this.parts.parts());
  }

  /** As the bot does with an album's part. */
  deliver(index: number): void {
    const text = index === 2 ? '/blog trip' : '';
    const message = incoming({ messageId: 50 + index, text, mediaGroupId: '77', attachments: [photo(`p${index}`)] });
    const group = this.gathering.groupOf(message) ?? '';
    if (this.parts.requestOf(message.messageId) !== null || this.parts.sealOf(group) !== null) return;
    this.parts.add({ group, message });
    this.gathering.touched(group, message);
  }

  async poll(stepsToLive: number): Promise<void> {
    this.now += 1;
    const askedAt = this.now;
    this.now += 1;
    this.#stepsLeft = stepsToLive;
    const ports: SealPorts = {
      rules: { chatId: 7001, userIds: [7001], botUsername: 'bot' },
      parts: this.parts,
      gathering: this.gathering,
      awaitLink: async () => null,
      accept: async (request) => {
        this.#live();
        return (await accepted(this.requests, request)) === 'created' ? 'accepted' : 'duplicate';
      },
      answer: () => undefined,
      unread: () => undefined,
      log: SILENT,
      now: () => '2026-11-30T09:00:00.000Z',
    };
    await sealRipe(askedAt, ports).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
      this.restart();
    });
    this.#stepsLeft = Number.POSITIVE_INFINITY;
  }

  #live(): void {
    if (this.#stepsLeft <= 0) throw new Died();
    this.#stepsLeft -= 1;
  }

  /** Each change of the disk may be the last thing that happened. */
  #mortal(parts: PartStore): PartStore {
    for (const name of ['seal', 'addMember'] as const) {
      const method = parts[name].bind(parts) as (...args: unknown[]) => never;
      Object.assign(parts, {
        [name]: (...args: unknown[]) => {
          this.#live();
          return method(...args);
        },
      });
    }
    const remove = parts.removeParts.bind(parts);
    parts.removeParts = (ids) => {
      for (const id of ids) {
        this.#live();
        remove([id]);
      }
    };
    return parts;
  }
}

test('an album is one request that holds each part once, or, where its order came late, none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const desk = new Desk();
      for (const one of steps) {
        if ('deliver' in one) desk.deliver(one.deliver);
        else if ('waitMs' in one) desk.now += one.waitMs;
        else if ('restart' in one) desk.restart();
        else await desk.poll(one.pollDyingAfter > 8 ? Number.POSITIVE_INFINITY : one.pollDyingAfter);
      }
      // Telegram delivers what was not confirmed, and the bot lives long enough.
      for (const index of [0, 1, 2, 3, 4]) desk.deliver(index);
      desk.now += 2 * QUIET_MS;
      await desk.poll(Number.POSITIVE_INFINITY);

      const ids: string[] = [];
      for await (const slice of desk.requests.slicesOfIds()) ids.push(...slice);
      const seal = desk.parts.sealOf('album-77');
      expect(desk.parts.parts()).toEqual([]);
      expect(ids).toEqual(seal?.requestId == null ? [] : [seal.requestId]);
      expect(seal?.messageIds.includes(52) === true).toBe(ids.length === 1);
      if (seal === null || ids.length === 0) return;
      const read = desk.requests.read(ids[0] ?? '');
      expect(read.ok && read.request.messageIds).toEqual(seal.messageIds);
      expect(read.ok && read.request.attachments.map(({ fileId }) => `5${fileId.slice(1)}`)).toEqual(
        seal.messageIds.map(String),
      );
      expect(seal.messageIds.map((id) => desk.parts.requestOf(id))).toEqual(seal.messageIds.map(() => seal.requestId));
    }),
    // Died while it removed the parts: what was left made a request of its own, once.
    {
      numRuns: 200,
      examples: [
        [[{ deliver: 2 }, { deliver: 1 }, { deliver: 0 }, { waitMs: 1498 }, { pollDyingAfter: 6 }]],
        [[{ deliver: 2 }, { deliver: 0 }, { waitMs: 1498 }, { pollDyingAfter: 5 }]],
      ],
    },
  );
});
