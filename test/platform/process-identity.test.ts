import { describe, expect, it, onTestFinished } from 'vitest';
import { identityOf, ownerState, ownIdentity, parsePlatformUuid } from '../../src/platform/process-identity.ts';
import { runProgram } from './fixture-program.ts';

function livingProgram() {
  const program = runProgram('sleep', ['60']);
  onTestFinished(() => program.kill());
  const identity = identityOf(program.pid);
  if (identity === null) throw new Error('sleep did not start');
  return { program, identity };
}

describe('ownerState', () => {
  it('is alive for this process and for its child', () => {
    expect(ownerState(ownIdentity())).toBe('alive');
    expect(ownerState(livingProgram().identity)).toBe('alive');
  });

  it('is alive for a stopped process', () => {
    const { program, identity } = livingProgram();
    program.child.kill('SIGSTOP');
    expect(ownerState(identity)).toBe('alive');
  });

  it('is dead once the process has ended', async () => {
    const { program, identity } = livingProgram();
    await program.kill();
    expect(ownerState(identity)).toBe('dead');
    expect(identityOf(program.pid)).toBeNull();
  });

  it('is dead for a process that ended but was not collected by its parent', async () => {
    const parent = runProgram('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
    onTestFinished(() => parent.kill());
    const pid = Number(await parent.line());
    const identity = identityOf(pid);
    if (identity === null) throw new Error('sleep did not start');
    expect(ownerState(identity)).toBe('alive');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => ownerState(identity)).toBe('dead');
    expect(identityOf(pid)).toBeNull();
    expect(process.kill(pid, 0)).toBe(true);
  });

  it('is dead when the pid belongs to a process with another start time', () => {
    expect(ownerState({ ...ownIdentity(), startTime: '1' })).toBe('dead');
  });

  it('is dead after a reboot, though pid and start time are those of a living process', () => {
    expect(ownerState({ ...ownIdentity(), bootId: 'an earlier boot' })).toBe('dead');
  });

  it('is elsewhere on another machine, whatever lives here', () => {
    expect(ownerState({ ...ownIdentity(), machineId: 'another machine' })).toBe('elsewhere');
    expect(ownerState({ ...ownIdentity(), machineId: 'another machine', bootId: 'its boot' })).toBe('elsewhere');
  });
});

it('finds the UUID of a Mac in what ioreg prints', () => {
  const registry = `+-o J314sAP  <class IOPlatformExpertDevice, id 0x100000113, registered, matched, active, busy 0, retain 38>
    {
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
      "IOPlatformUUID" = "6A2B3C4D-0000-1111-2222-333344445555"
    }`;
  expect(parsePlatformUuid(registry)).toBe('6A2B3C4D-0000-1111-2222-333344445555');
  expect(parsePlatformUuid('')).toBeNull();
});
