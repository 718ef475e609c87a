import { expect, test } from 'vitest';
import { openWorld } from '../harness/bridge.ts';

test('a line in the chat becomes one request, one run, one answer, one receipt', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['/bin/cat'] } });
  await world.bot();
  await world.consumer();
  const { message_id: id } = world.telegram.say('/blog write about spools');

  const receipt = await world.settled(id);

  expect(world.request(id)).toMatchObject({
    id: String(id),
    kind: 'blog',
    text: 'write about spools',
    conversation: String(id),
  });
  expect(receipt.history.map(({ state }) => state)).toEqual(['submitted', 'sending', 'sent']);
  const answers = world.telegram.botMessages;
  expect(answers.map(({ text, replyTo }) => ({ text, replyTo }))).toEqual([
    { text: 'write about spools', replyTo: id },
  ]);
  expect(receipt.reply?.parts[0]?.messageIds).toEqual([answers[0]?.id]);
  await world.eventually(
    () => (world.names('spool', 'pending').length === 0 ? true : undefined),
    'an empty pending folder',
  );
});

test('a reply to the answer goes on with the conversation, in the same session', async () => {
  const agent = ['/bin/sh', '-c', 'cat; echo; echo "$BLOG_SESSION_ID $BLOG_TURN"'];
  const world = await openWorld({ agent: { kind: 'command', command: agent } });
  await world.bot();
  await world.consumer();
  const { message_id: first } = world.telegram.say('/blog one');
  const opened = await world.settled(first);
  const { message_id: second } = world.telegram.say({
    text: 'two',
    replyTo: world.telegram.botMessages[0]?.id as number,
  });

  const receipt = await world.settled(second);

  expect(world.request(second)).toMatchObject({ kind: 'reply', conversation: String(first), text: 'two' });
  expect(receipt).toMatchObject({ session: opened.session, turn: 2 });
  expect(receipt.reply?.markdown).toContain(`${opened.session} 2`);
});
