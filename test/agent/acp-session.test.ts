import { describe, expect, test } from 'vitest';
import type { AcpSettings } from '../../src/agent/acp-settings.ts';
import type { RunSpec } from '../../src/core/ports.ts';
import { LOADS, RESUMES, type Script, Stage, ran } from './acp-script.ts';

const HISTORY = [{ prompt: 'write about spools', answer: 'Spools\n\nare round.' }];

describe('the session of a follow-up', () => {
  test.for<[string, Script, Script, string, string[]]>([
    ['is resumed where the agent can', {}, { capabilities: { ...LOADS, ...RESUMES } }, 'resumed', ['resume']],
    ['is loaded where the agent can only load', {}, { capabilities: LOADS }, 'loaded', ['load']],
    [
      'is loaded where resuming fails',
      {},
      { capabilities: { ...LOADS, ...RESUMES }, resume: { forgets: true } },
      'loaded',
      ['resume', 'load'],
    ],
    [
      'is a new one that is told all where the agent has forgotten it',
      {},
      { capabilities: { ...LOADS, ...RESUMES }, resume: { forgets: true }, load: { forgets: true } },
      'retold',
      ['resume', 'load', 'new'],
    ],
    ['is a new one that is told all where the agent can do neither', {}, {}, 'retold', ['new']],
    [
      'is told all where it is loaded without its history',
      {},
      { capabilities: LOADS, load: { empty: true } },
      'retold',
      ['load'],
    ],
    [
      'is no part of the reply, also where its replay comes late',
      { turns: [[{ say: 'the former answer' }]] },
      { capabilities: LOADS, load: { late: true } },
      'loaded',
      ['load'],
    ],
  ])('%s', async ([, first, second, origin, ways]) => {
    const stage = new Stage();
    const { run: former } = await ran(stage.agent(first), stage.spec());
    const before = stage.journal().length;
    const spec: Partial<RunSpec> = {
      requestId: '43',
      turn: 2,
      prompt: 'shorter',
      formerSession: former.session,
      history: HISTORY,
    };
    const { outcome, run } = await ran(stage.agent({ ...second, turns: [[{ echoPrompt: true }]] }), stage.spec(spec));
    if (outcome.kind !== 'answered') throw new Error(outcome.kind);
    const [block] = JSON.parse(outcome.markdown);
    const told = stage.journal().slice(before);
    expect(told.flatMap(Object.keys).filter((key) => ['load', 'resume', 'new'].includes(key))).toEqual(ways);
    expect(run.origin).toBe(origin);
    expect(run.session === former.session).toBe(ways.at(-1) !== 'new');
    expect(block.text.startsWith('[blog-bridge request 43 run 1]\n\n')).toBe(true);
    expect(block.text.endsWith('shorter')).toBe(true);
    expect(block.text.includes('> Spools\n>\n> are round.')).toBe(origin === 'retold');
  });

  test('of a conversation that has none is new and told nothing', async () => {
    const stage = new Stage();
    const { run } = await ran(stage.agent({ capabilities: LOADS }), stage.spec({ formerSession: null, history: [] }));
    expect(run.origin).toBe('new');
    expect(stage.journal().at(-1)?.['prompt']).toEqual([
      { type: 'text', text: '[blog-bridge request 41 run 1]\n\nwrite about spools' },
    ]);
  });
});

const MODES = {
  currentModeId: 'bypass',
  availableModes: [
    { id: 'bypass', name: 'Asks nothing' },
    { id: 'default', name: 'Asks' },
  ],
};

