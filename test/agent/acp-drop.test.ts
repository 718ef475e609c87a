/** An agent that is being started can be given up at any moment (`hold` and `recover` with a signal). */
import { existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { identityOf } from '../../src/platform/process-identity.ts';
import { LOADS, Stage, ran } from './acp-script.ts';

/** Far longer than any test waits: only the signal ends such an agent in time. */
const NEVER = { startMs: 600_000 };

const groupOf = (stage: Stage): Promise<number> =>
  vi.waitFor(() => {
    const pid = Number(stage.read('grandchild'));
    if (!(pid > 0)) throw new Error('not started yet');
    return pid;
  }, 10_000);

test('a hold whose signal comes while the agent is silent ends it with all that it started', async () => {
  const stage = new Stage();
  const script = { stays: true as const, start: [{ child: stage.path('grandchild') }, { hang: true as const }] };
  const stop = new AbortController();
  const holding = stage.agent(script, { limits: NEVER }).hold(stage.spec(), undefined, stop.signal);
  const grandchild = await groupOf(stage);

  stop.abort();

  expect(await holding).toEqual({ kind: 'dropped' });
  expect(identityOf(grandchild)).toBeNull();
});

test('a hold whose signal came before starts nothing', async () => {
  const stage = new Stage();
  const holding = stage
    .agent({ start: [{ mark: stage.path('started') }] })
    .hold(stage.spec(), undefined, AbortSignal.abort());

  expect(await holding).toEqual({ kind: 'dropped' });
  expect(existsSync(stage.path('started'))).toBe(false);
});

test('a signal that comes once the run is held leaves it alone', async () => {
  const stage = new Stage();
  const stop = new AbortController();
  const held = await stage.agent({}).hold(stage.spec(), undefined, stop.signal);
  stop.abort();
  if (held.kind !== 'held') throw new Error(held.kind);

  held.run.letGo();

  expect(await held.run.finished).toMatchObject({ kind: 'answered', markdown: 'done' });
});

test('a look into the history is given up in the same way', async () => {
  const stage = new Stage();
  const { run } = await ran(stage.agent({ capabilities: LOADS }), stage.spec());
  const stop = new AbortController();
  const script = { capabilities: LOADS, start: [{ child: stage.path('grandchild') }, { hang: true as const }] };
  const looking = stage
    .agent(script, { limits: NEVER })
    .recover?.(stage.spec({ formerSession: run.session }), stop.signal);
  const grandchild = await groupOf(stage);

  stop.abort();

  expect(await looking).toMatchObject({ kind: 'unavailable' });
  expect(identityOf(grandchild)).toBeNull();
});
