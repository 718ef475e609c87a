import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import { createDurably, replaceDurably, syncFolder, writeTemporary } from '../../src/platform/durable-file.ts';
import { scratchFolder, smallFileSystem, subfolder } from './scratch-folder.ts';

// Real calls, noted in their order; a test can make a call fail, or a write take less than it was given.
const faults = vi.hoisted(() => ({
  calls: [] as string[],
  open: new Map<number, string>(),
  failing: null as null | { call: string; code: string },
  maxWrite: Number.POSITIVE_INFINITY,
  lastWriteLost: false,
}));

vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  return {
    ...fs,
    openSync: (...args: Parameters<typeof fs.openSync>) => {
      note('open', args[0]);
      const descriptor = fs.openSync(...args);
      faults.open.set(descriptor, String(args[0]));
      return descriptor;
    },
    fsyncSync: (descriptor: number) => {
      note('fsync', faults.open.get(descriptor));
      fs.fsyncSync(descriptor);
    },
    closeSync: (descriptor: number) => {
      const path = faults.open.get(descriptor);
      faults.open.delete(descriptor);
      fs.closeSync(descriptor);
      note('close', path);
    },
    linkSync: (...args: Parameters<typeof fs.linkSync>) => {
      note('link', args[0]);
      fs.linkSync(...args);
    },
    renameSync: (...args: Parameters<typeof fs.renameSync>) => {
      note('rename', args[0]);
      fs.renameSync(...args);
    },
    unlinkSync: (path: Parameters<typeof fs.unlinkSync>[0]) => {
      note('unlink', path);
      fs.unlinkSync(path);
    },
    writeSync: (descriptor: number, bytes: string | NodeJS.ArrayBufferView, offset?: unknown, length?: unknown) => {
      if (typeof bytes === 'string') throw new TypeError('text is written as bytes, so that they can be counted');
      if (faults.lastWriteLost) return Number(length);
      return fs.writeSync(descriptor, bytes, Number(offset), Math.min(Number(length), faults.maxWrite));
    },
  };
});

function note(call: string, path: unknown): void {
  const name = String(path);
  faults.calls.push(`${call} ${name.endsWith('.tmp') ? 'temporary' : basename(name)}`);
  if (faults.failing?.call !== call) return;
  throw Object.assign(new Error(faults.failing.code), { code: faults.failing.code });
}

let folder: string;
let temporaryFolder: string;

beforeEach(() => {
  Object.assign(faults, { calls: [], failing: null, maxWrite: Number.POSITIVE_INFINITY, lastWriteLost: false });
  const home = scratchFolder();
  folder = subfolder(home, 'requests');
  temporaryFolder = subfolder(home, 'tmp');
});

describe('createDurably', () => {
  it('brings text and bytes to their final name, readable by the owner only', () => {
    expect(createDurably(join(folder, '1.json'), '안녕 🙂', temporaryFolder)).toBe('created');
    expect(createDurably(join(folder, '2.json'), Buffer.from([0, 255]), temporaryFolder)).toBe('created');
    expect(readFileSync(join(folder, '1.json'), 'utf8')).toBe('안녕 🙂');
    expect([...readFileSync(join(folder, '2.json'))]).toEqual([0, 255]);
    expect(statSync(join(folder, '1.json')).mode & 0o777).toBe(0o600);
  });

  it('leaves a name that is taken as it is, and syncs its folder: who made it may have died before', () => {
    writeFileSync(join(folder, '1.json'), 'first');
    expect(createDurably(join(folder, '1.json'), 'second', temporaryFolder)).toBe('exists');
    expect(readFileSync(join(folder, '1.json'), 'utf8')).toBe('first');
    expect(faults.calls.slice(-3)).toEqual(['open requests', 'fsync requests', 'close requests']);
  });

  it('counts a dangling link as a taken name', () => {
    symlinkSync('nowhere', join(folder, '1.json'));
    expect(createDurably(join(folder, '1.json'), 'x', temporaryFolder)).toBe('exists');
  });

  it('syncs the file before it gets its name, and the folder after', () => {
    createDurably(join(folder, '1.json'), 'x', temporaryFolder);
    expect(faults.calls).toEqual([
      'open temporary',
      'fsync temporary',
      'close temporary',
      'link temporary',
      'unlink temporary',
      'open requests',
      'fsync requests',
      'close requests',
    ]);
  });

  it('leaves no temporary file behind, whether created or taken', () => {
    createDurably(join(folder, '1.json'), 'x', temporaryFolder);
    createDurably(join(folder, '1.json'), 'x', temporaryFolder);
    expect(readdirSync(temporaryFolder)).toEqual([]);
    expect(statSync(join(folder, '1.json')).nlink).toBe(1);
  });
});

