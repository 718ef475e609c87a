/** What a person can order about a request (contract §6), each applied once, over one live consumer. */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import type { World } from '../harness/bridge.ts';
import {
  ask,
  buttonsOf,
  give,
  isAlive,
  isOver,
  noticesOf,
  openDesk,
  outcomeOf,
  runsOf,
} from '../harness/consumer-desk.ts';

/** Part 2 of the answers to these requests meets a fault, once. */
function spoilSecondPart(world: World, id: string, action: Parameters<World['telegram']['fault']>[1]): void {
  world.telegram.fault({ method: 'sendMessage', when: ({ text }) => String(text).startsWith(`${id} line 59`) }, action);
}

const partsOf = (world: World, id: string): string[] =>
  world.telegram
    .accepted('sendMessage')
    .flatMap(({ params }) => /^(\d+ line \d+),/u.exec(String(params['text']))?.[1] ?? [])
    .filter((line) => line.startsWith(`${id} `));
const sentParts = ({ reply }: Receipt): string[] => (reply?.parts ?? []).map(({ state }) => state);
const lastOrder = ({ history }: Receipt): object | undefined =>
  history.findLast(({ order }) => order !== undefined)?.order;

test('orders about answers: the rest is sent, never what is sent already', async () => {
  const world = await openDesk();
  const [doubtful, refused, dismissed, rerun] = ['100', '200', '300', '400'] as const;
  spoilSecondPart(world, doubtful, { reset: 'before' });
  spoilSecondPart(world, refused, { refuse: { code: 403, description: 'Forbidden: bot was blocked by the user' } });
  spoilSecondPart(world, dismissed, { reset: 'after' });
  spoilSecondPart(world, rerun, { status: 502, body: '<html>', accept: false });
  for (const id of [doubtful, refused, dismissed, rerun]) ask(world, 'parts', { messageId: Number(id) });
  await world.consumer();
  for (const id of [doubtful, refused, dismissed, rerun]) await world.receiptWhen(id, isOver);

  expect(sentParts(world.receipt(doubtful) as Receipt)).toEqual(['sent', 'sending', 'waiting']);
  expect(world.receipt(refused)).toMatchObject({
    state: 'failed',
    attention: 'failed',
    error: { stage: 'send', code: 'send-refused' },
  });
  expect(sentParts(world.receipt(refused) as Receipt)).toEqual(['sent', 'failed', 'waiting']);
  expect(noticesOf(world, doubtful).map(buttonsOf)).toEqual([['arrived', 'resend', 'rerun', 'dismiss']]);
  expect(noticesOf(world, refused).map(buttonsOf)).toEqual([['resend', 'rerun', 'dismiss']]);
  expect(noticesOf(world, doubtful)[0]?.text).toContain('1 of 3 parts');

  // `arrived`: the doubtful part counts as sent, the waiting one goes now.
  const seen = world.receipt(doubtful);
  const arrived = give(world, 'arrived', doubtful);
  expect(await outcomeOf(world, arrived)).toBe('applied');
  expect(await world.settled(doubtful)).toMatchObject({ attention: null, run: 1 });
  expect(partsOf(world, doubtful)).toEqual([`${doubtful} line 0`, `${doubtful} line 118`]);
  expect(lastOrder(world.receipt(doubtful) as Receipt)).toEqual({ id: arrived, verb: 'arrived', by: 'Owner' });

  // The same press again, and others that saw the same: refused, and nothing comes of them.
  for (const verb of ['arrived', 'resend', 'rerun', 'dismiss'] as const) {
    expect(await outcomeOf(world, give(world, verb, doubtful, seen)), verb).toBe('moved-on');
  }
  expect(await outcomeOf(world, give(world, 'resend', doubtful))).toBe('not-now');

  // `resend` goes on where it stopped.
  expect(await outcomeOf(world, give(world, 'resend', refused))).toBe('applied');
  await world.settled(refused);
  expect(partsOf(world, refused)).toEqual([0, 59, 118].map((line) => `${refused} line ${line}`));

  // `dismiss` closes; the doubtful part is not sent again, and `resend` stays possible for who changes his mind.
  expect(await outcomeOf(world, give(world, 'dismiss', dismissed))).toBe('applied');
  const closed = await world.receiptWhen(dismissed, ({ state }) => state === 'failed');
  expect(closed).toMatchObject({ attention: null, notice: null, error: { stage: 'send', code: 'dismissed' } });
  expect(partsOf(world, dismissed)).toHaveLength(2);
  await world.telegram.waitFor(() => noticesOf(world, dismissed)[0]?.edits.length === 1);
  expect(
    noticesOf(world, dismissed).map(({ text, buttons }) => ({ says: text.includes('Close: Owner'), buttons })),
  ).toEqual([{ says: true, buttons: [] }]);

  // `rerun`: the agent once more, the former reply kept.
  expect(await outcomeOf(world, give(world, 'rerun', rerun))).toBe('applied');
  const again = await world.settled(rerun);
  expect(again).toMatchObject({
    run: 2,
    previous: [
      { run: 1, error: null, reply: { parts: [{ state: 'sent' }, { state: 'sending' }, { state: 'waiting' }] } },
    ],
  });
  expect(runsOf(world, rerun)).toBe(2);
  expect(world.names('spool', 'decisions')).toEqual([]);
  expect([doubtful, refused, dismissed, rerun].flatMap((id) => noticesOf(world, id))).toHaveLength(4);
  await world.eventually(
    () => (world.names('spool', 'pending').length === 0 ? true : undefined),
    'an empty pending folder',
  );
});

