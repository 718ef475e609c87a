import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeFolders, makeFolder, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { scratchFolder, smallFileSystem } from './scratch-folder.ts';

test('a home’s folders are those of the contract, for its owner only', () => {
  const root = scratchFolder();
  makeHomeFolders(homeFolders(root));

  expect(readdirSync(join(root, 'spool')).sort()).toEqual([
    'decisions',
    'members',
    'parts',
    'pending',
    'requests',
    'seals',
    'tmp',
    'unread',
  ]);
  expect(readdirSync(join(root, 'state')).sort()).toEqual([
    'conversations',
    'damaged',
    'decisions',
    'files',
    'links',
    'tmp',
  ]);
  for (const name of ['spool', 'state', 'spool/requests', 'state/files'])
    expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
});

test('what is there already stays as it is, also behind a link', () => {
  const root = scratchFolder();
  const elsewhere = scratchFolder();
  symlinkSync(elsewhere, join(root, 'state'));
  mkdirSync(join(root, 'spool'), { mode: 0o750 });
  writeFileSync(join(root, 'spool', 'README.md'), 'kept');

  makeHomeFolders(homeFolders(root));
  makeHomeFolders(homeFolders(root));

  expect(statSync(join(root, 'spool')).mode & 0o777).toBe(0o750);
  expect(existsSync(join(root, 'spool', 'README.md'))).toBe(true);
  expect(existsSync(join(elsewhere, 'links'))).toBe(true);
});

test.for([
  { what: 'a file in its place', before: (path: string) => writeFileSync(path, '') },
  { what: 'a link to nowhere', before: (path: string) => symlinkSync('/no/such/folder', path) },
])('with $what a folder cannot be made: 78, naming it', ({ before }) => {
  const path = join(scratchFolder(), 'spool');
  before(path);

  expect(() => makeFolder(path)).toThrow(
    expect.objectContaining({
      code: 'home-unusable',
      exitCode: 78,
      message: expect.stringContaining(`${path}: expected a folder`),
    }),
  );
});

test('on a file system that is read only a folder cannot be made: 78, naming it', (context) => {
  const root = smallFileSystem(64, ',ro');
  context.skip(root === null, 'mounting is not permitted');
  if (root === null) return;

  expect(() => makeHomeFolders(homeFolders(root))).toThrow(
    expect.objectContaining({ code: 'home-unusable', message: expect.stringMatching(/spool: .*EROFS/u) }),
  );
});