describe('a configured mode', () => {
  test.for<[string, Script]>([
    ['resume', { capabilities: RESUMES }],
    ['load', { capabilities: LOADS }],
    ['new', {}],
  ])('is set after %s, before the prompt', async ([way, script]) => {
    const stage = new Stage();
    const agent = stage.agent({ ...script, modes: MODES }, { mode: 'default' });
    const { run } = await ran(agent, stage.spec());
    await ran(agent, stage.spec({ formerSession: run.session }));
    expect(
      stage
        .journal()
        .slice(-3)
        .map((told) => Object.keys(told)[0]),
    ).toEqual([way, 'mode', 'prompt']);
  });

  test.for<[string, Script, RegExp]>([
    [
      'that the agent does not offer',
      { modes: MODES },
      /agent\.mode "plan" could not be set: no such mode; it offers bypass, default/u,
    ],
    ['of an agent without modes', {}, /agent\.mode "plan" could not be set: Method not found/u],
  ])('%s is no run', async ([, script, words]) => {
    const stage = new Stage();
    const outcome = await stage.agent(script, { mode: 'plan' }).hold(stage.spec());
    expect(outcome).toEqual({ kind: 'unavailable', code: 'agent-mode', message: expect.stringMatching(words) });
    expect(stage.journal().some((told) => 'prompt' in told)).toBe(false);
  });
});

describe('an agent that cannot be used', () => {
  test.for<[string, Script, Partial<AcpSettings>, string, RegExp]>([
    ['speaks another version', { protocolVersion: 2 }, {}, 'agent-version', /speaks version 2 .*expected version 1/u],
    [
      'refuses to initialize',
      { refuses: { code: -32600, message: 'no' } },
      {},
      'agent-protocol',
      /refused to initialize: no/u,
    ],
    [
      'does not answer',
      {},
      { command: ['sh', '-c', 'echo Welcome!; exec sleep 60'], limits: { startMs: 2_000 } },
      'agent-start-timeout',
      /did not answer to initialize within 2 s; it printed: Welcome!/u,
    ],
    [
      'prints without end',
      { start: [{ print: 'x'.repeat(300_000) }, { hang: true }] },
      { limits: { outputBytes: 200_000 } },
      'agent-flood',
      /more than 200000 bytes/u,
    ],
    [
      'wants a log-in',
      {
        new: { code: -32000, message: 'Authentication required' },
        authMethods: [{ id: 'a', name: 'Log in with Example' }],
      },
      {},
      'agent-auth',
      /not logged in \(it offers: Log in with Example\)/u,
    ],
    [
      'opens no session',
      { new: { code: -32603, message: 'Internal error', data: { details: 'no model' } } },
      {},
      'agent-session',
      /opens no session: Internal error: no model/u,
    ],
    [
      'dies at once',
      { start: [{ stderr: 'no licence\n' }, { die: 4 }] },
      {},
      'agent-exit',
      /exit code 4 before it took a prompt: no licence/u,
    ],
    ['is not there', {}, { command: ['no-such-agent'] }, 'agent-missing', /agent\.command no-such-agent/u],
    ['is no agent', {}, { command: ['cat', '/dev/null'] }, 'agent-exit', /exit code 0 before it took a prompt/u],
    ['has no working folder', {}, { cwd: '/no/such/folder' }, 'agent-folder-missing', /agent\.cwd \/no\/such\/folder/u],
  ])('%s: it says so, and nothing is prompted', async ([, script, settings, code, words]) => {
    const stage = new Stage();
    const outcome = await stage.agent(script, settings).hold(stage.spec());
    expect(outcome).toEqual({ kind: 'unavailable', code, message: expect.stringMatching(words) });
    expect(stage.journal().some((told) => 'prompt' in told)).toBe(false);
  });

  test('has no place for its files: it says so', async () => {
    const stage = new Stage();
    const outcome = await stage.agent({}).hold(stage.spec({ outputPath: '/no/such/folder/run-1.out' }));
    expect(outcome).toMatchObject({
      kind: 'unavailable',
      code: 'agent-not-started',
      message: expect.stringMatching(/ENOENT/u),
    });
  });

  test('dies while it loads a session: it says so', async () => {
    const stage = new Stage();
    const agent = stage.agent({ capabilities: LOADS, load: { dies: true } });
    const { run } = await ran(agent, stage.spec());
    const outcome = await agent.hold(stage.spec({ formerSession: run.session }));
    expect(outcome).toMatchObject({ kind: 'unavailable', code: 'agent-exit' });
  });
});
