/** A system that has no watch left for anybody (Linux, `max_inotify_instances`): the folders are read all the same. */
import { expect, test } from 'vitest';
import { openWorld } from '../harness/bridge.ts';
import { needsTool } from '../harness/required-tool.ts';

test('without any watch a request is answered all the same, and one log line says so', async (context) => {
  needsTool('unshare', 'util-linux', (note) => context.skip(note));
  const world = await openWorld();
  await world.bot();
  const noWatch = ['unshare', '-Ur', 'sh', '-c', 'echo 0 >/proc/sys/user/max_inotify_instances && exec "$@"', 'sh'];
  const consumer = world.runUnder(noWatch, {}, 'consumer');
  await consumer.logged('consumer ready');

  await world.settled(world.telegram.say('/blog first').message_id);
  await world.settled(world.telegram.say('/blog second').message_id);

  const told = consumer.stderr.split('\n').filter((line) => line.includes('watching is not possible'));
  expect(told).toHaveLength(1);
});
