import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identityOf, ownIdentity } from '../../src/platform/process-identity.ts';
import { sweepTemporaries, temporaryName } from '../../src/platform/temporary-files.ts';
import { runProgram } from './fixture-program.ts';
import { scratchFolder } from './scratch-folder.ts';

const nameOf = (pid: number, startTime: string) => temporaryName().replace(/^\d+-\d+/u, `${pid}-${startTime}`);

describe('temporaryName', () => {
  it('names pid and start time of this process and is never the same twice', () => {
    const { pid, startTime } = ownIdentity();
    const names = Array.from({ length: 1000 }, temporaryName);
    expect(new Set(names).size).toBe(1000);
    for (const name of names)
      expect(name).toMatch(new RegExp(`^${pid}-${startTime}-[0-9a-f]{8}-[0-9a-f]{16}\\.tmp$`, 'u'));
  });
});

describe('sweepTemporaries', () => {
  it('removes the files of dead processes and names them', async () => {
    const folder = scratchFolder();
    const program = runProgram('sleep', ['60']);
    await program.kill();
    const leftOver = nameOf(program.pid, '1');
    writeFileSync(join(folder, leftOver), 'half');
    expect(sweepTemporaries(folder)).toEqual([leftOver]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes the file of an earlier process that had the pid of a living one', () => {
    const folder = scratchFolder();
    const leftOver = nameOf(process.pid, '1');
    writeFileSync(join(folder, leftOver), 'half');
    expect(sweepTemporaries(folder)).toEqual([leftOver]);
  });

  it('leaves the files of living processes, also of stopped ones', () => {
    const folder = scratchFolder();
    const program = runProgram('sleep', ['60']);
    onTestFinished(() => program.kill());
    program.child.kill('SIGSTOP');
    const living = [temporaryName(), nameOf(program.pid, identityOf(program.pid)?.startTime ?? '')];
    for (const name of living) writeFileSync(join(folder, name), 'half');
    expect(sweepTemporaries(folder)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(living.sort());
  });

  it('leaves the files of another machine or container', () => {
    const folder = scratchFolder();
    const name = nameOf(process.pid, '1').replace(/-[0-9a-f]{8}-/u, '-00000000-');
    writeFileSync(join(folder, name), 'half');
    expect(sweepTemporaries(folder)).toEqual([]);
  });

  it.each([
    '41.json',
    '.DS_Store',
    '1-1.tmp',
    'notes.tmp',
    `x${nameOf(process.pid, '1')}`,
    `${nameOf(process.pid, '1')}~`,
  ])('leaves %s, which is no name of ours', (name) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, name), 'foreign');
    expect(sweepTemporaries(folder)).toEqual([]);
    expect(existsSync(join(folder, name))).toBe(true);
  });

  it('does not touch the content of a published file that a left-over name still links to', () => {
    const folder = scratchFolder();
    const published = join(scratchFolder(), '41.json');
    writeFileSync(published, 'whole');
    linkSync(published, join(folder, nameOf(process.pid, '1')));
    expect(sweepTemporaries(folder)).toHaveLength(1);
    expect(readFileSync(published, 'utf8')).toBe('whole');
  });

  it('says so when the folder cannot be read', () => {
    expect(() => sweepTemporaries(join(scratchFolder(), 'gone'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('leaves folders, whatever their name', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, nameOf(process.pid, '1')));
    expect(sweepTemporaries(folder)).toEqual([]);
  });
});
