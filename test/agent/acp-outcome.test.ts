import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isErrorText } from '../../src/agent/acp-outcome.ts';
import type { AcpSettings } from '../../src/agent/acp-settings.ts';
import type { RunOutcome } from '../../src/core/ports.ts';
import { groupMembers } from '../../src/platform/process-group.ts';
import { type Action, LOADS, type Script, Stage, held, ran } from './acp-script.ts';

const failure = (code: string, words: RegExp): object => ({
  kind: 'failed',
  code,
  message: expect.stringMatching(words),
});

describe('how a turn ends', () => {
  test.for<[string, Action[], object]>([
    [
      'max_tokens with a text',
      [{ say: 'half' }, { stop: 'max_tokens' }],
      { kind: 'answered', markdown: 'half', note: 'max_tokens' },
    ],
    [
      'max_turn_requests with a text',
      [{ say: 'half' }, { stop: 'max_turn_requests' }],
      { kind: 'answered', note: 'max_turn_requests' },
    ],
    ['a refusal with a text', [{ say: 'I will not' }, { stop: 'refusal' }], { kind: 'answered', note: 'refusal' }],
    [
      'cancelled by the agent, with a text',
      [{ say: 'half' }, { stop: 'cancelled' }],
      { kind: 'answered', note: 'cancelled' },
    ],
    ['a refusal without a text', [{ stop: 'refusal' }], failure('agent-refusal', /refusal.*without a text/u)],
    ['max_tokens without a text', [{ stop: 'max_tokens' }], failure('agent-max_tokens', /max_tokens/u)],
    ['cancelled by the agent without a text', [{ stop: 'cancelled' }], failure('agent-cancelled', /cancelled/u)],
    ['no text', [{ stderr: 'why\n' }, { stop: 'end_turn' }], failure('agent-empty', /without a text: why/u)],
    ['white space for a text', [{ say: ' \n\u200B' }], failure('agent-empty', /without a text/u)],
    ['an error for a text', [{ say: 'API Error: 401 {"type":"error"}' }], failure('agent-error', /API Error: 401/u)],
    [
      'an error of the protocol',
      [{ say: 'half' }, { fail: { code: -32603, message: 'Internal error', data: { details: 'rate limited' } } }],
      failure('agent-error', /Internal error: rate limited; what it had written stands in .*run-1\.out/u),
    ],
    [
      'exit code 3 in mid-turn',
      [{ say: 'half' }, { stderr: 'out of luck\n' }, { die: 3 }],
      failure('agent-exit', /exit code 3: out of luck.*run-1\.out/u),
    ],
    ['exit code 0 in mid-turn', [{ die: 0 }], failure('agent-exit', /exit code 0, without a word/u)],
    ['killed in mid-turn', [{ die: 'SIGKILL' }], failure('agent-signal', /ended by SIGKILL/u)],
    ['its output closed in mid-turn', [{ closeOutput: true }], failure('agent-exit', /exit code 0/u)],
  ])('%s', async ([, turn, expected]) => {
    const stage = new Stage();
    const { outcome, run } = await ran(stage.agent({ turns: [turn] }), stage.spec());
    expect(outcome).toMatchObject(expected);
    expect(groupMembers(run.process.pid)).toEqual([]);
  });

  test('files that were left for the person are an answer without words', async () => {
    const stage = new Stage();
    writeFileSync(stage.path('out', 'picture.png'), 'x');
    const { outcome } = await ran(stage.agent({ turns: [[{ stop: 'end_turn' }]] }), stage.spec());
    expect(outcome).toEqual({ kind: 'answered', markdown: '', whole: null });
  });

  test.for<[string, Action[], Script, Partial<AcpSettings>, object]>([
    [
      'output without end',
      [{ flood: 4e6 }, { hang: true }],
      {},
      { limits: { outputBytes: 2e6 } },
      failure('agent-flood', /more than 2000000 bytes/u),
    ],
    [
      'a line without end',
      [{ print: 'x'.repeat(34e6) }, { hang: true }],
      {},
      {},
      failure('agent-flood', /a line of more than/u),
    ],
    [
      'words on stderr without end',
      [{ stderr: 'x'.repeat(3e6) }, { hang: true }],
      {},
      { limits: { outputBytes: 2e6 } },
      failure('agent-flood', /more than 2000000 bytes/u),
    ],
    [
      'an end that it does not survive',
      [{ say: 'ok' }],
      { stays: true },
      { limits: { closeMs: 100 } },
      { kind: 'answered', markdown: 'ok' },
    ],
  ])('%s ends with its whole group', async ([, turn, script, settings, expected]) => {
    const stage = new Stage();
    const first: Action[] = [{ child: stage.path('grandchild') }, ...turn];
    const { outcome, run } = await ran(stage.agent({ ...script, turns: [first] }, settings), stage.spec());
    expect(outcome).toMatchObject(expected);
    expect(groupMembers(run.process.pid)).toEqual([]);
  });

  test.for([
    ['API Error: 500 overloaded', true],
    ['Error: 529 overloaded_error', true],
    ['Invalid API key · Please run /login', true],
    ['Error handling in Rust\n\nA post about `?`.', false],
    ['# Error: the history of a word', false],
    [`Error: what went wrong\n\nIn 1999 …`, false],
  ] as const)('%j is nothing but an error: %s', ([text, expected]) => {
    expect(isErrorText(text)).toBe(expected);
  });
});

