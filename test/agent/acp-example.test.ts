import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Stage, held, ran } from './acp-script.ts';

/** The example agent of the protocol's SDK, in a version that nobody here made fit. */
const EXAMPLE = fileURLToPath(new URL('../../node_modules/acp-example/dist/examples/agent.js', import.meta.url));

describe.concurrent("the example agent of the protocol's SDK", () => {
  test.for([
    ['yes', { optionId: 'allow' }, /successfully updated/u, 'allowed'],
    ['no', 'denied', /skip the configuration/u, 'denied'],
  ] as const)('does a whole turn and asks one question, answered %s', async ([, answer, words, status]) => {
    const stage = new Stage();
    const agent = stage.agent({}, { command: [process.execPath, EXAMPLE] });
    const { outcome, run } = await ran(agent, stage.spec(), { onQuestion: async () => answer });
    expect(outcome).toMatchObject({ kind: 'answered', markdown: expect.stringMatching(words) });
    expect(run.steps()).toMatchObject([
      { kind: 'read', title: 'Reading project files', status: 'completed' },
      { kind: 'edit', title: 'Modifying critical configuration file' },
      { kind: 'permission', title: 'Modifying critical configuration file', status },
    ]);
  });

  test('is stopped in mid-turn', async () => {
    const stage = new Stage();
    const run = await held(stage.agent({}, { command: [process.execPath, EXAMPLE] }), stage.spec());
    run.letGo();
    await expect.poll(() => run.activity()).toBe('Reading project files');
    run.stop('cancelled');
    expect(await run.finished).toEqual({ kind: 'stopped', reason: 'cancelled' });
    expect(stage.read('run-1.out')).toMatch(/^I'll help you/u);
  });
});
