import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';
import { png } from '../stand-in/bot-client.ts';

/** Prints what the agent got: its prompt, then the files. */
const SHOW = ['/bin/sh', '-c', 'cat; echo; [ -z "$BLOG_FILES_DIR" ] || ls "$BLOG_FILES_DIR"'];

async function openBot(gatherSeconds = 0.5): Promise<World> {
  const world = await openWorld({ agent: { kind: 'command', command: SHOW }, config: { gatherSeconds } });
  await world.bot();
  return world;
}

function sayAlbum(world: World, captions: string[], mediaGroupId = '77'): number[] {
  return captions.map((caption) => world.telegram.say({ photo: png(4, 4), caption, mediaGroupId }).message_id);
}

const requestNames = (world: World): string[] => world.names('spool', 'requests');
const accepted = (world: World, id: number): Promise<unknown> =>
  world.eventually(() => (requestNames(world).includes(`${id}.json`) ? true : undefined), `request ${id}`);

describe('an album', () => {
  test('is one request with all its pictures, whichever part bears the command, and reaches the agent once', async () => {
    const world = await openBot();
    await world.consumer();
    const ids = sayAlbum(world, ['', '/blog trip', 'sea']);

    const receipt = await world.settled(ids[0] as number);

    expect(requestNames(world)).toEqual([`${ids[0]}.json`]);
    expect(world.request(ids[0] as number)).toMatchObject({ messageIds: ids, text: 'trip\n\nsea', kind: 'blog' });
    expect(receipt.reply?.markdown).toContain('1.jpg\n2.jpg\n3.jpg');
    expect(world.names('spool', 'parts')).toEqual([]);
    expect(ids.map((id) => world.json('spool', 'members', `${id}.json`)['requestId'])).toEqual(
      ids.map(() => String(ids[0])),
    );
  });

  test('without a command is no request, and is answered once', async () => {
    const world = await openBot();
    sayAlbum(world, ['sea', '', '']);
    await world.telegram.waitFor((telegram) => telegram.botMessages.length > 0);
    await world.eventually(() => (world.names('spool', 'parts').length === 0 ? true : undefined), 'no parts');
    expect(requestNames(world)).toEqual([]);
    expect(world.telegram.botMessages).toHaveLength(1);
  });

  test('delivered again after its seal changes nothing; a part that comes late starts nothing and is answered once', async () => {
    const world = await openBot();
    const [first = 0] = sayAlbum(world, ['/blog trip', '']);
    await accepted(world, first);
    await world.eventually(() => (world.names('spool', 'parts').length === 0 ? true : undefined), 'no parts');
    const before = world.request(first);
    const updates = world.telegram.confirmedOffset as number;

    const late = sayAlbum(world, ['/blog trip'])[0] as number;
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ replyTo }) => replyTo === late));
    world.telegram.rewind(updates - 2);
    const bot = world.started[0];
    await bot?.logged('delivered again', { message: late });

    expect(world.request(first)).toEqual(before);
    expect(requestNames(world)).toEqual([`${first}.json`]);
    expect(world.telegram.botMessages).toHaveLength(1);
    expect(world.telegram.botMessages[0]?.text).toMatch(/too late/u);
  });

  test('survives a kill between its parts as one request with each part once', async () => {
    const world = await openBot(2);
    const bot = world.started[0];
    const [first = 0] = sayAlbum(world, ['', '/blog trip']);
    await bot?.logged('part stored', { message: first + 1 });
    await bot?.kill();
    const third = sayAlbum(world, ['sea'])[0] as number;
    await world.bot();

    await accepted(world, first);

    expect(requestNames(world)).toEqual([`${first}.json`]);
    expect(world.request(first).messageIds).toEqual([first, first + 1, third]);
    expect(world.request(first).attachments).toHaveLength(3);
  });

  test('that replies to an answer goes on with the conversation; a reply to any of its parts does as well', async () => {
    const world = await openBot();
    await world.consumer();
    const opening = world.telegram.say('/blog one').message_id;
    await world.settled(opening);
    const answer = world.telegram.botMessages[0]?.id as number;
    const ids = ['', 'sea'].map(
      (caption) => world.telegram.say({ photo: png(4, 4), caption, mediaGroupId: '78', replyTo: answer }).message_id,
    );
    await world.settled(ids[0] as number);
    const followUp = world.telegram.say({ text: 'and more', replyTo: ids[1] as number }).message_id;
    await world.settled(followUp);

    expect(world.request(ids[0] as number)).toMatchObject({
      kind: 'reply',
      conversation: String(opening),
      messageIds: ids,
    });
    expect(world.request(followUp)).toMatchObject({ kind: 'reply', conversation: String(opening) });
  });
});

describe('a long paste', () => {
  test('is joined without a character added or lost; what comes after a short piece is not swallowed', async () => {
    const world = await openBot();
    const pieces = [`/blog ${'가'.repeat(4090)}`, 'x'.repeat(4096), 'the end'];
    const ids = pieces.map((text) => world.telegram.say(text).message_id);
    const unrelated = world.telegram.say('something else').message_id;
    await accepted(world, ids[0] as number);

    expect(world.request(ids[0] as number)).toMatchObject({
      messageIds: ids,
      text: `${'가'.repeat(4090)}${'x'.repeat(4096)}the end`,
    });
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ replyTo }) => replyTo === unrelated));
    expect(requestNames(world)).toEqual([`${ids[0]}.json`]);
  });

  test('of one piece is a request like any other, and a short one does not wait', async () => {
    const world = await openBot(30);
    const short = world.telegram.say(`/blog ${'x'.repeat(3000)}`).message_id;
    await accepted(world, short);
    const next = world.telegram.say('hello').message_id;
    await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ replyTo }) => replyTo === next));
    expect(requestNames(world)).toEqual([`${short}.json`]);
    expect(readdirSync(world.path('spool', 'members'))).toEqual([]);
  });
});
