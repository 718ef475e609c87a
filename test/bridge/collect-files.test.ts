import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectFiles, type Places } from '../../src/bridge/collect-files.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';
import { png } from '../stand-in/bot-client.ts';

function places(): Places {
  const home = scratchFolder();
  const cwd = join(home, 'work');
  const outFolder = join(home, 'out');
  mkdirSync(cwd);
  mkdirSync(outFolder);
  return { home, cwd, folder: home, outFolder };
}

describe('a picture that the answer names', () => {
  test('is copied from the working folder into the out folder', () => {
    const where = places();
    mkdirSync(join(where.cwd, 'img'));
    writeFileSync(join(where.cwd, 'img', 'sea.png'), png(4, 4));

    const { pictures, files } = collectFiles(['img/sea.png'], where);

    expect(pictures.get('img/sea.png')).toMatchObject({ file: 'out/sea.png', name: 'sea.png', media: 'photo' });
    expect(readFileSync(join(where.outFolder, 'sea.png'))).toEqual(png(4, 4));
    expect(files, 'it goes back once').toEqual([]);
  });

  test('keeps both of two pictures of one name', () => {
    const where = places();
    for (const folder of ['a', 'b']) {
      mkdirSync(join(where.cwd, folder));
      writeFileSync(join(where.cwd, folder, 'x.png'), png(4, folder === 'a' ? 4 : 5));
    }
    const { pictures } = collectFiles(['a/x.png', 'b/x.png', 'a/x.png'], where);
    expect([...pictures.values()].map(({ file }) => file)).toEqual(['out/x.png', 'out/x-2.png']);
  });

  const composed = '사진.png'.normalize('NFC');
  const decomposed = '사진.png'.normalize('NFD');
  test.each([
    { stored: composed, named: decomposed },
    { stored: decomposed, named: composed },
    { stored: decomposed, named: encodeURIComponent(composed) },
  ])('is found whichever Unicode form its Korean name has', ({ stored, named }) => {
    const where = places();
    writeFileSync(join(where.cwd, stored), png(4, 4));
    expect(collectFiles([named], where).pictures.get(named)?.name).toBe(composed);
  });

  test.each([
    '../secret.png',
    '/etc/hostname',
    'link.png',
    'folder',
    'missing.png',
    '',
    'a\0b.png',
    '%E0%A4%A.png',
    '..%2Fsecret.png',
  ])('is no file of ours as %j', (target) => {
    const where = places();
    writeFileSync(join(where.home, 'secret.png'), png(4, 4));
    symlinkSync(join(where.home, 'secret.png'), join(where.cwd, 'link.png'));
    mkdirSync(join(where.cwd, 'folder'));
    expect(collectFiles([target], where).pictures.size).toBe(0);
  });
});

describe('the out folder', () => {
  test('gives its regular files in the order of their names, also from folders in it', () => {
    const where = places();
    mkdirSync(join(where.outFolder, 'more'));
    for (const name of ['10.txt', '2.txt', 'more/1.txt', '.DS_Store']) writeFileSync(join(where.outFolder, name), 'x');
    symlinkSync('/etc/hostname', join(where.outFolder, 'link.txt'));

    expect(collectFiles([], where).files.map(({ file }) => file)).toEqual([
      'out/2.txt',
      'out/10.txt',
      'out/more/1.txt',
    ]);
  });

  test('that an agent threw away, or made a link of, gives nothing', () => {
    const where = places();
    const linked = { ...where, outFolder: join(where.home, 'linked') };
    symlinkSync('/etc', linked.outFolder);
    expect(collectFiles(['x.png'], linked)).toMatchObject({ files: [] });
    expect(collectFiles([], { ...where, outFolder: join(where.home, 'gone') })).toMatchObject({ files: [] });
    expect(existsSync(join(where.home, 'gone'))).toBe(false);
  });

  test('is told of, not sent whole, past fifty files', () => {
    const where = places();
    for (let count = 0; count < 53; count += 1) writeFileSync(join(where.outFolder, `${count}.txt`), 'x');
    expect(collectFiles([], where)).toMatchObject({ leftOut: 3, files: expect.objectContaining({ length: 50 }) });
  });
});

describe('a file goes as a photo', () => {
  test.each([
    { name: 'a.png', bytes: png(100, 100), media: 'photo' },
    { name: 'A.PNG', bytes: png(100, 100), media: 'photo' },
    { name: 'wide.png', bytes: png(9_000, 2_000), media: 'document' },
    { name: 'thin.png', bytes: png(2_100, 100), media: 'document' },
    { name: 'broken.jpg', bytes: Buffer.from('no picture'), media: 'document' },
    { name: 'empty.png', bytes: Buffer.alloc(0), media: 'document' },
    { name: 'a.heic', bytes: png(100, 100), media: 'document' },
    { name: 'a.gif', bytes: png(100, 100), media: 'document' },
  ])('only where Telegram takes it: $name as $media', ({ name, bytes, media }) => {
    const where = places();
    writeFileSync(join(where.outFolder, name), bytes);
    expect(collectFiles([], where).files[0]?.media).toBe(media);
  });

  test('only up to 10 MB', () => {
    const where = places();
    writeFileSync(join(where.outFolder, 'big.png'), png(100, 100));
    truncateSync(join(where.outFolder, 'big.png'), 10_000_001);
    expect(collectFiles([], where).files[0]?.media).toBe('document');
  });
});
