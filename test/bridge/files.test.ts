import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import type { Call } from '../../src/stand-in/calls.ts';
import { type World, endedWithFile, openWorld } from '../harness/bridge.ts';
import { png } from '../stand-in/bot-client.ts';

const endedBy = endedWithFile();
const SHOW = ['/bin/sh', '-c', 'cat; echo; [ -z "$BLOG_FILES_DIR" ] || (cd "$BLOG_FILES_DIR" && cksum *)'];

/** A bridge for all the tests of one kind. */
async function openBridge(command: string[]): Promise<World> {
  const world = await openWorld({ agent: { kind: 'command', command, cwd: '.' }, endedBy });
  world.program('make.sh', '#!/bin/sh\ncp made/* "$BLOG_OUT_DIR" 2>/dev/null\ncat answer.md\n');
  await Promise.all([world.bot(), world.consumer()]);
  return world;
}

const kindsOf = (receipt: Receipt): string[] => receipt.reply?.parts.map(({ kind }) => kind) ?? [];

describe('pictures and files come in', () => {
  let world: World;

  beforeAll(async () => {
    world = await openBridge(SHOW);
  });

  test('a photo with /blog in its caption reaches the agent whole, under a name of ours', async () => {
    const bytes = png(40, 40);
    const { message_id: id } = world.telegram.say({ photo: bytes, caption: '/blog 바다' });

    const receipt = await world.settled(id);

    expect(world.request(id)).toMatchObject({ text: '바다', attachments: [{ kind: 'photo' }] });
    expect(readFileSync(world.path('state', 'files', String(id), 'in', '1.jpg')).equals(bytes)).toBe(true);
    expect(receipt.attachments).toMatchObject([{ file: 'in/1.jpg', problem: null }]);
    expect(receipt.reply?.markdown).toMatch(/^바다\n/u);
    expect(receipt.reply?.markdown).toContain(`${bytes.length} 1.jpg`);
  });

  test('a voice message as a follow-up is passed on as a file; a contact gets one clear answer', async () => {
    const opening = world.telegram.say('/blog one').message_id;
    await world.settled(opening);
    const answer = world.telegram.botMessages.find(({ replyTo }) => replyTo === opening)?.id as number;
    const voice = world.telegram.say({ voice: Buffer.from('OggS'), replyTo: answer }).message_id;
    expect((await world.settled(voice)).attachments).toMatchObject([{ kind: 'voice', file: 'in/1.ogg' }]);

    const contact = world.telegram.say({
      raw: { contact: { phone_number: '1', first_name: 'X' } },
      replyTo: answer,
    }).message_id;
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ replyTo }) => replyTo === contact));
    expect(world.names('spool', 'requests')).not.toContain(`${contact}.json`);
  });

  test('a file that Telegram does not give out is told of, and the text runs with a note to the agent', async () => {
    const large = world.telegram.addFile('x', { name: 'film.mp4', size: 25_000_000 });
    const { message_id: id } = world.telegram.say({ document: large, caption: '/blog cut this' });

    const receipt = await world.settled(id);

    expect(receipt.attachments).toMatchObject([{ file: null, problem: 'too-large' }]);
    expect(receipt.reply?.markdown).toMatch(/cut this[\s\S]*not here.*too-large/u);
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ text }) => text.includes('over 20 MB')));
  });

  test('where nothing is left of a request it fails at stage download, and nothing is run', async () => {
    world.telegram.fault({ method: 'getFile' }, { refuse: { code: 400, description: 'Bad Request: wrong file_id' } });
    const { message_id: id } = world.telegram.say({ photo: png(4, 4), caption: '/blog' });

    const receipt = await world.receiptWhen(id, ({ state }) => state === 'failed');

    expect(receipt).toMatchObject({
      run: 0,
      error: { stage: 'download', code: 'download-failed' },
      attention: 'failed',
    });
  });

  test('a slow download delays nothing at intake, and /cancel gives it up', async () => {
    const stalled = world.telegram.fault({ method: 'getFile', times: Number.POSITIVE_INFINITY }, { stall: 'before' });
    const { message_id: id } = world.telegram.say({ photo: png(4, 4), caption: '/blog sea' });
    await world.telegram.waitFor(() => stalled.hits > 0);

    const other = world.telegram.say('/blog other').message_id;
    await world.eventually(
      () => (world.names('spool', 'requests').includes(`${other}.json`) ? true : undefined),
      'the other request',
    );
    world.telegram.say({ text: '/cancel', replyTo: id });

    expect(await world.receiptWhen(id, ({ state }) => state === 'failed')).toMatchObject({
      run: 0,
      error: { code: 'cancelled' },
    });
    stalled.remove();
    await world.settled(other);
  });

  test('of an album of ten, one photo is cut in transfer: all ten arrive whole, in order', async () => {
    const cut = world.telegram.fault({ method: 'download', skip: 4 }, { cut: 'after' });
    const photos = Array.from({ length: 10 }, (_, index) => png(10 + index, 10));
    const ids = photos.map(
      (photo, index) =>
        world.telegram.say({ photo, caption: index === 0 ? '/blog trip' : '', mediaGroupId: '77' }).message_id,
    );

    const receipt = await world.settled(ids[0] ?? 0);

    expect(cut.hits).toBe(1);
    expect(receipt.attachments?.map(({ file, problem }) => [file, problem])).toEqual(
      ids.map((_, index) => [`in/${index + 1}.jpg`, null]),
    );
    for (const [index, photo] of photos.entries()) {
      const path = world.path('state', 'files', String(ids[0]), 'in', `${index + 1}.jpg`);
      expect(readFileSync(path).equals(photo)).toBe(true);
    }
  });

  test('killed while it fetches, the consumer fetches again and runs once', async () => {
    const stalled = world.telegram.fault({ method: 'download' }, { stall: 'after' });
    const bytes = randomBytes(50_000);
    const { message_id: id } = world.telegram.say({
      document: world.telegram.addFile(bytes, { name: 'a.bin' }),
      caption: '/blog sea',
    });
    await world.telegram.waitFor(() => stalled.hits > 0);
    await world.started.at(-1)?.kill();
    await world.consumer();

    expect(await world.settled(id)).toMatchObject({ run: 1, attachments: [{ file: 'in/1.bin', bytes: bytes.length }] });
  });
});

