/** Where Telegram cannot be asked, or refuses: the real cause in words, its exit code, and nothing written. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StandIn, openStandIn } from '../../src/stand-in/stand-in.ts';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import { type Ended, command } from './home-on-disk.ts';

const NAMES = fileURLToPath(new URL('fixtures/names.mjs', import.meta.url));
const SECRET = 'a-secret_that-nobody-may-see';
const TOKEN = `110201543:${SECRET}`;

let folder: string;
const closing: (() => Promise<unknown> | void)[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridge-init-'));
});
afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

let homes = 0;

/** `init` as a script calls it; everything but Telegram is well. */
async function init(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended & { files: string[] }> {
  homes += 1;
  const home = join(folder, `home-${homes}`);
  const given = ['--home', home, '--chat-id', '7001', '--agent', 'sample'];
  const ended = await command(['init', ...given, ...args], { TELEGRAM_BOT_TOKEN: TOKEN, LANG: 'C', ...env });
  return { ...ended, files: readdirSync(home) };
}

function expectFailure(
  { code, stdout, stderr, files }: Ended & { files: string[] },
  exit: number,
  words: RegExp,
): void {
  expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringMatching(words) as string });
  expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  expect(stdout + stderr).not.toContain(SECRET);
  expect(files).toEqual([]);
}

async function openTelegram(action?: FaultAction, method = 'getMe'): Promise<StandIn> {
  const telegram = await openStandIn({ token: TOKEN });
  if (action !== undefined) telegram.fault({ method, times: 9 }, action);
  closing.push(() => telegram.close());
  return telegram;
}

async function port(server: Server, at = 0, host = '127.0.0.1'): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => open.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, host, resolve);
  });
  closing.push(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

function selfSigned(): Server {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...options, ...subject], { stdio: 'ignore' });
  return createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end());
}

describe.concurrent('the token', () => {
  test.each([
    [
      '401',
      undefined,
      { TELEGRAM_BOT_TOKEN: `110201543:not-${SECRET}` },
      /refuses this bot token \(401\).*\n.*\/token/u,
    ],
    ['404', { refuse: { code: 404, description: 'Not Found' } }, {}, /refuses this bot token \(404\)/u],
  ])('that Telegram answers with %s is refused, exit 78', async (_, action, env, words) => {
    const { apiRoot } = await openTelegram(action);
    expectFailure(await init({ TELEGRAM_API_ROOT: apiRoot, ...env }), 78, words);
  });
});

describe.concurrent('Telegram that cannot be reached, exit 69', () => {
  test.each<[string, FaultAction, RegExp]>([
    ['never answers', { stall: 'before' }, /127\.0\.0\.1:\d+ does not answer in time/u],
    ['cuts the connection', { reset: 'before' }, /is cut \(ECONNRESET\)/u],
    [
      'has a fault of its own',
      { status: 502, body: '<html>Bad Gateway</html>', accept: false },
      /fault of its own.*\(502\)/u,
    ],
    [
      'is a log-in page',
      { status: 200, body: '<html>Welcome</html>', accept: false },
      /is not Telegram's Bot API \(200\)/u,
    ],
    ['sends elsewhere', { status: 302, body: '', accept: false }, /is not Telegram's Bot API \(302\)/u],
    ['wants fewer calls', { refuse: { code: 429, description: 'Too Many Requests' } }, /wants fewer calls \(429\)/u],
  ])('because it %s', async (_, action, words) => {
    const { apiRoot } = await openTelegram(action);
    const patience = 'stall' in action ? ['--timeout', '1'] : [];
    expectFailure(await init({ TELEGRAM_API_ROOT: apiRoot }, ...patience), 69, words);
  });

  test('because the connection is refused; the words are Korean where the terminal is', async () => {
    const telegram = await openTelegram();
    await telegram.goOffline();
    const ended = await init({ TELEGRAM_API_ROOT: telegram.apiRoot, LANG: 'ko_KR.UTF-8' });
    expectFailure(ended, 69, /127\.0\.0\.1:\d+ 이\(가\) 연결을 거절합니다\n방화벽/u);
  });

  test.each<[string, unknown, RegExp]>([
    ['knows no such name', 'ENOTFOUND', /^blog-bridge: telegram\.test is not known to the name service/u],
    ['fails', 'EAI_AGAIN', /gives no answer about telegram\.test \(EAI_AGAIN\)/u],
    ['is silent', null, /gives no answer about telegram\.test \(dns-timeout\)/u],
  ])('because the name service %s', async (_, answer, words) => {
    const env = { NODE_OPTIONS: `--import=${NAMES}`, TEST_NAMES: JSON.stringify({ 'telegram.test': answer }) };
    const patience = answer === null ? ['--timeout', '1'] : [];
    expectFailure(await init({ TELEGRAM_API_ROOT: 'http://telegram.test', ...env }, ...patience), 69, words);
  });

  test('because what answers speaks no TLS', async () => {
    const { apiRoot } = await openTelegram();
    const ended = await init({ TELEGRAM_API_ROOT: apiRoot.replace('http:', 'https:') });
    expectFailure(ended, 69, /does not speak TLS/u);
  });

  test('because its certificate is not trusted; it is where NODE_EXTRA_CA_CERTS names it', async () => {
    const server = selfSigned();
    const env = { TELEGRAM_API_ROOT: `https://127.0.0.1:${await port(server)}` };
    expectFailure(
      await init(env),
      69,
      /certificate of 127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/u,
    );
    const trusting = await init({ ...env, NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') });
    expectFailure(trusting, 69, /is not Telegram's Bot API \(200\)/u);
  });

  test('because IPv6 hangs while IPv4 answers; it can be asked over IPv4 alone', async ({ skip }) => {
    const telegram = await openTelegram();
    const at = Number(new URL(telegram.apiRoot).port);
    const canListen = await port(createServer(), at, '::1').catch(() => null);
    if (canListen === null) skip('there is no IPv6 on loopback here');
    const names = (...addresses: string[]) => ({
      TELEGRAM_API_ROOT: `http://telegram.test:${at}`,
      NODE_OPTIONS: `--import=${NAMES}`,
      TEST_NAMES: JSON.stringify({ 'telegram.test': addresses }),
    });
    const ended = await init(names('::1', '127.0.0.1'), '--timeout', '4');
    expectFailure(ended, 69, /telegram\.test:\d+ answers over IPv4, but hangs over IPv6\n.*ipv4first/u);
    expect((await init(names('127.0.0.1', '::1'))).code).toBe(0);
  });

  test('after getMe, at the look for a webhook', async () => {
    const { apiRoot } = await openTelegram({ refuse: { code: 500, description: 'Internal' } }, 'getWebhookInfo');
    const ended = await init({ TELEGRAM_API_ROOT: apiRoot });
    expectFailure(ended, 69, /fault of its own.*\(500\)/u);
  });
});