describe('stopping a run', () => {
  const stopped: RunOutcome = { kind: 'stopped', reason: 'cancelled' };

  test.for<[string, Action[]]>([
    ['one that ends its turn', [{ untilCancelled: true }, { stop: 'cancelled' }]],
    ['one that answers all the same', [{ untilCancelled: true }, { say: 'too late' }]],
    ['one that fails upon it', [{ untilCancelled: true }, { fail: { code: -32603, message: 'aborted' } }]],
    ['one that dies upon it', [{ untilCancelled: true }, { die: 1 }]],
    ['one that does not care', [{ hang: true }]],
  ])('%s is stopped with its whole group', async ([, rest]) => {
    const stage = new Stage();
    const turn: Action[] = [
      { child: stage.path('grandchild') },
      { say: 'half' },
      { tool: { toolCallId: 'here' } },
      ...rest,
    ];
    const run = await held(stage.agent({ turns: [turn] }), stage.spec());
    run.letGo();
    await expect.poll(() => run.activity()).toBe('here');
    run.stop('cancelled');
    run.stop('timeout');
    expect(await run.finished).toEqual(stopped);
    expect(stage.journal()).toContainEqual({ cancel: run.session });
    expect(stage.read('run-1.out')).toMatch(/^half/u);
    expect(groupMembers(run.process.pid)).toEqual([]);
  });

  test('what comes late after it is no part of the next reply in that session', async () => {
    const stage = new Stage();
    const turn: Action[] = [{ tool: { toolCallId: 'here' } }, { untilCancelled: true }, { say: 'too late' }];
    const run = await held(stage.agent({ turns: [turn] }), stage.spec());
    run.letGo();
    await expect.poll(() => run.activity()).toBe('here');
    run.stop('cancelled');
    await run.finished;
    const next = stage.spec({ requestId: '43', formerSession: run.session });
    const { outcome } = await ran(stage.agent({ capabilities: LOADS }), next);
    expect(outcome).toEqual({ kind: 'answered', markdown: 'done', whole: null });
  });

  test('a run that was only held is ended at once, and never prompted', async () => {
    const stage = new Stage();
    const run = await held(stage.agent({ stays: true }), stage.spec());
    run.stop('cancelled');
    run.letGo();
    expect(await run.finished).toEqual(stopped);
    expect(stage.journal().some((told) => 'prompt' in told)).toBe(false);
    expect(groupMembers(run.process.pid)).toEqual([]);
  });

  test('a run that had ended by itself stays answered', async () => {
    const stage = new Stage();
    const { outcome, run } = await ran(stage.agent({}), stage.spec());
    run.stop('cancelled');
    expect(outcome.kind).toBe('answered');
    expect((await run.finished).kind).toBe('answered');
  });
});
