import { describe, expect, test } from 'vitest';
import type { PermissionOption, RequestPermissionOutcome, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { answerQuestion } from '../../src/agent/acp-permission.ts';
import type { Question, RunHooks } from '../../src/core/ports.ts';
import { ALLOW_ONCE, type Action, REJECT_ONCE, Stage, held, ran } from './acp-script.ts';

const ALWAYS: PermissionOption = { optionId: 'ever', kind: 'allow_always', name: 'Always' };
const NEVER: PermissionOption = { optionId: 'never', kind: 'reject_always', name: 'Never' };

const asks = (options: PermissionOption[]): Action[] => [
  { tool: { toolCallId: 't', title: 'Delete drafts', kind: 'execute', rawInput: { command: 'rm -r drafts' } } },
  { ask: { toolCall: { toolCallId: 't' }, options } },
];

const ABOUT = { title: 'Delete drafts', about: 'rm -r drafts' };

function requestOf(options: PermissionOption[]): RequestPermissionRequest {
  return { sessionId: 's', toolCall: { toolCallId: 't' }, options };
}

function outcomeOf(optionId: string | null): RequestPermissionOutcome {
  return optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
}

describe('a question of the agent', () => {
  test.for<['allow' | 'reject', PermissionOption[], string | null, string]>([
    ['allow', [ALWAYS, REJECT_ONCE, ALLOW_ONCE], 'yes', 'allowed'],
    ['allow', [NEVER, ALWAYS], 'ever', 'allowed'],
    ['allow', [REJECT_ONCE], null, 'denied'],
    ['reject', [NEVER, REJECT_ONCE, ALLOW_ONCE], 'no', 'denied'],
    ['reject', [ALLOW_ONCE, NEVER], 'never', 'denied'],
    ['reject', [ALLOW_ONCE], null, 'denied'],
  ])('with permissions %s and the options %j is answered at once: %s', async ([policy, options, chosen, status]) => {
    const hooks: RunHooks = { onQuestion: () => Promise.reject(new Error('nobody is asked')) };
    const answer = await answerQuestion(policy, requestOf(options), ABOUT, hooks, new AbortController().signal);
    expect(answer).toEqual({ response: { outcome: outcomeOf(chosen) }, status });
  });

  test.for<[string, RunHooks | undefined, string]>([
    ['a person allows', { onQuestion: async () => ({ optionId: 'yes' }) }, 'yes'],
    ['a person refuses by an option', { onQuestion: async () => ({ optionId: 'no' }) }, 'no'],
    ['it is denied', { onQuestion: async () => 'denied' }, 'no'],
    ['an option is chosen that was not offered', { onQuestion: async () => ({ optionId: 'other' }) }, 'no'],
    ['asking fails', { onQuestion: () => Promise.reject(new Error('no line')) }, 'no'],
    ['nobody can be asked', undefined, 'no'],
  ])('is answered where %s', async ([, hooks, chosen]) => {
    const request = requestOf([ALLOW_ONCE, REJECT_ONCE]);
    const answer = await answerQuestion('ask', request, ABOUT, hooks, new AbortController().signal);
    expect(answer.response.outcome).toEqual(outcomeOf(chosen));
  });

  test('that is answered at once leaves a line in the steps', async () => {
    const stage = new Stage();
    const agent = stage.agent({ turns: [asks([ALLOW_ONCE])] }, { permissions: 'allow' });
    const { outcome, run } = await ran(agent, stage.spec());
    expect(outcome).toMatchObject({ kind: 'answered', markdown: 'answer: selected yes' });
    expect(run.steps()).toMatchObject([
      { kind: 'execute', title: 'Delete drafts' },
      { kind: 'permission', title: 'Delete drafts', status: 'allowed', endedAt: expect.any(String) },
    ]);
  });

  test('goes out with its title, what it is about, and its options', async () => {
    const stage = new Stage();
    const heard: Question[] = [];
    const onQuestion: RunHooks['onQuestion'] = async (question) => (heard.push(question), 'denied');
    const turn: Action[] = [
      ...asks([ALLOW_ONCE, NEVER]),
      {
        ask: {
          toolCall: { toolCallId: 'u', title: 'Write', locations: [{ path: '/blog/a.md' }] },
          options: [ALLOW_ONCE],
        },
      },
      {
        ask: {
          toolCall: { toolCallId: 'v', title: 'Run', rawInput: { command: ['ls', '-l'] } },
          options: [ALLOW_ONCE],
        },
      },
    ];
    await ran(stage.agent({ turns: [turn] }), stage.spec(), { onQuestion });
    const yes = { id: 'yes', kind: 'allow_once', name: 'Yes' };
    expect(heard).toEqual([
      {
        title: 'Delete drafts',
        about: 'rm -r drafts',
        options: [yes, { id: 'never', kind: 'reject_always', name: 'Never' }],
      },
      { title: 'Write', about: '/blog/a.md', options: [yes] },
      { title: 'Run', about: 'ls -l', options: [yes] },
    ]);
  });

  test('is taken back when the run is stopped, and the agent told so', async () => {
    const stage = new Stage();
    const asked: AbortSignal[] = [];
    const onQuestion: RunHooks['onQuestion'] = (_, over) => {
      asked.push(over);
      return new Promise(() => undefined);
    };
    const run = await held(stage.agent({ turns: [asks([ALLOW_ONCE])] }), stage.spec(), { onQuestion });
    run.letGo();
    await expect.poll(() => asked).toHaveLength(1);
    expect(run.steps().at(-1)).toMatchObject({ kind: 'permission', status: 'waiting', endedAt: null });
    run.stop('cancelled');
    expect(asked[0]?.aborted).toBe(true);
    expect(await run.finished).toEqual({ kind: 'stopped', reason: 'cancelled' });
    expect(stage.journal()).toContainEqual({ answer: { outcome: 'cancelled' } });
    expect(run.steps().at(-1)).toMatchObject({ kind: 'permission', status: 'cancelled' });
  });

  test('is taken back when the agent dies', async () => {
    const stage = new Stage();
    const asked: AbortSignal[] = [];
    const onQuestion: RunHooks['onQuestion'] = (_, over) => {
      asked.push(over);
      return new Promise(() => undefined);
    };
    const run = await held(stage.agent({ turns: [asks([ALLOW_ONCE])] }), stage.spec(), { onQuestion });
    run.letGo();
    await expect.poll(() => asked).toHaveLength(1);
    process.kill(run.process.pid, 'SIGKILL');
    expect(await run.finished).toMatchObject({ kind: 'failed', code: 'agent-signal' });
    expect(asked[0]?.aborted).toBe(true);
  });
});
