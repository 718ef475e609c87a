import { rmSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type World, openWorld } from '../harness/bridge.ts';

/** The bot has taken all that Telegram holds for it. */
const allTaken = (world: World): Promise<boolean> =>
  world.telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
const fileOf = (world: World, id: number): string => {
  const { ino, mtimeNs } = statSync(world.path('spool', 'requests', `${id}.json`), { bigint: true });
  return `${ino} ${mtimeNs}`;
};

test('a batch that comes again changes nothing, whether its requests wait, are settled, or are gone', async () => {
  const world = await openWorld();
  const { telegram } = world;
  const first = await world.bot();
  const ids = ['/blog one', '/blog one', '/blog three'].map((text) => telegram.say(text).message_id);
  const [one = 0, two = 0, three = 0] = ids;
  const names = ids.map((id) => `${id}.json`);
  const updateId = telegram.updatesWaiting[0]?.update_id ?? 0;
  await allTaken(world);
  expect(world.names('spool', 'requests')).toEqual(names);
  expect(world.request(two)).toMatchObject({ text: 'one' });
  const written = ids.map((id) => fileOf(world, id));

  // While they wait, after a crash that cost one its pending name.
  await first.kill();
  rmSync(world.path('spool', 'pending', `${two}.json`));
  telegram.rewind(updateId);
  const second = await world.bot();
  await allTaken(world);
  expect(ids.map((id) => fileOf(world, id))).toEqual(written);
  expect(world.names('spool', 'pending')).toEqual(names);
  expect(second.events.filter(({ event }) => event === 'request duplicate')).toHaveLength(3);

  // Settled; the file of one is moved away.
  await world.consumer();
  for (const id of ids) await world.settled(id);
  await world.eventually(
    () => (world.names('spool', 'pending').length === 0 ? true : undefined),
    'an empty pending folder',
  );
  rmSync(world.path('spool', 'requests', `${three}.json`));
  const sent = telegram.accepted('sendMessage').length;
  telegram.rewind(updateId);
  await allTaken(world);
  const later = telegram.say('/blog later').message_id;
  await world.settled(later);

  expect(world.names('spool', 'requests')).toEqual([one, two, later].map((id) => `${id}.json`));
  expect(telegram.accepted('sendMessage')).toHaveLength(sent + 1);
  expect(ids.map((id) => world.receipt(id)?.run)).toEqual([1, 1, 1]);
});

test('one message in two updates of one batch makes one request', async () => {
  const world = await openWorld();
  const { message_id: id } = world.telegram.say('/blog once');
  world.telegram.redeliver(world.telegram.updatesWaiting[0]?.update_id ?? 0);
  const bot = await world.bot();

  await allTaken(world);

  expect(world.names('spool', 'requests')).toEqual([`${id}.json`]);
  expect(bot.events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['request accepted', 'request duplicate']),
  );
});

test('what was said while no bot ran is taken, also under a list of wishes that another program left behind', async () => {
  const world = await openWorld();
  const ids = ['/blog a', '/blog b', '/blog c'].map((text) => world.telegram.say(text).message_id);
  await fetch(`${world.telegram.apiRoot}/bot${world.telegram.token}/getUpdates?allowed_updates=["callback_query"]`);
  await world.bot();
  await allTaken(world);
  const { message_id: later } = world.telegram.say('/blog later');

  await world.eventually(
    () => (world.names('spool', 'requests').includes(`${later}.json`) ? true : undefined),
    'the later request',
  );

  expect(world.names('spool', 'requests')).toEqual([...ids, later].map((id) => `${id}.json`));
});