describe('files go back', () => {
  let world: World;

  beforeAll(async () => {
    world = await openBridge(['./make.sh']);
  });

  /** From now on the agent prints `answer`, and leaves these files in its out folder. Returns what the bot calls after this. */
  function make(answer: string, files: Record<string, Buffer>): (isWanted: (call: Call) => boolean) => Call[] {
    rmSync(world.path('made'), { recursive: true, force: true });
    mkdirSync(world.path('made'));
    for (const [name, bytes] of Object.entries(files)) writeFileSync(world.path('made', name), bytes);
    writeFileSync(world.path('answer.md'), answer);
    const before = world.telegram.calls.length;
    return (isWanted) => world.telegram.calls.slice(before).filter(isWanted);
  }

  test('in the order of the text, as photos, albums and documents', async () => {
    const callsSince = make('before\n\n![the sea](made/sea.png)\n\nafter', {
      'sea.png': png(5, 5),
      '1.png': png(6, 6),
      '2.png': png(7, 7),
      'notes.pdf': Buffer.from('%PDF'),
    });
    const id = world.telegram.say('/blog go').message_id;

    const receipt = await world.settled(id);

    expect(kindsOf(receipt)).toEqual(['text', 'photo', 'text', 'album', 'document', 'photo']);
    const sent = callsSince(({ method }) => method.startsWith('send') && method !== 'sendChatAction');
    expect(sent.map(({ method }) => method)).toEqual([
      'sendMessage',
      'sendPhoto',
      'sendMessage',
      'sendMediaGroup',
      'sendDocument',
      'sendPhoto',
    ]);
    expect(sent[1]?.params).toMatchObject({ caption: 'the sea' });
    expect(world.names('state', 'files', String(id), 'out')).toContain('notes.pdf');
    const ids = receipt.reply?.parts.flatMap(({ messageIds }) => messageIds) ?? [];
    expect(ids.map((one) => world.json('state', 'links', `${one}.json`)['requestId'])).toEqual(
      ids.map(() => String(id)),
    );
  });

  test('what Telegram refuses as a photo goes once more as a document', async () => {
    const callsSince = make('', { 'sea.png': png(5, 5) });
    world.telegram.fault(
      { method: 'sendPhoto' },
      { refuse: { code: 400, description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' } },
    );
    const id = world.telegram.say('/blog go').message_id;

    expect((await world.settled(id)).state).toBe('sent');
    expect(callsSince(({ method, accepted }) => method === 'sendDocument' && accepted)).toHaveLength(1);
    expect(callsSince(({ method }) => method === 'sendPhoto')).toHaveLength(1);
  });

  test('an album that was partly accepted is an unknown delivery, and nothing of it is repeated', async () => {
    const callsSince = make('', { '1.png': png(5, 5), '2.png': png(6, 6), '3.png': png(7, 7) });
    world.telegram.fault(
      { method: 'sendMediaGroup' },
      {
        refuse: {
          code: 400,
          description: 'Bad Request: failed to send message #2 with the error message "WRONG"',
          acceptItems: 1,
        },
      },
    );
    const id = world.telegram.say('/blog go').message_id;

    expect(await world.receiptWhen(id, ({ attention }) => attention !== null)).toMatchObject({
      state: 'sending',
      attention: 'unknown-delivery',
    });
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ buttons }) => buttons.length > 0));
    expect(callsSince(({ method }) => method === 'sendMediaGroup')).toHaveLength(1);
    expect(callsSince(({ method }) => method === 'sendPhoto')).toEqual([]);
  });

  test('a rerun sends what it made itself, and nothing of the run before', async () => {
    const callsSince = make('', { 'sea.png': png(5, 5) });
    world.telegram.fault(
      { method: 'sendPhoto' },
      { refuse: { code: 403, description: 'Forbidden: bot was blocked by the user' } },
    );
    const id = world.telegram.say('/blog go').message_id;
    await world.receiptWhen(id, ({ state }) => state === 'failed');

    await world.command('rerun', String(id));

    const receipt = await world.settled(id);
    expect(receipt.reply?.parts).toMatchObject([{ kind: 'photo', file: 'out/run-2/sea.png' }]);
    expect(callsSince(({ method, accepted }) => method === 'sendPhoto' && accepted)).toHaveLength(1);
  });
});
