import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Agent, Question } from '../../src/core/ports.ts';
import { endGroup, groupMembers } from '../../src/platform/process-group.ts';
import { identityOf } from '../../src/platform/process-identity.ts';
import { Stage, held, ran } from '../agent/acp-script.ts';
import { buildProgram, runProgram } from '../platform/fixture-program.ts';
import { type ModelStandIn, startModel } from './model-stand-in.ts';
import { REAL_AGENTS, type RealAgent } from './real-agents.ts';

const LIMITS = { quietMs: 300, cancelMs: 5_000, termMs: 5_000 };
/** 1 × 1, white. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';

let built = '';
let holder = '';

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'blog-bridge-built-'));
  holder = await buildProgram('../../agent/fixtures/acp-holder.ts', built);
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

interface Scene {
  stage: Stage;
  model: ModelStandIn;
  agent: Agent;
  command: string[];
}

async function open(real: RealAgent): Promise<Scene> {
  const stage = new Stage();
  const model = await startModel();
  onTestFinished(() => model.close());
  const command = real.command(stage, model.url);
  return { stage, model, command, agent: stage.agent({}, { command, mode: real.mode, limits: LIMITS }) };
}

for (const real of REAL_AGENTS) {
  const isInstalled = real.isInstalled();
  if (!isInstalled) console.warn(`${real.name}: skipped, since it is not installed; test/agents/install.sh does it`);
  describe.skipIf(!isInstalled)(real.name, { timeout: 120_000 }, () => {
    test('does a whole turn, goes on with the session in a new process, and its history tells both', async () => {
      const { stage, model, agent } = await open(real);
      const { outcome, run } = await ran(agent, stage.spec({ prompt: 'say the first answer' }));
      expect(outcome).toEqual({ kind: 'answered', markdown: 'the first answer', whole: null });
      expect(groupMembers(run.process.pid)).toEqual([]);
      const formerSession = run.session;
      const more = { requestId: '43', prompt: 'say the second answer', formerSession, turn: 2 };
      const second = await ran(agent, stage.spec(more));
      expect(second.outcome).toEqual({ kind: 'answered', markdown: 'the second answer', whole: null });
      expect(second.run.origin).toBe('resumed');
      expect(second.run.session).toBe(formerSession);
      expect(JSON.stringify(model.calls.at(-1))).toContain('the first answer');
      const asked = model.calls.length;
      expect(await agent.recover?.(stage.spec({ formerSession }))).toEqual({
        kind: 'answer',
        markdown: 'the first answer',
      });
      expect(await agent.recover?.(stage.spec(more))).toEqual({ kind: 'answer', markdown: 'the second answer' });
      expect(await agent.recover?.(stage.spec({ requestId: '9', formerSession }))).toEqual({ kind: 'unknown-request' });
      expect(model.calls).toHaveLength(asked);
    });

    test('sees a picture', async () => {
      const { stage, model, agent } = await open(real);
      writeFileSync(stage.path('white.png'), Buffer.from(PICTURE, 'base64'));
      const attachments = [{ path: stage.path('white.png'), mime: 'image/png', name: null }];
      const { outcome } = await ran(agent, stage.spec({ prompt: 'say seen', attachments }));
      expect(outcome).toMatchObject({ kind: 'answered', markdown: 'seen' });
      expect(model.calls.some((call) => /"image_url":"data:image|"type":"base64"/u.test(JSON.stringify(call)))).toBe(
        true,
      );
    });

    test.for([
      ['allow_once', true],
      ['denied', false],
    ] as const)('asks before it runs a command, and is answered %s', async ([answer, expected]) => {
      const { stage, agent } = await open(real);
      const questions: Question[] = [];
      const { outcome, run } = await ran(agent, stage.spec({ prompt: `run touch ${stage.path('work')}/made` }), {
        onQuestion: async (question) => {
          questions.push(question);
          const chosen = question.options.find(({ kind }) => kind === answer);
          return chosen === undefined ? 'denied' : { optionId: chosen.id };
        },
      });
      expect(questions).toHaveLength(1);
      expect(`${questions[0]?.title} ${questions[0]?.about}`).toContain('touch');
      expect(existsSync(stage.path('work', 'made'))).toBe(expected);
      expect(run.steps()).toContainEqual(
        expect.objectContaining({ kind: 'permission', status: expected ? 'allowed' : 'denied' }),
      );
      expect(outcome.kind).toMatch(expected ? /^answered$/u : /^(?:answered|failed)$/u);
    });

    test('is stopped while the model is silent', async () => {
      const { stage, model, agent } = await open(real);
      const run = await held(agent, stage.spec({ prompt: 'hold' }));
      const silent = model.held();
      run.letGo();
      await silent;
      run.stop('cancelled');
      expect(await run.finished).toEqual({ kind: 'stopped', reason: 'cancelled' });
      expect(groupMembers(run.process.pid)).toEqual([]);
    });

    test.for([
      ['in mid-turn', 'hold', { kind: 'unfinished' }],
      ['after the model had answered', 'say the only answer', { kind: 'answer', markdown: 'the only answer' }],
    ] as const)('when the consumer is killed %s, its history tells so', async ([, prompt, expected]) => {
      const { stage, model, agent, command } = await open(real);
      const first = await ran(agent, stage.spec({ prompt: 'say hello' }));
      const formerSession = first.run.session;
      const spec = stage.spec({ requestId: '43', run: 1, prompt, formerSession, outputPath: stage.path('43.out') });
      const program = runProgram(process.execPath, [
        holder,
        JSON.stringify({ command, cwd: stage.path('work'), spec }),
      ]);
      const pid = Number(await program.line());
      const leader = identityOf(pid);
      const silent = model.held();
      program.tell('go');
      if (prompt === 'hold') await silent;
      else await expect.poll(() => stage.read('43.out'), { timeout: 30_000 }).toBe('the only answer');
      await program.kill();
      if (leader !== null) await endGroup(leader, { graceMs: 5_000 });
      expect(await agent.recover?.(spec)).toEqual(expected);
    });
  });
}
