import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import { Stage } from '../agent/acp-script.ts';
import { type Running, type World, openWorld } from '../harness/bridge.ts';
import { png } from '../stand-in/bot-client.ts';
import { type ModelStandIn, startModel } from './model-stand-in.ts';
import { REAL_AGENTS, type RealAgent } from './real-agents.ts';

const PATIENCE_MS = 60_000;

interface Scene {
  world: World;
  stage: Stage;
  model: ModelStandIn;
  consumer: Running;
  /** Says it in the chat and waits for the end that it comes to. */
  ends: (words: Parameters<World['telegram']['say']>[0], isOver?: (receipt: Receipt) => boolean) => Promise<Receipt>;
}

async function open(real: RealAgent): Promise<Scene> {
  const world = await openWorld();
  const model = await startModel();
  onTestFinished(() => model.close());
  const stage = new Stage();
  const agent = { kind: 'acp', command: real.command(stage, model.url), mode: real.mode };
  const telegram = { chatId: world.telegram.chatId, userIds: [7001] };
  writeFileSync(world.path('config.json'), JSON.stringify({ telegram, agent, language: 'en' }));
  await world.bot();
  const ends: Scene['ends'] = (words, isOver = ({ state }) => state === 'sent') =>
    world.receiptWhen(world.telegram.say(words).message_id, isOver, PATIENCE_MS);
  return { world, stage, model, consumer: await world.consumer(), ends };
}

/** Whether the words stand in the agent's own history as its answer, and not only in the prompt. */
function remembers(stage: Stage, words: string): boolean {
  const files = readdirSync(stage.path('home'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  return files.some((name) =>
    new RegExp(`(?<!say )${words}`, 'u').test(readFileSync(stage.path('home', name), 'utf8')),
  );
}

for (const real of REAL_AGENTS) {
  describe.skipIf(!real.isInstalled())(`${real.name}, behind the whole bridge`, { timeout: 4 * PATIENCE_MS }, () => {
    test('answers, goes on after a restart, sees a picture, asks by buttons, and is cancelled', async () => {
      const { world, model, consumer, ends } = await open(real);
      const first = await ends('/blog say the first answer');
      expect(first).toMatchObject({ sessionOrigin: 'new', reply: { markdown: 'the first answer' } });

      await consumer.kill('SIGTERM');
      await world.consumer();
      const second = await ends({ text: 'say the second answer', replyTo: world.telegram.botMessages[0]?.id ?? 0 });
      expect(second).toMatchObject({ session: first.session, turn: 2, reply: { markdown: 'the second answer' } });
      expect(second.sessionOrigin).toMatch(/^(?:resumed|loaded)$/u);

      await ends({ photo: png(8, 8), caption: '/blog say seen' });
      expect(model.calls.some((call) => /"image_url":"data:image|"type":"base64"/u.test(JSON.stringify(call)))).toBe(
        true,
      );

      const asked = world.telegram.say(`/blog run touch ${world.path('work', 'made')}`).message_id;
      await world.telegram.waitFor(
        ({ botMessages }) => botMessages.some(({ buttons }) => buttons.length > 0),
        PATIENCE_MS,
      );
      const question = world.telegram.botMessages.find(({ buttons }) => buttons.length > 0);
      expect(question?.text).toContain('touch');
      world.telegram.press(question?.id ?? 0, question?.buttons[0]?.[0]?.callback_data ?? '');
      await world.receiptWhen(asked, ({ state }) => state === 'sent', PATIENCE_MS);
      expect(existsSync(world.path('work', 'made'))).toBe(true);

      const silent = model.held();
      const held = world.telegram.say('/blog hold').message_id;
      await silent;
      world.telegram.say({ text: '/cancel', replyTo: held });
      expect(await world.receiptWhen(held, ({ state }) => state === 'failed', PATIENCE_MS)).toMatchObject({
        error: { code: 'cancelled' },
      });
    });

    test('when the consumer is killed in mid-turn, the run is interrupted, once, and the next request runs', async () => {
      const { world, model, consumer, ends } = await open(real);
      const silent = model.held();
      const id = world.telegram.say('/blog hold').message_id;
      await silent;
      await consumer.kill();
      await world.consumer();
      const receipt = await world.receiptWhen(id, ({ attention }) => attention !== null, PATIENCE_MS);
      expect(receipt).toMatchObject({ state: 'submitted', attention: 'interrupted-run', run: 1 });
      await ends('/blog say the next answer');
    });

    test('when the consumer is killed after the model had answered, the answer is found and sent, once', async () => {
      const { world, stage, model, consumer } = await open(real);
      const id = world.telegram.say('/blog say the only answer').message_id;
      await expect.poll(() => model.calls.length, { timeout: PATIENCE_MS, interval: 5 }).toBeGreaterThan(0);
      // The consumer stands still, so that it cannot record what the agent gives.
      consumer.child.kill('SIGSTOP');
      await expect.poll(() => remembers(stage, 'the only answer'), { timeout: PATIENCE_MS }).toBe(true);
      await consumer.kill();
      await world.consumer();
      const receipt = await world.receiptWhen(
        id,
        ({ state, attention }) => state === 'sent' || attention !== null,
        PATIENCE_MS,
      );
      expect(receipt).toMatchObject({ state: 'sent', run: 1, recovery: 'answer', reply: { recovered: true } });
      const told = world.telegram.botMessages.filter(({ text }) => text.includes('the only answer'));
      expect(told).toHaveLength(1);
    });
  });
}
