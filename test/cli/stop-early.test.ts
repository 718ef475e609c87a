import { expect, test, vi } from 'vitest';
import { openHome } from '../../src/cli/open-home.ts';
import { runBot } from '../../src/cli/run-bot.ts';
import { runConsumer } from '../../src/cli/run-consumer.ts';
import { ask, openDesk } from '../harness/consumer-desk.ts';

const ALREADY = AbortSignal.abort();

function justAfterTheStart(): AbortSignal {
  const controller = new AbortController();
  queueMicrotask(() => controller.abort());
  return controller.signal;
}

test.for([
  { when: 'before it began', signal: () => ALREADY },
  { when: 'while it takes its home', signal: justAfterTheStart },
])('a consumer that is to stop $when begins nothing, and leaves its home free', async ({ signal }) => {
  const world = await openDesk();
  const id = ask(world, 'hold');
  vi.stubEnv('TELEGRAM_BOT_TOKEN', world.telegram.token);
  vi.stubEnv('TELEGRAM_API_ROOT', world.telegram.apiRoot);

  await runConsumer(openHome(world.home), signal());
  await runBot(openHome(world.home), signal());

  expect(world.receipt(id)).toBeNull();
  expect(world.telegram.calls).toEqual([]);
  expect(world.names('state')).not.toContain('consumer.lock');
  expect(world.names('spool')).not.toContain('bot.lock');
  vi.unstubAllEnvs();
});
