import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Gathering } from '../../src/bridge/gathering.ts';
import { incoming, photo } from '../harness/incoming.ts';

const item = (messageId: number): ReturnType<typeof incoming> =>
  incoming({ messageId, mediaGroupId: '77', attachments: [photo(`p${messageId}`)] });

function gatheringAt(quietMs = 1_500): { gathering: Gathering; at: (ms: number) => void } {
  let now = 0;
  return { gathering: new Gathering(quietMs, () => now), at: (ms) => (now = ms) };
}

test('a group is ripe only after its quiet time and a poll that was asked after its last part', () => {
  const { gathering, at } = gatheringAt();
  at(100);
  gathering.touched('album-77', item(50));

  at(1_000);
  expect(gathering.ripe(200), 'quiet time not over').toEqual([]);
  at(2_000);
  expect(gathering.ripe(90), 'poll asked before the part').toEqual([]);
  expect(gathering.ripe(101).map(({ group }) => group)).toEqual(['album-77']);
});

test('another part begins the quiet time anew', () => {
  const { gathering, at } = gatheringAt();
  gathering.touched('album-77', item(50));
  at(1_400);
  gathering.touched('album-77', item(51));
  at(1_600);
  expect(gathering.ripe(1_500)).toEqual([]);
  at(2_900);
  expect(gathering.ripe(1_500)[0]?.messages.map(({ messageId }) => messageId)).toEqual([50, 51]);
});

test('polls are short while a group is open, and the last one comes when its quiet time ends', () => {
  const { gathering, at } = gatheringAt();
  expect(gathering.nextPoll()).toBeNull();
  gathering.touched('album-77', item(50));
  expect(gathering.nextPoll()).toEqual({ delayMs: 0, seconds: 1 });
  at(1_000);
  expect(gathering.nextPoll()).toEqual({ delayMs: 500, seconds: 0 });
  gathering.sealed('album-77');
  expect(gathering.nextPoll()).toBeNull();
});

test('a restart knows every group that was open', () => {
  const { gathering } = gatheringAt();
  gathering.load([
    { group: 'album-77', message: item(50) },
    { group: 'paste-60', message: incoming({ messageId: 60, text: `/blog ${'x'.repeat(4090)}` }) },
  ]);
  expect(gathering.groupOf(item(51))).toBe('album-77');
  expect(gathering.groupOf(incoming({ messageId: 61, text: 'more' }))).toBe('paste-60');
  expect(gathering.groupOf(incoming({ messageId: 60, text: 'delivered again' }))).toBe('paste-60');
});

test('whatever the times, a part that has come is in the group when it is ripe', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4_000), { minLength: 1, maxLength: 10 }), (gaps) => {
      const { gathering, at } = gatheringAt();
      let now = 0;
      const open: number[] = [];
      const ripe: number[] = [];
      for (const [index, gap] of gaps.entries()) {
        const askedAt = now;
        now += gap;
        at(now);
        for (const { group, messages } of gathering.ripe(askedAt)) {
          ripe.push(...messages.map(({ messageId }) => messageId));
          gathering.sealed(group);
        }
        gathering.touched(gathering.groupOf(item(50 + index)) ?? '', item(50 + index));
        open.push(50 + index);
      }
      at(now + 10_000);
      for (const { messages } of gathering.ripe(now + 1)) ripe.push(...messages.map(({ messageId }) => messageId));
      expect(ripe).toEqual(open);
    }),
  );
});

test('an order that comes while an older group is open waits with it, and is ripe after it', () => {
  const { gathering, at } = gatheringAt();
  const paste = incoming({ messageId: 60, text: `/blog ${'x'.repeat(4090)}` });
  const later = incoming({ messageId: 62, text: '/blog short' });
  expect(gathering.opens(later), 'alone').toBeNull();
  gathering.touched('paste-60', paste);
  expect(gathering.opens(later)).toBe('paste-62');
  expect(gathering.opens(incoming({ messageId: 59, text: '/blog older' })), 'an older one').toBeNull();
  at(1_000);
  gathering.touched('paste-62', later);
  at(1_400);
  gathering.touched('paste-60', incoming({ messageId: 61, text: 'the rest' }));

  at(2_600);
  expect(gathering.ripe(2_500), 'the older one is not').toEqual([]);
  at(3_000);
  expect(gathering.ripe(2_900).map(({ group }) => group)).toEqual(['paste-60', 'paste-62']);
  expect(gathering.groupOf(incoming({ messageId: 63, text: 'not its continuation' }))).toBeNull();
});
