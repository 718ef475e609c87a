/**
 * Owns: who a process is, so that it is recognised later: pid, start time, boot and machine.
 * Guarantees: a reused pid, a reboot and another machine are recognised; no clock decides.
 * Fails: the system's error unchanged when the process table cannot be read: not knowing never counts as dead.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../core/failure.ts';
import { processTable } from './process-table.ts';

export type ProcessIdentity = { pid: number; startTime: string; bootId: string; machineId: string };

export type OwnerState = 'alive' | 'dead' | 'elsewhere';

/** `elsewhere`: of another machine or pid namespace, where this one cannot tell whether it lives. */
export function ownerState(identity: ProcessIdentity): OwnerState {
  const { bootId, machineId } = place();
  if (identity.machineId !== machineId) return 'elsewhere';
  if (identity.bootId !== bootId) return 'dead';
  const entry = processTable().find(identity.pid);
  if (entry !== null) return !entry.zombie && entry.startTime === identity.startTime ? 'alive' : 'dead';
  return isHidden(identity.pid) ? 'alive' : 'dead';
}

/** Null: no such process, or one that has ended and only waits for its parent. */
export function identityOf(pid: number): ProcessIdentity | null {
  const entry = processTable().find(pid);
  return entry === null || entry.zombie ? null : { pid, startTime: entry.startTime, ...place() };
}

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= identityOf(process.pid) ?? undefined;
  if (own === undefined) throw new Error(`process ${process.pid} does not find itself in the process table`);
  return own;
}

/** A process that the table does not show but that the system refuses to signal: it lives, and is another user's. */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false; // ours would have been in the table: this one started after it was read
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

type Place = Pick<ProcessIdentity, 'bootId' | 'machineId'>;

let here: Place | undefined;

/** Both stay the same for as long as this process lives. */
function place(): Place {
  here ??= process.platform === 'darwin' ? macPlace() : linuxPlace();
  return here;
}

function linuxPlace(): Place {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const machine = readText('/etc/machine-id') || readText('/var/lib/dbus/machine-id') || hostname();
  // Pids mean nothing across pid namespaces: a container is a machine of its own here.
  return { bootId, machineId: `${machine}/${readlinkSync('/proc/self/ns/pid')}` };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

function macPlace(): Place {
  const bootId = execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
  const registry = execFileSync('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], { encoding: 'utf8' });
  return { bootId, machineId: parsePlatformUuid(registry) ?? hostname() };
}

/** The machine's UUID in what `ioreg -rd1 -c IOPlatformExpertDevice` prints. */
export function parsePlatformUuid(registry: string): string | null {
  return /"IOPlatformUUID"\s*=\s*"([^"]+)"/u.exec(registry)?.[1] ?? null;
}
