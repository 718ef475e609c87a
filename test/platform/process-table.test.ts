import { describe, expect, it, onTestFinished } from 'vitest';
import { type ProcessTable, parsePs, parseStat, processTable, psTable } from '../../src/platform/process-table.ts';
import { runProgram } from './fixture-program.ts';

const stat = (name: string, state: string, threads = 1) =>
  `4711 (${name}) ${state} 1 4700 4690 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 ${threads} 0 987654 2203648 200 18446744073709551615 1 1 0\n`;

describe('parseStat', () => {
  it.each(['node', 'my agent', ') Z 1 2 3', '((', 'a)b (c', '안녕'])(
    'reads the entry of a program named %j',
    (name) => {
      expect(parseStat(stat(name, 'S'))).toEqual({
        pid: 4711,
        groupId: 4700,
        sessionId: 4690,
        startTime: '987654',
        zombie: false,
      });
    },
  );

  it.each([
    ['R', 1, false],
    ['T', 1, false],
    ['D', 1, false],
    ['Z', 1, true],
    ['Z', 0, true],
    ['X', 1, true],
    // The first thread has ended, others run on.
    ['Z', 3, false],
  ])('takes state %s with %i threads for a zombie: %s', (state, threads, zombie) => {
    expect(parseStat(stat('node', state, threads)).zombie).toBe(zombie);
  });
});

it('refuses half an entry of /proc', () => {
  expect(() => parseStat('4711 (node) S 1 4700')).toThrow(expect.objectContaining({ code: 'internal' }));
});

describe('parsePs', () => {
  it('reads what ps prints on macOS', () => {
    const text = [
      '    1     1 Ss   Mon Nov 30 07:00:00 2026    ',
      '  501   501 S+   Tue Dec  1 20:07:41 2026    ',
      '99998   501 Z    Tue Dec  1 20:07:42 2026    ',
      '',
    ].join('\n');
    expect(parsePs(text)).toEqual([
      { pid: 1, groupId: 1, sessionId: null, startTime: '1796022000', zombie: false },
      { pid: 501, groupId: 501, sessionId: null, startTime: '1796155661', zombie: false },
      { pid: 99998, groupId: 501, sessionId: null, startTime: '1796155662', zombie: true },
    ]);
  });

  it('refuses a line that it cannot read: its process would count as dead', () => {
    expect(() => parsePs('501 501 S+ 월 11월 30 20:07:41 2026\n')).toThrow(
      expect.objectContaining({ code: 'internal' }),
    );
  });

  it('finds nothing in no lines', () => {
    expect(parsePs('')).toEqual([]);
  });
});

const tables: [string, ProcessTable][] = [['ps', psTable]];
if (process.platform === 'linux') tables.push(['/proc', processTable()]);

describe.each(tables)('the process table through %s', (_, table) => {
  it('finds a process, its group and whether it is a zombie, the same alone and in the list', async () => {
    const parent = runProgram('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { detached: true });
    onTestFinished(() => parent.kill());
    const pid = Number(await parent.line());
    expect(table.find(pid)).toMatchObject({ pid, groupId: parent.pid, zombie: false });
    expect(table.list()).toContainEqual(table.find(pid));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => table.find(pid)?.zombie).toBe(true);
  });

  it('gives a process the same start time whatever the time zone', () => {
    const zone = process.env['TZ'];
    onTestFinished(() => {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    });
    const times = ['UTC', 'Asia/Seoul', 'America/Los_Angeles'].map((name) => {
      process.env['TZ'] = name;
      return table.find(process.pid)?.startTime;
    });
    expect(times[0]).toMatch(/^\d+$/u);
    expect(new Set(times).size).toBe(1);
  });

  it('finds nothing under a pid that no process has', async () => {
    const program = runProgram('sleep', ['60']);
    await program.kill();
    expect(table.find(program.pid)).toBeNull();
  });
});

it('says in words that other systems are not supported', () => {
  expect(() => processTable('win32')).toThrow(expect.objectContaining({ code: 'home-unusable', exitCode: 78 }));
});
