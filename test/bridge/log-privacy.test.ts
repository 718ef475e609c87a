/** What stands in the log at its default level: events, and ids that are the names of files; never what people write. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Saying } from '../../src/stand-in/person.ts';
import { type Running, openWorld } from '../harness/bridge.ts';

const UNREAD = 'update could not be read; kept in spool/unread';
const PATIENCE_MS = 40_000;
const CANARY = 'kanarienvogel';
/** Puts out all that it was told, on both outputs; fails where it is told to. */
const PARROT = 'text=$(cat); echo "$text"; echo "$text" >&2; case "$text" in fail*) exit 3 ;; esac';

test('through requests, replies, albums, failures, orders and strangers no word, name or file name of a person is logged', async () => {
  const world = await openWorld({
    agent: { kind: 'command', command: ['/bin/sh', '-c', PARROT] },
    config: { gatherSeconds: 0.2 },
  });
  const { telegram } = world;
  const from = { id: 7001, is_bot: false, first_name: `Anna ${CANARY}`, username: CANARY, language_code: 'en' };
  const say = (saying: Saying): number => telegram.say({ from, ...saying }).message_id;
  const bot = await world.bot();
  const consumer = await world.consumer();
  const first = say({ text: `/blog ${CANARY}` });
  const failing = say({ text: `/blog fail ${CANARY}` });
  const file = say({
    document: telegram.addFile(`${CANARY} as a file`, { name: `${CANARY}.txt` }),
    caption: `/blog see ${CANARY}`,
  });
  const paste = say({ text: `/blog ${CANARY}${'x'.repeat(4050)}` });
  say({ text: `the rest, ${CANARY}` });
  say({ text: CANARY });
  say({ text: `/${CANARY}` });
  telegram.edit(say({ text: `hello ${CANARY}` }), `/blog ${CANARY}`);
  telegram.say({ text: CANARY, from: { ...from, id: 6 } });
  const chat = { id: 7001, type: 'private' };
  const odd = { message_id: 9_000, date: 1e15, chat, from, text: `/blog ${CANARY}` };
  telegram.push({ message: odd });
  telegram.push({ message: { ...odd, date: CANARY } });
  await world.settled(first, PATIENCE_MS);
  await world.settled(paste, PATIENCE_MS);
  await world.settled(file, PATIENCE_MS);
  const failed = await world.receiptWhen(failing, ({ notice }) => notice?.state === 'sent', PATIENCE_MS);
  expect(failed.error?.message).toContain(CANARY);
  const data = `order:dismiss:${failing}:1:${failed.history.length}`;
  telegram.press(failed.notice?.messageId ?? 0, data, { ...from, id: 6 });
  telegram.press(failed.notice?.messageId ?? 0, data, from);
  telegram.press(failed.notice?.messageId ?? 0, CANARY, from);
  say({ text: `and ${CANARY}`, replyTo: first });
  await world.receiptWhen(failing, ({ attention }) => attention === null);
  await telegram.waitFor(({ updatesWaiting }) => updatesWaiting.length === 0);
  expect(world.names('spool', 'unread')).toHaveLength(2);
  await Promise.all([bot.kill('SIGTERM'), consumer.kill('SIGTERM')]);

  for (const { stderr, stdout } of [bot, consumer]) expect(`${stdout}${stderr}`).not.toContain(CANARY);
  expect(namesIn(bot, consumer).filter((name) => !existsSync(world.path(name)))).toEqual([]);
}, 120_000);

/** The files whose names the log's ids are. */
function namesIn(...running: Running[]): string[] {
  return running.flatMap(({ events }) =>
    events.flatMap(({ event, request, order, update }) => [
      ...(typeof request === 'string' ? [`spool/requests/${request}.json`] : []),
      ...(typeof order === 'string' ? [`state/decisions/${order}.json`] : []),
      ...(typeof update === 'number' && event === UNREAD ? [`spool/unread/${update}.json`] : []),
    ]),
  );
}