describe('replaceDurably', () => {
  it('creates, then replaces the whole file', () => {
    replaceDurably(join(folder, '1.json'), 'a longer text', temporaryFolder);
    replaceDurably(join(folder, '1.json'), 'short', temporaryFolder);
    expect(readFileSync(join(folder, '1.json'), 'utf8')).toBe('short');
  });

  it('syncs the file before the rename, and the folder after', () => {
    replaceDurably(join(folder, '1.json'), 'x', temporaryFolder);
    expect(faults.calls).toEqual([
      'open temporary',
      'fsync temporary',
      'close temporary',
      'rename temporary',
      'open requests',
      'fsync requests',
      'close requests',
    ]);
  });
});

describe('writeTemporary', () => {
  it('goes on after writes that take less than they were given', () => {
    faults.maxWrite = 7;
    const text = '가나다라마바사아자차카타파하'.repeat(20);
    expect(readFileSync(writeTemporary(text, temporaryFolder), 'utf8')).toBe(text);
  });

  it.each([
    ['takes nothing', () => (faults.maxWrite = 0)],
    ['says it took what never reached the file', () => (faults.lastWriteLost = true)],
  ])('refuses as incomplete when a write %s', (_, prepare) => {
    prepare();
    expect(() => writeTemporary('text', temporaryFolder)).toThrow(
      expect.objectContaining({ code: 'write-incomplete' }),
    );
    expect(readdirSync(temporaryFolder)).toEqual([]);
  });

  it('writes an empty file whole', () => {
    expect(statSync(writeTemporary('', temporaryFolder)).size).toBe(0);
  });

  it.each([[undefined], [null], [{}], [12n], [['x']]])(
    'refuses %s as content before it touches anything',
    (content) => {
      writeFileSync(join(folder, '1.json'), 'old');
      for (const write of [createDurably, replaceDurably]) {
        // @ts-expect-error the types refuse it too, but serialisers return undefined where they promise text
        expect(() => write(join(folder, '1.json'), content, temporaryFolder)).toThrow(
          expect.objectContaining({ code: 'internal' }),
        );
      }
      expect(faults.calls).toEqual([]);
      expect(readFileSync(join(folder, '1.json'), 'utf8')).toBe('old');
    },
  );
});

describe('a failing call', () => {
  const rows = [
    ['open', 'EMFILE'],
    ['fsync', 'EIO'],
    ['close', 'EDQUOT'],
    ['link', 'EPERM'],
    ['rename', 'EROFS'],
  ] as const;

  it.each(rows)('%s: its error comes out unchanged (%s), the old file stays, nothing is left behind', (call, code) => {
    writeFileSync(join(folder, 'old.json'), 'old');
    faults.failing = { call, code };
    const write = call === 'link' ? createDurably : replaceDurably;
    const path = join(folder, call === 'link' ? 'new.json' : 'old.json');
    expect(() => write(path, 'new', temporaryFolder)).toThrow(expect.objectContaining({ code }));
    faults.failing = null;
    expect(readdirSync(folder)).toEqual(['old.json']);
    expect(readFileSync(join(folder, 'old.json'), 'utf8')).toBe('old');
    expect(readdirSync(temporaryFolder)).toEqual([]);
    expect([...faults.open.values()]).toEqual([]);
  });

  it('in the sync of the folder comes out, and calling again makes the file durable', () => {
    const path = join(folder, '1.json');
    expect(() => syncFolder(join(folder, 'gone'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    faults.failing = { call: 'fsync', code: 'EINVAL' };
    expect(() => syncFolder(folder)).toThrow(expect.objectContaining({ code: 'EINVAL' }));
    faults.failing = null;
    expect(createDurably(path, 'x', temporaryFolder)).toBe('created');
    expect(createDurably(path, 'x', temporaryFolder)).toBe('exists');
    expect([...faults.open.values()]).toEqual([]);
  });

  it('in removing the temporary file does not undo what is done', () => {
    faults.failing = { call: 'unlink', code: 'EIO' };
    expect(createDurably(join(folder, '1.json'), 'x', temporaryFolder)).toBe('created');
    expect(readFileSync(join(folder, '1.json'), 'utf8')).toBe('x');
  });
});

describe('a nearly full disk', () => {
  it('keeps the old file whole and leaves nothing behind', (context) => {
    const small = fullBut8Kilobytes(context);
    const path = join(small, 'receipt.json');
    expect(() => replaceDurably(path, 'n'.repeat(20_000), small)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(small).sort()).toEqual(['filler', 'receipt.json']);
    expect([...faults.open.values()]).toEqual([]);
    replaceDurably(path, 'n'.repeat(4_000), small);
    expect(statSync(path).size).toBe(4_000);
  });

  it('publishes no new file', (context) => {
    const small = fullBut8Kilobytes(context);
    expect(() => createDurably(join(small, 'new.json'), 'n'.repeat(20_000), small)).toThrow(
      expect.objectContaining({ code: 'ENOSPC' }),
    );
    expect(readdirSync(small).sort()).toEqual(['filler', 'receipt.json']);
  });
});

function fullBut8Kilobytes(context: TestContext): string {
  const small = smallFileSystem(64) ?? context.skip('mounting is not permitted');
  writeFileSync(join(small, 'receipt.json'), 'old');
  writeFileSync(join(small, 'filler'), Buffer.alloc(52 * 1024));
  return small;
}
