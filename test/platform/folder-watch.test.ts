/** The watch of folders: each change is a hint, also in a folder that was made anew. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FolderWatch } from '../../src/platform/folder-watch.ts';
import { scratchFolder } from './scratch-folder.ts';

function watched(folder: string): { watch: FolderWatch; hint: () => Promise<string> } {
  let tell = (_name: string): void => undefined;
  const watch = new FolderWatch([folder], (_folder, name) => tell(name ?? ''));
  onTestFinished(() => watch.close());
  return {
    watch,
    hint: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
  };
}

test('a file that comes by a rename, one that is removed, and one in a folder that was made anew are hints', async () => {
  const scratch = scratchFolder();
  const folder = join(scratch, 'pending');
  mkdirSync(folder);
  const { watch, hint } = watched(folder);
  expect(watch.renew()).toEqual([folder]);
  expect(watch.renew()).toEqual([]);

  const came = hint();
  writeFileSync(join(scratch, 'temporary'), '');
  renameSync(join(scratch, 'temporary'), join(folder, '41.json'));
  expect(await came).toBe('41.json');

  const went = hint();
  rmSync(join(folder, '41.json'));
  expect(await went).toBe('41.json');

  renameSync(folder, `${folder}-old`);
  mkdirSync(folder);
  expect(watch.renew()).toEqual([folder]);
  const again = hint();
  writeFileSync(join(folder, '42.json'), '');
  expect(await again).toBe('42.json');
});

test('what is not there is neither watched nor told of', () => {
  const failures: unknown[] = [];
  const missing = join(scratchFolder(), 'missing');
  const watch = new FolderWatch(
    [missing],
    () => undefined,
    (error) => failures.push(error),
  );

  expect(watch.renew()).toEqual([]);
  expect(failures).toEqual([]);
});