test('orders about runs: cancel, dismiss and arrived act at once, rerun takes its turn', async () => {
  const world = await openDesk();
  const [broken, held, waiting] = ['100', '200', '300'] as const;
  ask(world, 'fail', { messageId: 100 });
  const consumer = await world.consumer();
  await world.receiptWhen(broken, isOver);
  expect(world.receipt(broken)).toMatchObject({ state: 'failed', error: { stage: 'agent', code: 'agent-exit' } });
  expect(noticesOf(world, broken).map(buttonsOf)).toEqual([['rerun', 'dismiss']]);
  ask(world, 'hold', { messageId: 200 });
  await world.eventually(() => (existsSync(world.path(`held-${held}`)) ? true : undefined), 'the agent at work');
  ask(world, 'short', { messageId: 300 });

  const turn = give(world, 'rerun', broken);
  expect(await outcomeOf(world, give(world, 'cancel', waiting, null))).toBe('applied');
  expect(world.receipt(waiting)).toMatchObject({
    state: 'failed',
    run: 0,
    error: { code: 'cancelled' },
    attention: null,
  });
  expect(world.names('state', 'decisions')).not.toContain(`${turn}.json`);
  expect(runsOf(world, broken)).toBe(1);

  // `/cancel` without a target means what runs when it is read.
  const running = give(world, 'cancel', null);
  expect(await outcomeOf(world, running)).toBe('applied');
  expect(world.receipt(held)).toMatchObject({
    state: 'failed',
    error: { stage: 'agent', code: 'cancelled' },
    attention: null,
  });
  expect(isAlive(Number(world.receipt(held)?.agent?.pid))).toBe(false);
  expect(await outcomeOf(world, turn)).toBe('applied');
  const again = await world.receiptWhen(
    broken,
    ({ run, state, attention }) => run === 2 && state === 'failed' && attention !== null,
  );
  expect(again.previous).toMatchObject([{ run: 1, reply: null, error: { code: 'agent-exit' } }]);

  expect(await outcomeOf(world, give(world, 'cancel', held))).toBe('not-now');
  expect(await outcomeOf(world, give(world, 'cancel', null))).toBe('nothing-running');
  expect(await outcomeOf(world, give(world, 'dismiss', '999', null))).toBe('unknown-request');
  writeFileSync(world.path('spool', 'decisions', 'xgarbage.json'), '{"version":1');
  expect(await outcomeOf(world, 'xgarbage')).toBe('unreadable');
  expect(runsOf(world, waiting)).toBe(0);
  const reactionOf = (id: string): string | undefined =>
    world.telegram.messages.find((message) => message.id === Number(id))?.reaction;
  await world.telegram.waitFor(() => [broken, held, waiting].every((id) => reactionOf(id) === '💔'));
  expect(await consumer.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  // Given while no consumer runs: carried out at the next start, before anything is claimed.
  ask(world, 'hold', { messageId: 400 });
  ask(world, 'short', { messageId: 500 });
  const early = [give(world, 'cancel', '400', null), give(world, 'dismiss', broken)];
  await world.consumer();
  expect(await Promise.all(early.map((id) => outcomeOf(world, id)))).toEqual(['applied', 'applied']);
  await world.settled('500');
  expect(runsOf(world, '400')).toBe(0);
  expect(world.receipt(broken)).toMatchObject({
    state: 'failed',
    attention: null,
    run: 2,
    error: { code: 'agent-exit' },
  });
});

test('two orders given at one instant, and the line down for a while: the rest is sent once, by the first of them', async () => {
  const world = await openDesk();
  const id = ask(world, 'parts', { messageId: 100 });
  spoilSecondPart(world, id, { reset: 'before' });
  await world.consumer();
  await world.receiptWhen(id, isOver);
  await world.telegram.waitFor((telegram) => telegram.botMessages.some(({ buttons }) => buttons.length > 0));
  const busy = { code: 429, description: 'Too Many Requests: retry after 3', parameters: { retry_after: 3 } };
  const last = {
    method: 'sendMessage',
    when: ({ text }: { text?: unknown }) => String(text).startsWith(`${id} line 118`),
  };
  const waited = world.telegram.fault(last, { refuse: busy });

  const arrived = give(world, 'arrived', id);
  const resend = give(world, 'resend', id);

  expect(await world.settled(id)).toMatchObject({ attention: null, run: 1 });
  expect([await outcomeOf(world, arrived), await outcomeOf(world, resend)]).toEqual(['applied', 'moved-on']);
  expect(waited.hits).toBe(1);
  expect(partsOf(world, id)).toEqual([`${id} line 0`, `${id} line 118`]);
  expect(noticesOf(world, id)).toHaveLength(1);
});
