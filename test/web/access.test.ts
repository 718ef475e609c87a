/** Who may look, by what address, and what every answer forbids a browser. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { HomeOnDisk } from '../cli/home-on-disk.ts';
import { type Exit, Running } from '../harness/bridge.ts';
import { type Page, openPage, pageOf, webHome } from './web-home.ts';

/** Names, sizes and times of all that lies in a folder. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const status = statSync(join(folder, name));
      return `${name} ${status.size} ${status.mtimeMs} ${status.mode}`;
    });
}

describe('over one home', () => {
  let home: HomeOnDisk;
  let page: Page;
  let before: string[];

  beforeAll(async () => {
    home = new HomeOnDisk(undefined, () => undefined);
    home.request(41);
    home.receipt(41, { state: 'sent', history: [{ state: 'sent', at: '2020-11-30T09:00:05.000Z' }] });
    home.write('secret.txt', 'canary');
    before = snapshot(home.path);
    const web = new Running(['web', '--port', '0', '--home', home.path], { ...process.env });
    page = await pageOf(web);
  });

  afterAll(async () => {
    await page.web.end();
    home.removeAll();
  });

  test.for(['127.0.0.1', '127.0.0.1:9999', 'localhost:80', 'LOCALHOST', '[::1]:7341'])(
    'a browser that calls this machine %s is let in, also through a tunnel',
    async (host) => {
      expect((await page.get('', { headers: { host } })).status).toBe(200);
    },
  );

  test.for(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', '192.168.0.2'])(
    'a name that was led here, such as "%s", is turned away, and learns nothing',
    async (host) => {
      const { status, text } = await page.get('', { headers: { host } });

      expect(status).toBe(403);
      expect(text).not.toContain('request 41');
    },
  );

  test.for(['/', '/x/', '/%00/', '//', '/requests', '/favicon.ico', '/../../etc/passwd'])(
    'the address %s, which lacks the token, is turned away',
    async (rawPath) => {
      expect((await page.get('', { rawPath })).status).toBe(403);
    },
  );

  test('a token that is nearly right is wrong', async () => {
    const token = new URL(page.url).pathname.split('/')[1] ?? '';

    expect(token.length).toBeGreaterThanOrEqual(22);
    for (const other of [token.slice(1), `${token}x`, token.toUpperCase(), encodeURIComponent(`${token} `)])
      expect((await page.get('', { rawPath: `/${other}/` })).status).toBe(403);
  });

  test.for(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is refused: the page is only read', async (method) => {
    const { status, headers } = await page.get('', { method });

    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET, HEAD');
  });

  test('HEAD tells the length of what GET gives, and nothing of it', async () => {
    const head = await page.get('asset/style.css', { method: 'HEAD' });
    const whole = await page.get('asset/style.css');

    expect(head.body.length).toBe(0);
    expect(head.headers['content-length']).toBe(String(whole.body.length));
  });

  test.for(['', 'requests', 'request/41', 'request/999', 'asset/follow.js', 'nowhere'])(
    'the answer to "%s" keeps what it holds to this page',
    async (path) => {
      const { headers } = await page.get(path);

      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/u);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|data:/u);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test.for([
    'picture/41/in/0',
    'picture/41/out/0',
    'picture/41/in/../../../../secret.txt',
    'picture/41/in/%2e%2e%2f%2e%2e%2fsecret.txt',
    'picture/999/in/0',
    'asset/../secret.txt',
    'asset/constructor.x',
    'request/1e3',
    'request/0',
    'request/99999999999999999999',
    'conversation/-1',
    'conversation/42?page=2',
    'request/41/',
    '%E0%A4%A',
  ])('"%s" is no page and no file', async (path) => {
    const base = new URL(page.url).pathname;
    const { status, text } = await page.get('', { rawPath: `${base}${path}` });

    expect(status).toBe(404);
    expect(text).not.toContain('canary');
  });

  test.for([
    'requests?page=0',
    'requests?page=1e99',
    'requests?page=x&state=nonsense',
    'requests?q=%00%ff%F0',
    'requests?q=' + 'a'.repeat(5_000),
  ])('an odd query (%.30s) is answered with a page all the same', async (path) => {
    expect((await page.get(path)).status).toBe(200);
  });

  test('after all of this nothing in the home has changed', () => {
    expect(snapshot(home.path)).toEqual(before);
  });
});

test('the address is one line on stdout, with --json its parts; each start has another token', async () => {
  const home = webHome();
  const plain = await openPage(home.path);
  const json = await openPage(home.path, '--json');

  expect(plain.web.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/\n$/u);
  const told = JSON.parse(json.web.stdout);
  expect(told).toEqual({ host: '127.0.0.1', port: expect.any(Number), token: expect.any(String), url: json.url });
  expect(told.url).toBe(`http://127.0.0.1:${told.port}/${told.token}/`);
  expect(plain.url).not.toContain(told.token);
});

test.for(['SIGTERM', 'SIGINT'] as const)('%s ends it with 0, also while a page listens', async (signal) => {
  const page = await openPage(webHome().path);
  const listening = fetch(new URL('events', page.url));
  await listening;

  expect(await page.web.kill(signal)).toEqual<Exit>({ code: 0, signal: null });
});

test('a port that is taken ends it with 1, and says so', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;

  const { code, stdout, stderr } = await webHome().command('web', '--port', String(port));
  other.close();

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `blog-bridge: port ${port} of 127.0.0.1: expected it to be free, found another program on it\nGive another one with --port; 0 takes any that is free.\n`,
  );
});

test.for(['65536', '1.5'])('a port such as "%s" is wrong use', async (port) => {
  expect((await webHome().command('web', '--port', port)).code).toBe(64);
});

test.skipIf(process.platform !== 'linux')('only the loopback interface is listened on', async () => {
  const page = await openPage(webHome().path);
  const port = Number(new URL(page.url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');

  expect(
    lines.filter((line) => line.includes(`:${port} 00000000:0000 0A`)).map((line) => line.trim().split(/\s+/u)[1]),
  ).toEqual([`0100007F:${port}`]);
});
