import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endGroup, groupMembers } from '../../src/platform/process-group.ts';
import { identityOf, ownIdentity, type ProcessIdentity } from '../../src/platform/process-identity.ts';
import { type Program, runProgram } from './fixture-program.ts';

const GRACE_MS = 150;

type Group = { leader: ProcessIdentity; program: Program; child: number };

/** A leader and one child of it, both ready for signals. */
async function runGroup(onTerm: 'ends' | 'ignores', leader: 'stays' | 'leaves' = 'stays'): Promise<Group> {
  const script = join(import.meta.dirname, 'fixtures', 'group-leader.mjs');
  const program = runProgram(process.execPath, [script, onTerm, leader], { detached: true });
  onTestFinished(() => {
    for (const pid of groupMembers(program.pid)) process.kill(pid, 'SIGKILL');
  });
  const child = Number(await program.line());
  const identity = identityOf(program.pid);
  if (identity === null) throw new Error('the leader did not start');
  expect(new Set(groupMembers(program.pid))).toEqual(new Set([program.pid, child]));
  return { leader: identity, program, child };
}

describe('endGroup', () => {
  it('ends leader and child by SIGTERM, without waiting for the grace time', async () => {
    const { leader } = await runGroup('ends');
    const start = performance.now();
    expect(await endGroup(leader, { graceMs: 30_000 })).toBe('ended');
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(groupMembers(leader.pid)).toEqual([]);
  });

  it('gives those that ignore SIGTERM the grace time, then ends them by SIGKILL', async () => {
    const { leader } = await runGroup('ignores');
    const start = performance.now();
    expect(await endGroup(leader, { graceMs: GRACE_MS })).toBe('ended');
    expect(performance.now() - start).toBeGreaterThanOrEqual(GRACE_MS);
    expect(groupMembers(leader.pid)).toEqual([]);
  });

  it('ends what a dead leader left behind', async () => {
    const { leader, program, child } = await runGroup('ends', 'leaves');
    await program.kill();
    expect(groupMembers(leader.pid)).toEqual([child]);
    expect(await endGroup(leader, { graceMs: 5_000 })).toBe('ended');
    expect(identityOf(child)).toBeNull();
  });

  it('ends stopped processes by SIGTERM', async () => {
    const { leader, child } = await runGroup('ends');
    process.kill(child, 'SIGSTOP');
    process.kill(leader.pid, 'SIGSTOP');
    const start = performance.now();
    expect(await endGroup(leader, { graceMs: 30_000 })).toBe('ended');
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.skipIf(process.platform !== 'linux')('finds a group of nothing but zombies gone', async () => {
    const parent = runProgram('sh', ['-c', 'setsid sleep 60 & echo $!; exec sleep 60']);
    onTestFinished(() => parent.kill());
    const pid = Number(await parent.line());
    await expect.poll(() => groupMembers(pid)).toEqual([pid]);
    const leader = identityOf(pid);
    if (leader === null) throw new Error('sleep did not start');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => groupMembers(pid)).toEqual([]);
    expect(await endGroup(leader, { graceMs: 0 })).toBe('gone');
  });

  it('finds a group gone whose processes have all ended', async () => {
    const { leader, program, child } = await runGroup('ends');
    process.kill(child, 'SIGKILL');
    await program.kill();
    await expect.poll(() => groupMembers(leader.pid)).toEqual([]);
    expect(await endGroup(leader, { graceMs: 0 })).toBe('gone');
  });

  it('touches nothing when the number belongs to a process with another start time', async () => {
    const { leader, child } = await runGroup('ends');
    expect(await endGroup({ ...leader, startTime: '1' }, { graceMs: 0 })).toBe('not-ours');
    expect(new Set(groupMembers(leader.pid))).toEqual(new Set([leader.pid, child]));
  });

  it('finds every group of an earlier boot gone and touches nothing', async () => {
    const { leader, child } = await runGroup('ends');
    expect(await endGroup({ ...leader, bootId: 'an earlier boot' }, { graceMs: 0 })).toBe('gone');
    expect(new Set(groupMembers(leader.pid))).toEqual(new Set([leader.pid, child]));
  });

  it('refuses a living process that leads no session: it was not started by us like this', async () => {
    const program = runProgram('sleep', ['60']);
    onTestFinished(() => program.kill());
    const leader = identityOf(program.pid);
    if (leader === null) throw new Error('sleep did not start');
    await expect(endGroup(leader, { graceMs: 0 })).rejects.toMatchObject({ code: 'internal' });
    expect(identityOf(program.pid)).toEqual(leader);
  });

  it.each([0, 1, -1, Number.NaN, 1.5])('refuses %d, by which a signal would reach others', async (pid) => {
    await expect(endGroup({ ...ownIdentity(), pid }, { graceMs: 0 })).rejects.toMatchObject({ code: 'internal' });
  });
});
