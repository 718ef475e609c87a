import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { LinkStore } from '../../src/state/link-store.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

const LINK = { requestId: '41', conversation: '40' };

test('a link stays as it was written first, and one that a hand has damaged is made good', () => {
  const home = homeFolders(scratchFolder());
  makeHomeFolders(home);
  const links = new LinkStore(home);
  links.write(50, LINK);
  links.write(50, { requestId: '42', conversation: '42' });
  expect(links.read(50)).toEqual(LINK);

  const path = join(home.links, '50.json');
  writeFileSync(path, '');
  expect(links.read(50)).toBeNull();
  links.write(50, LINK);

  expect(links.read(50)).toEqual(LINK);
  expect(readFileSync(path, 'utf8')).toContain('"requestId": "41"');
});
