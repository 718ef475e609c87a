/** `/status` and `/cancel` answer at once, whatever the consumer is busy with; bot and consumer in one process. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOf } from '../../src/platform/process-identity.ts';
import { type Running, type World, openWorld } from '../harness/bridge.ts';
import { openDesk } from '../harness/consumer-desk.ts';
import { png } from '../stand-in/bot-client.ts';

const AT_ONCE_MS = 2_000;
const SCRIPTED = join(import.meta.dirname, '..', 'agent', 'fixtures', 'scripted-agent.mjs');

async function started(world: World): Promise<Running> {
  const running = world.run('start');
  await running.logged('bot ready');
  await running.logged('consumer ready');
  return running;
}

/** Says it, and gives the words of the answer; fails where they take too long. */
async function answerTo(world: World, text: string): Promise<string> {
  const asked = performance.now();
  const { message_id: id } = world.telegram.say(text);
  const answer = await world.telegram.waitFor(
    ({ botMessages }) => botMessages.find(({ replyTo }) => replyTo === id),
    30_000,
  );
  expect(performance.now() - asked, text).toBeLessThan(AT_ONCE_MS);
  return answer?.text ?? '';
}

const cancelled = (world: World, id: number): Promise<unknown> =>
  world.receiptWhen(id, ({ state, error }) => state === 'failed' && error?.code === 'cancelled');

test('while an agent works, also one that does not want to end: its end is told when it comes', async () => {
  const world = await openDesk();
  world.program('tracer', '#!/bin/sh\ntrap "" TERM\necho $$ > "held-$BLOG_REQUEST_ID"\nwhile :; do sleep 0.2; done\n');
  await started(world);
  const id = world.telegram.say('/blog stay').message_id;
  await world.eventually(() => (existsSync(world.path(`held-${id}`)) ? true : undefined), 'the agent at work');

  expect(await answerTo(world, '/status')).toContain(`${id} is running`);
  expect(await answerTo(world, '/cancel')).toBe('Noted. It is being stopped.');
  await cancelled(world, id);
  await world.telegram.waitFor(({ botMessages }) => botMessages.some(({ text }) => text === 'Stopped.'));
});

test('while Telegram is slow to give a file', async () => {
  const world = await openDesk();
  world.telegram.fault({ method: 'getFile', times: Number.POSITIVE_INFINITY }, { stall: 'before' });
  await started(world);
  const { message_id: id } = world.telegram.say({ photo: png(4, 4), caption: '/blog sea' });
  await world.telegram.waitFor(({ calls }) => calls.some(({ method }) => method === 'getFile'), 30_000);

  expect(await answerTo(world, '/status')).toContain('1 waiting');
  // On a slow machine the end is told later.
  expect(['Stopped.', 'Noted. It is being stopped.']).toContain(await answerTo(world, '/cancel'));
  await cancelled(world, id);
});

test('while an agent is being started, which ends it with all that it started, as SIGTERM does', async () => {
  const world = await openWorld({ agent: { kind: 'sample' } });
  mkdirSync(world.path('store'));
  const script = { stays: true, start: [{ child: world.path('grandchild') }, { hang: true }] };
  world.program('script.json', JSON.stringify({ ...script, store: world.path('store') }));
  const agent = { kind: 'acp', command: [process.execPath, SCRIPTED, world.path('script.json')] };
  world.program(
    'config.json',
    JSON.stringify({ telegram: { chatId: world.telegram.chatId, userIds: [7001] }, agent, language: 'en' }),
  );
  const bridge = await started(world);
  const grandchild = async (): Promise<number> => {
    const find = (): number | undefined => {
      const pid = existsSync(world.path('grandchild')) ? readPid(world) : 0;
      return pid > 0 && identityOf(pid) !== null ? pid : undefined;
    };
    return world.eventually(find, 'the agent’s child');
  };
  const first = world.telegram.say('/blog one').message_id;
  const child = await grandchild();
  expect(await answerTo(world, '/status')).toContain('1 waiting');

  world.telegram.say('/cancel');
  await cancelled(world, first);
  await world.eventually(() => (identityOf(child) === null ? true : undefined), 'the end of the agent’s child');

  const second = world.telegram.say('/blog two').message_id;
  const other = await grandchild();
  expect(await bridge.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(identityOf(other)).toBeNull();
  expect(world.receipt(second)).toBeNull();
});

function readPid(world: World): number {
  return world.json<number>('grandchild');
}
