import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Running, openWorld } from '../harness/bridge.ts';

const DIE_AT = new URL('../harness/die-at.mjs', import.meta.url).href;

/** Where the bot is killed, and what it then has left behind: names in requests, in pending. */
test.each<[string, { call: string; path: string; nth?: number }, number, number]>([
  ['before the link', { call: 'linkSync', path: String.raw`/requests/41\.json$` }, 0, 0],
  ['between the link and the rename', { call: 'renameSync', path: String.raw`/pending/41\.json$` }, 1, 0],
  // The probe at the start has synced the folder before.
  ['before the sync of the folders', { call: 'openSync', path: '/spool/requests$', nth: 2 }, 1, 1],
  ['between the two syncs', { call: 'openSync', path: '/spool/pending$' }, 1, 1],
])(
  'a bot that is killed %s leaves one request, whole and pending, after the restart',
  async (_, instant, requests, pending) => {
    const world = await openWorld();
    const env = { ...world.env, NODE_OPTIONS: `--import=${DIE_AT}`, DIE_AT: JSON.stringify(instant) };
    const dying = new Running(['bot', '--home', world.home], env);
    world.started.push(dying);
    await dying.logged('bot ready');
    const { message_id: id } = world.telegram.say('/blog write about spools');
    expect(await dying.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(world.names('spool', 'requests')).toHaveLength(requests);
    expect(world.names('spool', 'pending')).toHaveLength(pending);
    expect(world.telegram.updatesWaiting).toHaveLength(1);

    await world.bot();
    await world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

    expect(world.names('spool', 'requests')).toEqual([`${id}.json`]);
    expect(world.names('spool', 'pending')).toEqual([`${id}.json`]);
    expect(world.names('spool', 'tmp')).toEqual([]);
    expect(statSync(world.path('spool', 'pending', `${id}.json`)).ino).toBe(
      statSync(world.path('spool', 'requests', `${id}.json`)).ino,
    );
    expect(world.request(id)).toMatchObject({ text: 'write about spools' });
  },
);

/** Where the bot is killed in a batch of three, and how many names it then has left behind in requests, in pending, in tmp. */
test.each<[string, { call: string; path: string; nth?: number }, number, number, number]>([
  ['before the first link', { call: 'linkSync', path: String.raw`/requests/41\.json$` }, 0, 0, 3],
  ['between two of them', { call: 'linkSync', path: String.raw`/requests/42\.json$` }, 1, 1, 2],
  ['before the sync of the folders', { call: 'openSync', path: '/spool/requests$', nth: 2 }, 3, 3, 0],
])(
  'a bot that is killed %s of a batch has confirmed nothing, and leaves each request once after the restart',
  async (_, instant, requests, pending, temporary) => {
    const world = await openWorld();
    const ids = ['one', 'two', 'three'].map((text) => world.telegram.say(`/blog ${text}`).message_id);
    const names = ids.map((id) => `${id}.json`);
    const env = { ...world.env, NODE_OPTIONS: `--import=${DIE_AT}`, DIE_AT: JSON.stringify(instant) };
    const dying = new Running(['bot', '--home', world.home], env);
    world.started.push(dying);
    expect(await dying.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(world.names('spool', 'requests')).toEqual(names.slice(0, requests));
    expect(world.names('spool', 'pending')).toEqual(names.slice(0, pending));
    expect(world.names('spool', 'tmp')).toHaveLength(temporary);
    expect(world.telegram.updatesWaiting).toHaveLength(3);

    await world.bot();
    await world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);

    expect(world.names('spool', 'requests')).toEqual(names);
    expect(world.names('spool', 'pending')).toEqual(names);
    expect(world.names('spool', 'tmp')).toEqual([]);
    expect(ids.map((id) => world.request(id)?.text)).toEqual(['one', 'two', 'three']);
  },
);
