import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { probeFileSystem } from '../../src/platform/file-system-probe.ts';
import { scratchFolder, smallFileSystem, subfolder } from './scratch-folder.ts';

const failing = vi.hoisted(() => ({ call: '', code: '' }));

vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  return {
    ...fs,
    linkSync: (...args: Parameters<typeof fs.linkSync>) => {
      refuse('link');
      fs.linkSync(...args);
    },
    fsyncSync: (descriptor: number) => {
      refuse(fs.fstatSync(descriptor).isDirectory() ? 'folder sync' : 'file sync');
      fs.fsyncSync(descriptor);
    },
  };
});

function refuse(call: string): void {
  if (failing.call === call) throw Object.assign(new Error(failing.code), { code: failing.code });
}

let folder: string;
let temporaryFolder: string;

beforeEach(() => {
  Object.assign(failing, { call: '', code: '' });
  const home = scratchFolder();
  folder = subfolder(home, 'requests');
  temporaryFolder = subfolder(home, 'tmp');
});

const refusal = (words: string, hint: string) =>
  expect.objectContaining({
    code: 'home-unusable',
    exitCode: 78,
    message: expect.stringContaining(words),
    hint: expect.stringContaining(hint),
  });

const probe = () => probeFileSystem(folder, temporaryFolder);

describe('probeFileSystem', () => {
  it('passes a folder that can link and sync, and leaves nothing in it', () => {
    probe();
    expect([...readdirSync(folder), ...readdirSync(temporaryFolder)]).toEqual([]);
  });

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV', 'EACCES'])(
    'refuses when hard links answer %s, naming folder, call and code',
    (code) => {
      Object.assign(failing, { call: 'link', code });
      expect(probe).toThrow(refusal(`${folder}: hard link failed (${code})`, '.'));
      expect([...readdirSync(folder), ...readdirSync(temporaryFolder)]).toEqual([]);
    },
  );

  it.each(['EINVAL', 'EPERM', 'EBADF', 'ENOTSUP'])('refuses when the sync of a folder answers %s', (code) => {
    Object.assign(failing, { call: 'folder sync', code });
    expect(probe).toThrow(refusal(`folder sync failed (${code})`, 'local file system'));
    expect([...readdirSync(folder), ...readdirSync(temporaryFolder)]).toEqual([]);
  });

  it('refuses when a file cannot be synced', () => {
    Object.assign(failing, { call: 'file sync', code: 'EIO' });
    expect(probe).toThrow(refusal(`${temporaryFolder}: write failed (EIO)`, 'disk is healthy'));
  });

  it('refuses folders that are missing or no folders', () => {
    expect(() => probeFileSystem(join(folder, 'gone'), temporaryFolder)).toThrow(refusal('ENOENT', 'Create'));
    expect(() => probeFileSystem(folder, join(folder, 'gone'))).toThrow(refusal('write failed (ENOENT)', 'Create'));
    writeFileSync(join(temporaryFolder, 'file'), '');
    expect(() => probeFileSystem(join(temporaryFolder, 'file'), temporaryFolder)).toThrow(refusal('ENOTDIR', 'move'));
  });

  it('refuses a temporary folder on another file system', (context) => {
    const other = smallFileSystem(64) ?? context.skip('mounting is not permitted');
    expect(() => probeFileSystem(folder, other)).toThrow(
      refusal(`${folder}: hard link failed (EXDEV)`, 'one file system'),
    );
    expect([...readdirSync(folder), ...readdirSync(other)]).toEqual([]);
  });

  it('refuses a read-only file system', (context) => {
    const readOnly = smallFileSystem(64, ',ro') ?? context.skip('mounting is not permitted');
    expect(() => probeFileSystem(readOnly, readOnly)).toThrow(refusal('write failed (EROFS)', 'read-only'));
  });

  it('refuses a full file system', (context) => {
    const full = smallFileSystem(64) ?? context.skip('mounting is not permitted');
    writeFileSync(join(full, 'filler'), Buffer.alloc(64 * 1024));
    expect(() => probeFileSystem(full, full)).toThrow(refusal('write failed (ENOSPC)', 'free some space'));
  });

  it('refuses a folder that this user may not write', () => {
    chmodSync(join(folder, '..'), 0o755);
    chmodSync(temporaryFolder, 0o777);
    chmodSync(folder, 0o555);
    // root may write everywhere
    if (process.geteuid?.() === 0) {
      process.seteuid?.(65_534);
      onTestFinished(() => process.seteuid?.(0));
    }
    expect(probe).toThrow(refusal(`${folder}: hard link failed (EACCES)`, 'belong to the user'));
    expect(readdirSync(temporaryFolder)).toEqual([]);
  });
});
