import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endGroup, groupMembers } from '../../src/platform/process-group.ts';
import { identityOf } from '../../src/platform/process-identity.ts';
import { buildProgram, runProgram, type Program } from '../platform/fixture-program.ts';
import { type Script, Stage } from './acp-script.ts';

let built = '';
let holder = '';

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'blog-bridge-built-'));
  holder = await buildProgram('../../agent/fixtures/acp-holder.ts', built);
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

function hold(stage: Stage, script: Script): Program {
  const told = { command: stage.command(script), cwd: stage.path('work'), spec: stage.spec() };
  return runProgram(process.execPath, [holder, JSON.stringify(told)]);
}

describe('when the consumer is killed', () => {
  test('an agent that no receipt names yet dies with it, and all that it started', async () => {
    const stage = new Stage();
    const program = hold(stage, { stays: true, start: [{ child: stage.path('grandchild') }] });
    const pid = Number(await program.line());
    expect(groupMembers(pid)).toContain(Number(stage.read('grandchild')));
    await program.kill();
    await expect.poll(() => groupMembers(pid), { timeout: 10_000 }).toEqual([]);
    expect(stage.journal()).not.toContainEqual({ leftAlone: pid });
  });

  test('an agent that was let go is left to the next consumer, with no watcher beside it', async () => {
    const stage = new Stage();
    const program = hold(stage, { stays: true, turns: [[{ mark: stage.path('here') }, { hang: true }]] });
    const pid = Number(await program.line());
    program.tell('go');
    await expect.poll(() => stage.read('here')).toBe(`${pid}`);
    await program.kill();
    await expect.poll(() => stage.journal(), { timeout: 10_000 }).toContainEqual({ leftAlone: pid });
    expect(groupMembers(pid)).toEqual([pid]);
    const identity = identityOf(pid);
    if (identity === null) throw new Error('gone');
    expect(await endGroup(identity, { graceMs: 100 })).toBe('ended');
  });
});
