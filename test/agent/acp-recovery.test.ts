import { describe, expect, test } from 'vitest';
import { groupMembers } from '../../src/platform/process-group.ts';
import { type Action, LOADS, RESUMES, type Script, Stage, held, ran } from './acp-script.ts';

const TOOL: Action = { tool: { toolCallId: 't', status: 'pending' } };
const TOOL_OVER: Action = { update: { toolCallId: 't', status: 'completed' } };

const says = (words: string): string => `do: [{"say":"${words}"}]`;

describe('what the history of a session tells of a run', () => {
  test.for<[string, Action[], object]>([
    ['finished', [TOOL, TOOL_OVER, { say: 'The post.' }], { kind: 'answer', markdown: 'The post.' }],
    ['unfinished', [{ say: 'I look.' }, TOOL], { kind: 'unfinished' }],
  ])('killed before anybody heard its end is read from it: %s', async ([, turn, expected]) => {
    const stage = new Stage();
    const rest: Action[] = [{ mark: stage.path('here') }, { hang: true }];
    const agent = stage.agent({ capabilities: LOADS, turns: [[...turn, ...rest]] });
    const before = await held(agent, stage.spec());
    before.letGo();
    await expect.poll(() => stage.read('here')).not.toBe('');
    process.kill(-before.process.pid, 'SIGKILL');
    await before.finished;
    const told = stage.journal().length;
    expect(await agent.recover?.(stage.spec({ formerSession: before.session }))).toEqual(expected);
    expect(stage.journal().slice(told).flatMap(Object.keys)).toEqual(['initialize', 'load']);
  });

  test('the answer of that very run, not of one before or after it', async () => {
    const stage = new Stage();
    const agent = stage.agent({ capabilities: LOADS });
    const { run } = await ran(agent, stage.spec({ requestId: '4', prompt: says('first') }));
    const formerSession = run.session;
    await ran(agent, stage.spec({ requestId: '41', run: 1, prompt: says('second'), formerSession }));
    await ran(agent, stage.spec({ requestId: '41', run: 11, prompt: says('third'), formerSession }));
    const recovered = (requestId: string, number: number): unknown =>
      agent.recover?.(stage.spec({ requestId, run: number, formerSession }));
    expect(await recovered('4', 1)).toEqual({ kind: 'answer', markdown: 'first' });
    expect(await recovered('41', 1)).toEqual({ kind: 'answer', markdown: 'second' });
    expect(await recovered('41', 11)).toEqual({ kind: 'answer', markdown: 'third' });
    expect(await recovered('41', 2)).toEqual({ kind: 'unknown-request' });
  });

  test.for<[string, Script, object]>([
    ['shows the request late', { capabilities: LOADS, load: { late: true } }, { kind: 'answer', markdown: 'done' }],
    [
      'shows the request without its marker',
      { capabilities: LOADS, load: { withoutMarker: true } },
      { kind: 'unknown-request' },
    ],
    ['is lost', { capabilities: LOADS, load: { empty: true } }, { kind: 'unknown-request' }],
    [
      'is forgotten',
      { capabilities: LOADS, load: { forgets: true } },
      { kind: 'unavailable', reason: 'Resource not found' },
    ],
    ['cannot be loaded', { capabilities: RESUMES }, { kind: 'unavailable', reason: 'the agent cannot load a session' }],
    [
      'kills the agent',
      { capabilities: LOADS, load: { dies: true } },
      { kind: 'unavailable', reason: expect.stringMatching(/exit code 3/u) },
    ],
  ])('the history %s', async ([, script, expected]) => {
    const stage = new Stage();
    const { run } = await ran(stage.agent({}), stage.spec());
    expect(await stage.agent(script).recover?.(stage.spec({ formerSession: run.session }))).toEqual(expected);
  });

  test('nothing of the agent is left, the run keeps its files, and a run without a session tells nothing', async () => {
    const stage = new Stage();
    const { run } = await ran(stage.agent({}), stage.spec());
    const agent = stage.agent({ capabilities: LOADS, stays: true, start: [{ mark: stage.path('pid') }] });
    await agent.recover?.(stage.spec({ formerSession: run.session }));
    expect(groupMembers(Number(stage.read('pid')))).toEqual([]);
    expect(stage.read('run-1.out')).toBe('done');
    expect(await agent.recover?.(stage.spec())).toEqual({ kind: 'unavailable', reason: 'the run has no session' });
  });
});
