/** Plays one history to its rest and holds it against the rules. */
import * as fc from 'fast-check';
import type { Around } from './bridge.ts';
import { breachesOf } from './rules.ts';
import type { Story } from './story.ts';
import { World } from './world.ts';

export async function play(
  commands: Iterable<fc.AsyncCommand<object, World>>,
  mutate?: Around['mutate'],
): Promise<{ story: Story; breaches: string[] }> {
  const world = new World(mutate);
  try {
    world.start('bot');
    world.start('consumer');
    await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
    const rest = await world.comeToRest();
    return { story: world.story, breaches: breachesOf(world.story, rest) };
  } finally {
    world.close();
  }
}
