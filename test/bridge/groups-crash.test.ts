/** A bot that is killed while it gathers an album: whatever the instant, one request with each picture once. */
import { expect, test } from 'vitest';
import { Running, openWorld } from '../harness/bridge.ts';
import { png } from '../stand-in/bot-client.ts';

const DIE_AT = new URL('../harness/die-at.mjs', import.meta.url).href;

test.each([
  { instant: 'the first part is linked', call: 'linkSync', path: String.raw`/parts/41\.json$` },
  { instant: 'the second part is linked', call: 'linkSync', path: String.raw`/parts/42\.json$` },
  { instant: 'the last part is linked', call: 'linkSync', path: String.raw`/parts/43\.json$` },
  { instant: 'it is sealed', call: 'linkSync', path: '/seals/album-77' },
  { instant: 'the request is linked', call: 'linkSync', path: String.raw`/requests/41\.json$` },
  { instant: 'the request gets its pending name', call: 'renameSync', path: String.raw`/pending/41\.json$` },
  { instant: 'the first member is linked', call: 'linkSync', path: String.raw`/members/41\.json$` },
  { instant: 'the last member is linked', call: 'linkSync', path: String.raw`/members/43\.json$` },
  { instant: 'the first part is removed', call: 'rmSync', path: String.raw`/parts/41\.json$` },
  { instant: 'the last part is removed', call: 'rmSync', path: String.raw`/parts/43\.json$` },
])('killed before $instant', async ({ call, path }) => {
  const world = await openWorld({ config: { gatherSeconds: 0.2 } });
  const env = { ...world.env, NODE_OPTIONS: `--import=${DIE_AT}`, DIE_AT: JSON.stringify({ call, path }) };
  const dying = new Running(['bot', '--home', world.home], env);
  world.started.push(dying);
  await dying.logged('bot ready');
  const ids = ['', '/blog trip', 'sea'].map(
    (caption) => world.telegram.say({ photo: png(4, 4), caption, mediaGroupId: '77' }).message_id,
  );
  expect(await dying.exited).toMatchObject({ signal: 'SIGKILL' });

  const bot = await world.bot();
  const isDone = (): true | undefined => {
    const isSealed =
      world.names('spool', 'members').length === ids.length && world.names('spool', 'parts').length === 0;
    return isSealed && world.telegram.updatesWaiting.length === 0 ? true : undefined;
  };
  await world.eventually(isDone, 'the album in one request');
  // Once more, as Telegram may: all of it is known.
  world.telegram.rewind(world.telegram.confirmedOffset === undefined ? 0 : world.telegram.confirmedOffset - ids.length);
  await bot.logged('delivered again', { message: ids.at(-1) ?? 0 });

  expect(world.names('spool', 'requests')).toEqual(['41.json']);
  expect(world.names('spool', 'pending')).toEqual(['41.json']);
  expect(world.request(41)).toMatchObject({ messageIds: ids, text: 'trip\n\nsea', kind: 'blog' });
  expect(world.request(41).attachments).toHaveLength(ids.length);
  expect(world.names('spool', 'members')).toEqual(ids.map((id) => `${id}.json`));
  expect(world.names('spool', 'tmp')).toEqual([]);
});
