import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { syncedBy } from '../../src/platform/synced-folder.ts';
import { scratchFolder, subfolder } from './scratch-folder.ts';

test.for([
  ['/Users/me/Library/Mobile Documents/com~apple~CloudDocs/blog', 'iCloud Drive'],
  ['/Users/me/Library/CloudStorage/OneDrive-Personal/blog', 'OneDrive-Personal'],
  ['/Users/me/Library/CloudStorage/GoogleDrive-me@example.org/My Drive/blog', 'GoogleDrive-me@example.org'],
  ['/Users/me/Dropbox/blog', 'Dropbox'],
  ['/home/me/Dropbox (Work)/blog', 'Dropbox'],
  ['/Users/me/OneDrive', 'OneDrive'],
  ['/Users/me/OneDrive - Example Ltd/a/b', 'OneDrive'],
  ['/home/me/Google Drive/blog', 'Google Drive'],
  ['/home/me/Nextcloud/blog', 'Nextcloud'],
  ['/home/me/Box/blog', 'Box'],
] as const)('%s lies in %s', ([path, by]) => {
  expect(syncedBy(path, '/Users/me', 'linux')).toEqual({ by, certainty: 'surely' });
});

test.for([
  '/home/me/blog',
  '/home/me/dropbox-notes',
  '/home/me/Boxes/blog',
  '/srv/OneDrives/blog',
  '/home/me/Documents/blog',
])('%s is nobody’s but yours', (path) => {
  expect(syncedBy(path, '/home/me', 'linux')).toBeNull();
});

test.for([
  ['.dropbox', 'Dropbox'],
  ['.stfolder', 'Syncthing'],
  ['.849C9593-D756-4E56-8D6E-42412F2A707B', 'OneDrive'],
  ['.tmp.drivedownload', 'Google Drive'],
  ['.sync_0f1e2d3c4b5a.db', 'Nextcloud'],
] as const)('a folder above with %s in it is copied by %s, whatever its name', ([mark, by]) => {
  const shared = scratchFolder();
  writeFileSync(join(shared, mark), '');
  const home = subfolder(subfolder(shared, 'a'), 'blog');

  expect(syncedBy(home, '/home/me', 'linux')).toEqual({ by, certainty: 'surely' });
});

test('on a Mac, Desktop and Documents are in iCloud Drive where it holds them, and else perhaps', () => {
  const user = scratchFolder();
  const drive = join(user, 'Library', 'Mobile Documents', 'com~apple~CloudDocs');
  mkdirSync(join(drive, 'Documents'), { recursive: true });

  expect(syncedBy(join(user, 'Documents', 'blog'), user, 'darwin')).toEqual({
    by: 'iCloud Drive',
    certainty: 'surely',
  });
  expect(syncedBy(join(user, 'Desktop', 'blog'), user, 'darwin')).toEqual({ by: 'iCloud Drive', certainty: 'perhaps' });
  expect(syncedBy(join(user, 'Documentation'), user, 'darwin')).toBeNull();
  expect(syncedBy(join(user, 'Desktop', 'blog'), user, 'linux')).toBeNull();
});
