import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fetchAttachments } from '../../src/bridge/fetch-attachments.ts';
import type { Attachment, Request } from '../../src/core/request.ts';
import { type StandIn, openStandIn } from '../../src/stand-in/stand-in.ts';
import { fetchFile } from '../../src/telegram/file-source.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';

/** Long for loopback, short for a test. */
const SILENCE_MS = 1_000;

interface Desk {
  telegram: StandIn;
  folder: string;
  /** In words, as a person would be told. */
  troubles: string[];
  fetch: (attachments: Attachment[], signal?: AbortSignal) => ReturnType<typeof fetchAttachments>;
}

async function desk(): Promise<Desk> {
  const telegram = await openStandIn();
  onTestFinished(() => telegram.close());
  const folder = join(scratchFolder(), '41');
  const troubles: string[] = [];
  return {
    telegram,
    folder,
    troubles,
    fetch: (attachments, signal = new AbortController().signal) =>
      fetchAttachments({ attachments } as Request, folder, {
        fetchFile: (wanted, path, stop) => fetchFile(telegram, wanted, path, stop, SILENCE_MS),
        onTrouble: (words) => troubles.push(words),
        signal,
      }),
  };
}

function attachment(fileId: string, fields: Partial<Attachment> = {}): Attachment {
  return { kind: 'photo', fileId, uniqueId: 'u', name: null, mime: 'image/jpeg', bytes: null, ...fields };
}

test('files lie under names of our own, whole, and the original name stays data', async () => {
  const { telegram, folder, fetch } = await desk();
  const bytes = randomBytes(300_000);
  const files = [
    attachment(telegram.addFile(bytes), { bytes: bytes.length }),
    attachment(telegram.addFile('%PDF', { name: '../여행 "계획".PDF' }), {
      kind: 'document',
      name: '../여행 "계획".PDF',
      mime: 'application/pdf',
    }),
    attachment(telegram.addFile('x', { name: 'no-extension' }), { kind: 'document', name: 'no-extension', mime: null }),
  ];

  const fetched = await fetch(files);

  expect(fetched?.map(({ file, problem }) => ({ file, problem }))).toEqual([
    { file: 'in/1.jpg', problem: null },
    { file: 'in/2.pdf', problem: null },
    { file: 'in/3', problem: null },
  ]);
  expect(fetched?.[1]?.name).toBe('../여행 "계획".PDF');
  expect(
    createHash('sha256')
      .update(readFileSync(join(folder, 'in', '1.jpg')))
      .digest('hex'),
  ).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(readdirSync(join(folder, 'in')).sort()).toEqual(['1.jpg', '2.pdf', '3']);
});

describe('a transfer is tried again, and a cut one never counts', () => {
  test.each([
    { title: 'silent in the middle', fault: { cut: 'after', contentLength: true } as const, method: 'download' },
    { title: 'cut in the middle', fault: { cut: 'after' } as const, method: 'download' },
    { title: 'reset', fault: { reset: 'before' } as const, method: 'download' },
    { title: '502', fault: { status: 502, body: 'bad gateway', accept: false } as const, method: 'download' },
    { title: 'place gone', fault: { status: 404, body: 'gone', accept: false } as const, method: 'download' },
    {
      title: 'getFile 500',
      fault: { refuse: { code: 500, description: 'Internal Server Error' } } as const,
      method: 'getFile',
    },
    {
      title: 'getFile 429',
      fault: { refuse: { code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } } } as const,
      method: 'getFile',
    },
  ])('$title', async ({ fault, method }) => {
    const { telegram, folder, fetch } = await desk();
    const bytes = randomBytes(100_000);
    const cut = telegram.fault({ method }, fault);

    const fetched = await fetch([attachment(telegram.addFile(bytes), { bytes: bytes.length })]);

    expect(cut.hits).toBe(1);
    expect(fetched?.[0]).toMatchObject({ problem: null, bytes: bytes.length });
    expect(readFileSync(join(folder, 'in', '1.jpg')).equals(bytes)).toBe(true);
    expect(readdirSync(join(folder, 'in'))).toEqual(['1.jpg']);
  });

  test('without a line it waits, and goes on when the line is back', async () => {
    const { telegram, fetch } = await desk();
    const wanted = attachment(telegram.addFile('sea'));
    await telegram.goOffline();
    const fetching = fetch([wanted]);
    await telegram.goOnline();
    expect((await fetching)?.[0]?.problem).toBeNull();
  });
});

