import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readRegularFile } from '../../src/platform/regular-file.ts';
import { TimedReader } from '../../src/platform/timed-read.ts';
import { scratchFolder } from './scratch-folder.ts';

const timed = new TimedReader();
afterAll(() => timed.close());

describe.each([
  { how: 'read here', read: readRegularFile },
  { how: 'read by another process, with a limit', read: (path: string, most: number) => timed.read(path, most) },
])('$how', ({ read }) => {
  test.for([
    { what: 'an empty file', content: '' },
    { what: 'a file of exactly the most that is wanted', content: 'x'.repeat(100) },
    { what: 'a file of any bytes', content: 'a\0\u00FF한' },
  ])('$what is read whole', ({ content }) => {
    const path = join(scratchFolder(), 'file');
    writeFileSync(path, content);

    expect(read(path, 100)).toEqual({ kind: 'file', bytes: Buffer.from(content) });
  });

  test('a larger file is not read, only measured', () => {
    const path = join(scratchFolder(), 'file');
    writeFileSync(path, 'x'.repeat(101));

    expect(read(path, 100)).toEqual({ kind: 'too-large', bytes: 101 });
  });

  test.for([
    { what: 'a folder', make: (path: string) => mkdirSync(path) },
    { what: 'a link to a file', make: (path: string) => symlinkSync('/etc/passwd', path) },
    { what: 'a link to nowhere', make: (path: string) => symlinkSync('/no/such/file', path) },
    { what: 'a pipe that nobody writes into', make: (path: string) => execFileSync('mkfifo', [path]) },
    { what: 'a device', make: (path: string) => execFileSync('mknod', [path, 'c', '1', '3']) },
  ])('$what is no file, and is not waited for', ({ make }, context) => {
    const path = join(scratchFolder(), 'file');
    try {
      make(path);
    } catch {
      context.skip('not permitted here');
    }

    expect(read(path, 100)).toEqual({ kind: 'not-a-file' });
  });

  test('a socket is no file', async () => {
    const path = join(scratchFolder(), 'socket');
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(path, () => resolve());
    });
    onTestFinished(() => void server.close());

    expect(read(path, 100)).toEqual({ kind: 'not-a-file' });
  });

  test('what is not there is absent; a path below a file is the system’s error', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');

    expect(read(join(folder, 'none'), 100)).toEqual({ kind: 'absent' });
    expect(() => read(join(folder, 'file', 'none'), 100)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  });
});
