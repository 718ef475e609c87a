import { describe, expect, test } from 'vitest';
import { groupMembers } from '../../src/platform/process-group.ts';
import { type Action, Stage, held, ran } from './acp-script.ts';

describe('a turn of an ACP agent', () => {
  test('nothing is prompted before it is let go, and then once', async () => {
    const stage = new Stage();
    const run = await held(stage.agent({}), stage.spec());
    expect(stage.journal().map((told) => Object.keys(told)[0])).toEqual(['initialize', 'new']);
    expect(groupMembers(run.process.pid)).toContain(run.process.pid);
    run.letGo();
    run.letGo();
    expect(await run.finished).toEqual({ kind: 'answered', markdown: 'done', whole: null });
    expect(stage.journal().filter((told) => 'prompt' in told)).toHaveLength(1);
    expect(groupMembers(run.process.pid)).toEqual([]);
    expect(run.session).toMatch(/^s-/u);
    expect(run.origin).toBe('new');
  });

  test('it is offered neither files nor a terminal, and its working folder', async () => {
    const stage = new Stage();
    await ran(stage.agent({}), stage.spec());
    const [greeting, opened] = stage.journal();
    expect(greeting?.['initialize']).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    expect(opened?.['new']).toMatchObject({ cwd: stage.path('work'), mcpServers: [] });
  });

  test('its reply is its message, in paragraphs where another message or a tool call came between', async () => {
    const stage = new Stage();
    const turn: Action[] = [
      { think: 'hm' },
      { inject: 'write about spools' },
      { say: 'I ' },
      { say: 'look.' },
      { tool: { toolCallId: 't' } },
      { say: 'Here' },
      { update: { toolCallId: 't', status: 'completed' } },
      { say: ' it is.', messageId: 'm1' },
      { say: ' So', messageId: 'm1' },
      { say: 'Done.', messageId: 'm2' },
    ];
    const { outcome } = await ran(stage.agent({ turns: [turn] }), stage.spec());
    const markdown = 'I look.\n\nHere it is. So\n\nDone.';
    expect(outcome).toEqual({ kind: 'answered', markdown, whole: null });
    expect(stage.read('run-1.out')).toBe(markdown);
  });

  test.for<[string, Action[], string]>([
    [
      'an update that nobody knows is passed over',
      [{ raw: { update: { sessionUpdate: 'new_thing' } } }, { say: 'yes' }],
      'yes',
    ],
    [
      'an update of another session is none of it',
      [
        {
          raw: {
            sessionId: 'x',
            update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'other' } },
          },
        },
        { say: 'yes' },
      ],
      'yes',
    ],
    ['what is no protocol is passed over', [{ print: 'rubbish\n[1]\n{"a":\n' }, { say: 'yes' }], 'yes'],
  ])('of its reply, %s', async ([, turn, markdown]) => {
    const stage = new Stage();
    const { outcome } = await ran(stage.agent({ turns: [turn] }), stage.spec());
    expect(outcome).toEqual({ kind: 'answered', markdown, whole: null });
    expect(stage.read('run-1.out')).toBe(markdown);
  });

  test('a reply over 1 MiB is cut, and its file holds the whole', async () => {
    const stage = new Stage();
    const line = '글'.repeat(100_000);
    const { outcome } = await ran(
      stage.agent({ turns: [Array.from({ length: 5 }, () => ({ say: line }))] }),
      stage.spec(),
    );
    if (outcome.kind !== 'answered') throw new Error(outcome.kind);
    expect(Buffer.byteLength(outcome.markdown)).toBeGreaterThan(1024 * 1024 - 3);
    expect(outcome.markdown).not.toContain('\uFFFD');
    expect(outcome.whole).toBe(stage.path('run-1.out'));
    expect(stage.read('run-1.out')).toBe(line.repeat(5));
  });

  test('a text is in the file while the agent still works, and its activity is told', async () => {
    const stage = new Stage();
    const turn: Action[] = [
      { say: 'half' },
      {
        plan: [
          { content: 'Draft', status: 'in_progress' },
          { content: 'Check', status: 'pending' },
        ],
      },
      { tool: { toolCallId: 't', title: 'Edit  post.md', kind: 'edit', status: 'in_progress' } },
      { mark: stage.path('here') },
      { untilCancelled: true },
    ];
    const run = await held(stage.agent({ turns: [turn] }), stage.spec());
    expect(run.activity()).toBeNull();
    run.letGo();
    await expect.poll(() => run.activity()).toBe('Draft: Edit post.md');
    expect(stage.read('run-1.out')).toBe('half');
    run.stop('cancelled');
    await run.finished;
    expect(run.activity()).toBeNull();
  });

  test('its steps are told in order, with their times and how they ended', async () => {
    const stage = new Stage();
    const turn: Action[] = [
      { plan: [{ content: 'Draft', status: 'in_progress' }] },
      { tool: { toolCallId: 'a', title: 'Read notes', kind: 'read', status: 'pending' } },
      { update: { toolCallId: 'a', status: 'completed' } },
      { tool: { toolCallId: 'b', title: 'Run', kind: 'execute' } },
      { update: { toolCallId: 'b', title: 'Run tests', status: 'failed' } },
      { plan: [{ content: 'Draft', status: 'completed' }] },
      { tool: { toolCallId: 'c', title: 'Left open', status: 'in_progress' } },
      { say: 'ok' },
    ];
    const { run } = await ran(stage.agent({ turns: [turn] }), stage.spec());
    const time = expect.stringMatching(/^20.*Z$/u);
    expect(run.steps()).toEqual([
      { at: time, endedAt: time, kind: 'plan', title: 'Draft', status: 'completed' },
      { at: time, endedAt: time, kind: 'read', title: 'Read notes', status: 'completed' },
      { at: time, endedAt: time, kind: 'execute', title: 'Run tests', status: 'failed' },
      { at: time, endedAt: null, kind: 'other', title: 'Left open', status: 'in_progress' },
    ]);
  });

  test('its environment has the names of the run and nothing else of ours', async () => {
    const stage = new Stage();
    process.env['TELEGRAM_BOT_TOKEN'] = 'secret';
    process.env['BLOG_BRIDGE_HOME'] = '/x';
    try {
      const { outcome } = await ran(stage.agent({ turns: [[{ echoEnvironment: true }]] }), stage.spec());
      if (outcome.kind !== 'answered') throw new Error(outcome.kind);
      const environment: Record<string, string> = JSON.parse(outcome.markdown);
      expect(environment['BLOG_REQUEST_ID']).toBe('41');
      expect(Object.keys(environment).filter((name) => /^(?:TELEGRAM_|BLOG_BRIDGE_)/u.test(name))).toEqual([]);
    } finally {
      delete process.env['TELEGRAM_BOT_TOKEN'];
      delete process.env['BLOG_BRIDGE_HOME'];
    }
  });
});
