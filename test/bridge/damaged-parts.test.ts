/** Parts of groups that cannot be read, or that our own code cannot digest: set aside, told, and in nobody's way. */
import { accepted } from '../spool/accepted.ts';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Gathering } from '../../src/bridge/gathering.ts';
import { sealRipe } from '../../src/bridge/group-sealer.ts';
import type { IncomingMessage } from '../../src/core/admission.ts';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { PartStore } from '../../src/spool/part-store.ts';
import { RequestStore } from '../../src/spool/request-store.ts';
import { keepUnread } from '../../src/spool/unread-updates.ts';
import { incoming, photo } from '../harness/incoming.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

const silent = (): void => undefined;

function desk() {
  const folders = homeFolders(scratchFolder());
  makeHomeFolders(folders);
  const parts = new PartStore(folders);
  const requests = new RequestStore(folders, 7001);
  const told: string[] = [];
  const put = (album: string, fields: Partial<IncomingMessage>): void => {
    const message = incoming({ mediaGroupId: album, attachments: [photo('p')], ...fields });
    parts.add({ group: `album-${album}`, message });
  };
  /** As a bot that starts: it goes on with what lies there. */
  const seal = async (): Promise<void> => {
    let now = 0;
    const gathering = new Gathering(1_500, () => now);
    gathering.load(parts.parts());
    now = 5_000;
    await sealRipe(4_000, {
      rules: { chatId: 7001, userIds: [7001], botUsername: 'bot' },
      parts,
      gathering,
      awaitLink: async () => null,
      accept: async (request) => ((await accepted(requests, request)) === 'created' ? 'accepted' : 'duplicate'),
      answer: silent,
      unread: (name) => told.push(name),
      log: { debug: silent, info: silent, warn: silent, error: silent },
      now: () => '2026-11-30T09:00:00.000Z',
    });
  };
  return { folders, parts, requests, told, put, seal };
}

test.each([
  ['empty', ''],
  ['cut', '{"version":1,"group":"album-7","mess'],
  ['without a text', '{"version":1,"group":"album-7","message":{"messageId":52,"mediaGroupId":"7"}}'],
  ['of another message', '{"version":1,"group":"album-7","message":{"messageId":99}}'],
])('a part that is %s is set aside and told, and the rest of its group is a request', async (_what, content) => {
  const { folders, parts, told, put, seal } = desk();
  put('7', { messageId: 51, text: '/blog trip' });
  put('7', { messageId: 53 });
  writeFileSync(join(folders.parts, '52.json'), content);

  await seal();

  expect(readdirSync(folders.requests)).toEqual(['51.json']);
  expect(parts.parts()).toEqual([]);
  expect([readdirSync(folders.parts), readdirSync(folders.unread), told]).toEqual([[], ['part-52.json'], ['part-52']]);
});

test('a part whose group is a path out of the home is set aside, and nothing is looked for there', async () => {
  const { folders, parts, told, put, seal } = desk();
  put('7', { messageId: 51, text: '/blog trip' });
  put('8', { messageId: 61, text: '/blog other' });
  const path = join(folders.parts, '61.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('album-8', '../../../stray'));

  await seal();

  expect(readdirSync(folders.requests)).toEqual(['51.json']);
  expect(parts.parts()).toEqual([]);
  expect([readdirSync(folders.unread), told]).toEqual([['part-61.json'], ['part-61']]);
});

test('a group that our own code cannot digest is set aside whole, and the next one is sealed', async () => {
  const { folders, told, put, seal } = desk();
  // No calendar knows this second.
  put('7', { messageId: 51, text: '/blog trip', date: 9e15 });
  put('8', { messageId: 61, text: '/blog other' });

  await seal();
  await seal();

  expect(readdirSync(folders.requests)).toEqual(['61.json']);
  expect([readdirSync(folders.unread), told]).toEqual([['part-51.json'], ['part-51']]);
});

test('a member or a seal that names a path instead of a request names none', () => {
  const { folders, parts } = desk();
  writeFileSync(join(folders.members, '52.json'), '{"version":1,"requestId":"../../../outside"}');
  writeFileSync(join(folders.seals, 'album-7.json'), '{"version":1,"requestId":"../outside","messageIds":[52]}');
  expect([parts.requestOf(52), parts.sealOf('album-7')]).toEqual([null, null]);
});

test('an update that is nested deeper than it could be written is kept without its depths', () => {
  const { folders } = desk();
  let deep: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  keepUnread(folders, { update_id: 501, message: { text: 'hello', deep } } as { update_id: number }, 'too deep');
  expect(JSON.parse(readFileSync(join(folders.unread, '501.json'), 'utf8'))).toMatchObject({
    cause: 'too deep',
    update: { update_id: 501, message: { text: 'hello' } },
  });
});