describe('what cannot be had is told with its cause', () => {
  test('announced as over 20 MB: Telegram is not even asked', async () => {
    const { telegram, fetch } = await desk();
    const fetched = await fetch([attachment(telegram.addFile('x'), { bytes: 25_000_000 })]);
    expect(fetched?.[0]).toMatchObject({ file: null, problem: 'too-large' });
    expect(telegram.calls.filter(({ method }) => method === 'getFile')).toEqual([]);
  });

  test.each([
    { description: 'Bad Request: file is too big', problem: 'too-large' },
    { description: 'Bad Request: wrong file_id or the file is temporarily unavailable', problem: 'refused' },
  ])('$description', async ({ description, problem }) => {
    const { telegram, fetch } = await desk();
    telegram.fault({ method: 'getFile' }, { refuse: { code: 400, description } });
    const fetched = await fetch([attachment(telegram.addFile('x')), attachment(telegram.addFile('y'))]);
    expect(fetched?.map((one) => one.problem)).toEqual([problem, null]);
  });
});

test('a transfer that brings a byte now and then, and so would never end, is given up and tried again', async () => {
  const bytes = Buffer.alloc(2_000, 'x');
  let transfers = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/file/') !== true) {
      const result = { file_id: 'f', file_unique_id: 'u', file_size: bytes.length, file_path: 'documents/f' };
      response.end(JSON.stringify({ ok: true, result }));
      return;
    }
    transfers += 1;
    response.writeHead(200, { 'content-length': bytes.length });
    if (transfers > 1) {
      response.end(bytes);
      return;
    }
    const drip = setInterval(() => response.write('x'), 100);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const access = { token: '1:x', apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const folder = join(scratchFolder(), '41');
  const troubles: string[] = [];

  const fetched = await fetchAttachments({ attachments: [attachment('f')] } as Request, folder, {
    fetchFile: (wanted, path, stop) => fetchFile(access, wanted, path, stop, SILENCE_MS),
    onTrouble: (words) => troubles.push(words),
    signal: new AbortController().signal,
  });

  expect(fetched?.[0]).toMatchObject({ problem: null, bytes: bytes.length });
  expect(troubles).toEqual(['file 1.jpg: AbortError; trying again']);
  expect(transfers).toBe(2);
});

test('a file that is given whole, and is not the announced one, is given up and told of', async () => {
  const { telegram, troubles, fetch } = await desk();
  const fetched = await fetch([
    attachment(telegram.addFile('four'), { bytes: 7 }),
    attachment(telegram.addFile('next')),
  ]);
  expect(fetched?.map(({ problem }) => problem)).toEqual(['incomplete', null]);
  expect(troubles).toEqual(['file 1.jpg: 4 of 7 bytes came; trying again']);
});

test('after a crash what came whole is kept, and everything else is cleared away', async () => {
  const { telegram, folder, fetch } = await desk();
  const files = [attachment(telegram.addFile('one')), attachment(telegram.addFile('two'))];
  await fetch(files);
  writeFileSync(join(folder, 'in', '2.jpg.part'), 'half');
  const before = telegram.calls.length;

  const again = await fetch(files);

  expect(again?.map(({ problem }) => problem)).toEqual([null, null]);
  expect(telegram.calls.length).toBe(before);
  expect(readdirSync(join(folder, 'in')).sort()).toEqual(['1.jpg', '2.jpg']);
});

test('a stop ends the wait at once, with nothing half', async () => {
  const { telegram, folder, fetch } = await desk();
  telegram.fault(
    { method: 'getFile', times: Number.POSITIVE_INFINITY },
    { refuse: { code: 500, description: 'Internal Server Error' } },
  );
  const stop = new AbortController();
  const fetching = fetch([attachment(telegram.addFile('x'))], stop.signal);
  await telegram.waitFor(() => telegram.calls.some(({ method }) => method === 'getFile'));
  stop.abort();
  expect(await fetching).toBeNull();
  expect(existsSync(join(folder, 'in', '1.jpg'))).toBe(false);
});
