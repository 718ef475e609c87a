/** What every way of running an agent promises to the bridge (`Agent` in src/core/ports.ts); run over each of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Agent, StopReason } from '../../src/core/ports.ts';
import { groupMembers } from '../../src/platform/process-group.ts';
import { identityOf } from '../../src/platform/process-identity.ts';
import { answered, held, ran, runSpec } from './run-spec.ts';

export interface AgentUnderTest {
  agent: Agent;
  /** How `fixtures/holder.mjs` makes the same agent in a process of its own. */
  recipe: { kind: string; settings: object };
  /** A prompt that is answered at once, and what its answer holds. */
  quick: { prompt: string; answer: RegExp };
  /** A prompt that keeps the agent at work for many seconds. */
  slow: string;
}

const HOLDER = fileURLToPath(new URL('./fixtures/holder.mjs', import.meta.url));

/** @param open called in each test */
export function agentContract(name: string, open: () => Promise<AgentUnderTest>): void {
  describe(`an agent of kind ${name}`, () => {
    test('answers a prompt, and leaves the answer in a file as well', async () => {
      const { agent, quick } = await open();
      const spec = runSpec({ prompt: quick.prompt });

      expect(await answered(agent, spec)).toMatch(quick.answer);
      expect(statSync(spec.outputPath).size).toBeGreaterThan(0);
    });

    test('stands ready as the leader of a group of its own, and does nothing before it is let go', async () => {
      const { agent, quick } = await open();
      const spec = runSpec({ prompt: quick.prompt });
      const run = await held(agent, spec);
      const { pid } = run.process;

      expect(groupMembers(pid)).toContain(pid);
      expect(identityOf(pid)).toMatchObject({ startTime: run.process.startTime, bootId: run.process.bootId });
      await expect(Promise.race([run.finished, soon()])).resolves.toBe('nothing yet');
      expect(statSync(spec.outputPath).size).toBe(0);

      run.letGo();
      expect(await run.finished).toMatchObject({ kind: 'answered' });
      expect(groupMembers(pid)).toEqual([]);
    });

    test('leaves without having done anything when its holder is killed', async () => {
      const { recipe, quick } = await open();
      const spec = runSpec({ prompt: quick.prompt });
      const holder = spawn(process.execPath, [HOLDER, JSON.stringify({ ...recipe, spec })], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => void holder.kill('SIGKILL'));
      const [line] = await once(createInterface({ input: holder.stdout }), 'line');
      const { pid } = JSON.parse(String(line));
      expect(groupMembers(pid)).toContain(pid);

      holder.kill('SIGKILL');

      await vi.waitUntil(() => groupMembers(pid).length === 0, { timeout: 45_000 });
      expect(statSync(spec.outputPath).size).toBe(0);
    });

    test('is ended before it was let go, and has done nothing', async () => {
      const { agent, quick } = await open();
      const spec = runSpec({ prompt: quick.prompt });
      const run = await held(agent, spec);

      run.stop('shutdown');

      expect(await run.finished).toEqual({ kind: 'stopped', reason: 'shutdown' });
      expect(groupMembers(run.process.pid)).toEqual([]);
      expect(statSync(spec.outputPath).size).toBe(0);
    });

    test.for(['timeout', 'cancelled', 'shutdown'] satisfies StopReason[])(
      'is ended while at work: %s',
      async (reason) => {
        const { agent, slow } = await open();
        const run = await held(agent, runSpec({ prompt: slow }));
        run.letGo();

        run.stop(reason);
        run.stop(reason === 'timeout' ? 'cancelled' : 'timeout');

        expect(await run.finished, 'the first reason counts').toEqual({ kind: 'stopped', reason });
        expect(groupMembers(run.process.pid)).toEqual([]);
      },
    );

    test('keeps its outcome when it is told to stop after its end', async () => {
      const { agent, quick } = await open();
      const run = await held(agent, runSpec({ prompt: quick.prompt }));
      run.letGo();
      const outcome = await run.finished;

      run.stop('cancelled');

      expect(outcome).toMatchObject({ kind: 'answered' });
      expect(await run.finished).toBe(outcome);
    });

    test('runs twice, one after the other, without one knowing of the other', async () => {
      const { agent, quick } = await open();

      expect(await ran(agent, runSpec({ prompt: quick.prompt }))).toMatchObject({ kind: 'answered', whole: null });
      expect(await answered(agent, runSpec({ prompt: quick.prompt, turn: 2 }))).toMatch(quick.answer);
    });
  });
}

/** Long enough for a program that had begun to have printed something. */
function soon(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('nothing yet'), 300);
  });
}
