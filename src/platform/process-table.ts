/**
 * Owns: reading what processes live on this machine, and since when. Linux: /proc; macOS: ps.
 * Guarantees: a process that cannot be found is told apart from a reading that failed; start times stay the same
 *   for a process's whole life, whatever the clock or the time zone does.
 * Fails: the system's error unchanged (EMFILE, EAGAIN); `home-unusable` where processes cannot be told apart at all.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { BridgeError, errorCode } from '../core/failure.ts';

export type ProcessEntry = {
  pid: number;
  groupId: number;
  /** Null where the system does not tell (macOS). */
  sessionId: number | null;
  /** Digits only. Linux: clock ticks since boot; macOS: seconds since 1970. Compared for equality, never for age. */
  startTime: string;
  /** Ended but not yet collected by its parent: it runs nothing, yet still answers kill(0). */
  zombie: boolean;
};

export type ProcessTable = { find(pid: number): ProcessEntry | null; list(): ProcessEntry[] };

export function processTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux') return procTable();
  if (platform === 'darwin') return psTable;
  throw new BridgeError('home-unusable', `processes cannot be told apart on ${platform}`, {
    hint: 'Run it on Linux or macOS.',
  });
}

function procTable(): ProcessTable {
  const self = readlinkSync('/proc/self');
  if (self !== String(process.pid)) {
    throw new BridgeError('home-unusable', `/proc shows this process as ${self}, but it is ${process.pid}`, {
      hint: 'Mount /proc for this pid namespace (unshare --mount-proc).',
    });
  }
  return {
    find: readStat,
    list: () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/u.test(name))
        .map((name) => readStat(Number(name)))
        .filter((entry) => entry !== null),
  };
}

// ESRCH: gone between open and read. EACCES and EPERM: /proc is mounted with hidepid and the process is another user's.
const NOT_SHOWN = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function readStat(pid: number): ProcessEntry | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    if (NOT_SHOWN.has(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** One /proc/<pid>/stat, see proc_pid_stat(5). The program's name may hold blanks and brackets: count from the last. */
export function parseStat(text: string): ProcessEntry {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', , group, session] = fields;
  const startTime = fields[19];
  if (startTime === undefined) throw new BridgeError('internal', `a process entry cannot be read: ${text}`);
  // A process whose first thread has ended while others run is shown as Z too; it is not gone.
  const threads = Number(fields[17]);
  return {
    pid: Number.parseInt(text, 10),
    groupId: Number(group),
    sessionId: Number(session),
    startTime,
    zombie: 'ZXx'.includes(state) && threads <= 1,
  };
}

/** Reads through ps: the way on macOS; the same options are understood on Linux. */
export const psTable: ProcessTable = {
  find: (pid) => parsePs(runPs(['-p', String(pid)])).find((entry) => entry.pid === pid) ?? null,
  list: () => parsePs(runPs(['-A'])),
};

// One option each: BSD's ps takes all that follows the first `=` for that column's header.
const COLUMNS = ['pid=', 'pgid=', 'stat=', 'lstart='].flatMap((column) => ['-o', column]);

function runPs(which: string[]): string {
  try {
    return execFileSync('ps', [...which, ...COLUMNS], {
      encoding: 'utf8',
      // lstart is printed in the caller's language and time zone.
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    // ps says "no such process" by exit code 1 and nothing printed; anything else is no knowledge at all.
    if (isNoSuchProcess(error)) return '';
    throw error;
  }
}

function isNoSuchProcess(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 1 && 'stdout' in error && error.stdout === '';
}

/** Lines of these columns under LC_ALL=C and TZ=UTC: `501 501 S+ Mon Nov 30 20:07:41 2026`. */
export function parsePs(text: string): ProcessEntry[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parsePsLine);
}

function parsePsLine(line: string): ProcessEntry {
  const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s*$/u.exec(line);
  // Passed over, a living process would count as dead.
  if (match === null) throw new BridgeError('internal', `ps printed a line that cannot be read: ${line}`);
  const [, pid, group, stat = '', started] = match;
  return {
    pid: Number(pid),
    groupId: Number(group),
    sessionId: null,
    startTime: String(Date.parse(`${started} UTC`) / 1000),
    zombie: stat.startsWith('Z'),
  };
}
