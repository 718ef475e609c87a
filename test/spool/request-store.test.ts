import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Request } from '../../src/core/request.ts';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { type Draft, RequestStore } from '../../src/spool/request-store.ts';
import { accepted } from './accepted.ts';

const CHAT = 7001;
const PROGRAM = fileURLToPath(new URL('fixtures/accept.mjs', import.meta.url));

function openStore(): { store: RequestStore; home: ReturnType<typeof homeFolders> } {
  const home = homeFolders(mkdtempSync(join(tmpdir(), 'bridge-store-')));
  onTestFinished(() => rmSync(home.root, { recursive: true, force: true }));
  makeHomeFolders(home);
  return { store: new RequestStore(home, CHAT), home };
}

function requestOf(id: number, text = 'x'): Request {
  return {
    version: 1,
    id: String(id),
    kind: 'blog',
    chatId: CHAT,
    messageId: id,
    messageIds: [id],
    threadId: null,
    from: { id: 5, name: 'Owner' },
    text,
    conversation: String(id),
    replyTo: null,
    attachments: [],
    sentAt: '2026-11-30T09:00:00.000Z',
    receivedAt: '2026-11-30T09:00:00.412Z',
  };
}

test('of eight processes that accept the same messages at once, one makes each file, and it is whole when it is first seen', async () => {
  const { home } = openStore();
  const messages = 40;
  const processes = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [PROGRAM, home.root, String(CHAT), String(messages)]),
  );
  onTestFinished(() => processes.forEach((child) => child.kill('SIGKILL')));
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')));
  const printed: string[] = [];
  for (const { stdout } of processes) stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  const firstSeen = new Map<string, string>();
  const watcher = watch(home.requests, (_, name) => {
    if (name !== null && !firstSeen.has(name)) firstSeen.set(name, readFileSync(join(home.requests, name), 'utf8'));
  });
  onTestFinished(() => watcher.close());

  for (const { stdin } of processes) stdin.write('go\n');
  await Promise.all(processes.map((child) => once(child, 'close')));

  const names = Array.from({ length: messages }, (_, index) => `${index + 1}.json`).sort();
  const outcomes = printed.join('').trim().split('\n');
  expect(outcomes).toHaveLength(8 * messages);
  expect(
    outcomes
      .filter((line) => line.endsWith('created'))
      .map((line) => `${line.split(' ')[0]}.json`)
      .sort(),
  ).toEqual(names);
  expect(readdirSync(home.requests).sort()).toEqual(names);
  expect(readdirSync(home.pending).sort()).toEqual(names);
  expect(readdirSync(home.spoolTemporary)).toEqual([]);
  expect(firstSeen.size).toBeGreaterThan(messages / 2);
  for (const [name, text] of firstSeen) expect(text).toBe(readFileSync(join(home.requests, name), 'utf8'));
});

test('a request is read back as it was accepted, with mode 0600, and a second one of its id changes nothing', async () => {
  const { store, home } = openStore();

  expect(await accepted(store, requestOf(41, 'first'))).toBe('created');
  expect(await accepted(store, requestOf(41, 'second'))).toBe('exists');

  expect(store.read('41')).toEqual({ ok: true, request: requestOf(41, 'first') });
  expect(store.pendingIds()).toEqual(['41']);
  expect(statSync(join(home.requests, '41.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(home.spoolTemporary)).toEqual([]);
});

test('ids come in the order of the messages, and names that are no request’s do not come at all', async () => {
  const { store, home } = openStore();
  for (const id of [100, 9, 41]) await accepted(store, requestOf(id));
  for (const name of ['.DS_Store', '12 2.json', '042.json', '0.json', '7.json.tmp', '-3.json', '1e2.json']) {
    writeFileSync(join(home.pending, name), '');
    writeFileSync(join(home.requests, name), '');
  }

  expect(store.pendingIds()).toEqual(['9', '41', '100']);
  const ids: string[] = [];
  for await (const slice of store.slicesOfIds()) ids.push(...slice);
  expect(ids.sort()).toEqual(['100', '41', '9']);
});

test.each<[string, (path: string) => void]>([
  ['is gone', (path) => rmSync(path)],
  ['is there', () => undefined],
  ['is a folder', (path) => (rmSync(path), mkdirSync(path))],
])('a pending name that %s is ensured, and is the request itself', async (kind, change) => {
  const { store, home } = openStore();
  await accepted(store, requestOf(41));
  change(join(home.pending, '41.json'));

  store.ensurePending('41');

  expect(store.pendingIds()).toEqual(['41']);
  const isSame = statSync(join(home.pending, '41.json')).ino === statSync(join(home.requests, '41.json')).ino;
  expect(isSame).toBe(kind !== 'is a folder');
});

test('a request that is gone gets no pending name; a folder in its place gets one, so that it is looked at', async () => {
  const { store, home } = openStore();
  store.ensurePending('41');
  expect(store.pendingIds()).toEqual([]);
  mkdirSync(join(home.requests, '42.json'));

  expect(await accepted(store, requestOf(42))).toBe('exists');
  store.ensurePending('42');

  expect(store.pendingIds()).toEqual(['42']);
  expect(store.read('42')).toMatchObject({ ok: false, code: 'not-a-file' });
});

test('requests that are drafted together get their names one by one, and are whole', async () => {
  const { store, home } = openStore();
  await accepted(store, requestOf(43, 'was there before'));

  const drafts = await store.draft([requestOf(41), requestOf(42), requestOf(43), requestOf(44)]);
  expect(readdirSync(home.requests)).toEqual(['43.json']);
  const outcomes = [41, 42, 43].map((id) => store.place(requestOf(id), drafts.get(String(id))));
  for (const id of ['44']) store.discard(drafts.get(id) as Draft);
  await store.syncNames();

  expect(outcomes).toEqual(['created', 'created', 'exists']);
  expect(store.pendingIds()).toEqual(['41', '42', '43']);
  expect(store.read('42')).toEqual({ ok: true, request: requestOf(42) });
  expect(store.read('43')).toEqual({ ok: true, request: requestOf(43, 'was there before') });
  expect(readdirSync(home.spoolTemporary)).toEqual([]);
});

test('a pending name is removed whatever it is', async () => {
  const { store, home } = openStore();
  await accepted(store, requestOf(41));
  mkdirSync(join(home.pending, '42.json'));

  for (const id of ['41', '42', '43']) store.removePending(id);

  expect(store.pendingIds()).toEqual([]);
  expect(store.has('41')).toBe(true);
});
