/** What the pages show, of homes in every state and of files that are none. */
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Part } from '../../src/core/receipt.ts';
import { HomeOnDisk } from '../cli/home-on-disk.ts';
import { Running } from '../harness/bridge.ts';
import { type Page, openPage, pageOf, webHome } from './web-home.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
);
const EVIL = `<script>alert(1)</script> "'><img src=x onerror=alert(2)>`;
const at = '2020-11-30T09:00:05.000Z';

function textPart(text: string, more: object[] = []): Part {
  return { kind: 'text', state: 'sent', messageIds: [90], at, text, entities: more as never[] };
}

describe('over a home in every state', () => {
  let home: HomeOnDisk;
  let page: Page;
  const text = async (path: string): Promise<string> => (await page.get(path)).text;

  beforeAll(async () => {
    home = new HomeOnDisk(
      { telegram: { chatId: 7001, userIds: [7001] }, agent: { kind: 'sample' }, language: 'en' },
      () => undefined,
    );
    for (let id = 41; id <= 48; id++) home.request(id);
    home.receipt(41, { attention: 'interrupted-run' });
    const parts: Part[] = [textPart('one'), { ...textPart('two'), state: 'sending', messageIds: [] }];
    home.receipt(42, { state: 'sending', attention: 'unknown-delivery', reply: { markdown: 'one two', parts } });
    home.receipt(43, {
      state: 'failed',
      attention: 'failed',
      error: { stage: 'agent', code: 'agent-exit', message: 'the agent ended with exit code 3' },
      history: [
        { state: 'submitted', at: '2020-11-30T09:00:01.000Z' },
        { state: 'failed', at, code: 'agent-exit' },
      ],
    });
    home.write('state/44.json', '{"version":1,');
    home.write('state/45.json', { version: 2, id: '45' });
    mkdirSync(join(home.path, 'state/46.json'));
    home.write('spool/requests/47.json', '\0\0\0');
    // 48 waits; 49 is a receipt whose request is gone; 50 asks with everything that is odd.
    home.receipt(49, { state: 'sent', history: [{ state: 'sent', at }] });
    home.request(50, {
      text: `${EVIL} \u202Eabc 바다`,
      from: { id: 7001, name: EVIL },
      attachments: [{ kind: 'document', fileId: 'f', uniqueId: 'u', name: `${EVIL}.txt`, mime: null, bytes: 1 }],
    });
    home.receipt(50, {
      state: 'sent',
      history: [
        { state: 'submitted', at: '2020-11-30T09:00:01.000Z' },
        { state: 'sending', at: '2020-11-30T09:01:01.000Z' },
        { state: 'sent', at: '2020-11-30T09:01:02.000Z', order: { id: 'c1', verb: 'arrived', by: EVIL } },
      ],
      attachments: [
        { file: 'in/1.png', kind: 'photo', name: null, bytes: PNG.length, problem: null },
        { file: 'in/2.svg', kind: 'document', name: EVIL, bytes: 10, problem: null },
        { file: 'in/3.png', kind: 'photo', name: 'a link', bytes: 10, problem: null },
        { file: '../../config.json', kind: 'photo', name: 'outside', bytes: 10, problem: null },
        { file: null, kind: 'photo', name: 'never came', bytes: null, problem: 'refused' },
      ],
      steps: [{ at, endedAt: at, kind: 'execute', title: EVIL, status: 'completed' }],
      reply: {
        markdown: EVIL,
        parts: [
          textPart(`${EVIL} link bold`, [
            { type: 'text_link', offset: EVIL.length + 1, length: 4, url: 'javascript:alert(3)' },
            { type: 'bold', offset: EVIL.length + 6, length: 4 },
            { type: 'bold', offset: -5, length: 99999 },
          ]),
          {
            kind: 'album',
            state: 'sent',
            messageIds: [91, 92],
            at,
            media: 'photo',
            items: [
              { file: 'out/a.png', name: 'a.png', caption: EVIL },
              { file: 'out/b.png', name: 'b.png', caption: '' },
            ],
          },
        ],
      },
    });
    home.write('state/files/50/in/1.png', PNG);
    home.write('state/files/50/in/2.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    symlinkSync(join(home.path, 'config.json'), join(home.path, 'state/files/50/in/3.png'));
    home.write('state/files/50/out/a.png', PNG);
    home.request(51, { kind: 'reply', conversation: '50', text: 'shorter, please' });
    home.write('spool/unread/860000001.json', {});
    home.write('state/12 2.json', '{}');
    page = await pageOf(new Running(['web', '--port', '0', '--home', home.path], { ...process.env, TZ: 'UTC' }));
  });

  afterAll(async () => {
    await page.web.end();
    home.removeAll();
  });

  test('the first page names all that needs a person, each with its cause and the commands that decide it', async () => {
    const overview = await text('');

    expect(overview).toContain(
      `Bot: not running; start it with <code>blog-bridge bot --home ${realpathSync(home.path)}</code>`,
    );
    for (const command of ['rerun 41', 'resolve 41 --sent', 'resend 42', 'resolve 42 --sent', 'rerun 43'])
      expect(overview).toContain(`<code>blog-bridge ${command} --home ${realpathSync(home.path)}</code>`);
    expect(overview).toContain('state/44.json: expected one JSON object, found text that is no JSON');
    expect(overview).toContain('state/45.json: expected version 1, found 2');
    expect(overview).toContain('46.json: expected a receipt, found no regular file');
    expect(overview).toContain('Updates that could not be read: 1.');
    expect(overview).toMatch(/Needs you <span class="count">6</u);
    expect(overview).toMatch(/Waiting <span class="count">3</u);
  });

  test.for([41, 42, 43, 44, 45, 46, 47, 48, 49, 50])('request %s has its page, whatever its files are', async (id) => {
    const request = await page.get(`request/${id}`);
    const conversation = await page.get(`conversation/${id}`);

    expect([request.status, conversation.status]).toEqual([200, 200]);
    expect(request.text).toContain(`Request ${id}`);
  });

  test('a request that is no valid file is named with its fault, and one whose file is gone as well', async () => {
    expect(await text('request/47')).toContain('47.json: expected one JSON object, found text that is no JSON');
    expect(await text('request/49')).toContain('spool/requests/49.json: no such file');
  });

  test('what people and agents wrote is text, and never a part of the page', async () => {
    for (const path of ['', 'requests', 'request/50', 'conversation/50', 'requests?q=%3Cscript%3Ealert(1)']) {
      const body = await text(path);
      expect(body).toContain('&lt;script&gt;alert(1)');
      expect(body).not.toMatch(/<script>|<img src=x|onerror=(?!alert\(2\)&gt;)|href="javascript/u);
    }
    expect(await text('conversation/50')).toContain('link <b>bold</b>');
  });

  test('a conversation is one thread: each turn with its pictures and its files by name', async () => {
    const thread = await text('conversation/50');

    expect(thread).toContain(`<img src="${new URL(page.url).pathname}picture/50/in/0"`);
    expect(thread).toContain('picture/50/out/0"');
    expect(thread).not.toMatch(/picture\/50\/in\/[1234]|picture\/50\/out\/1/u);
    expect(thread).toContain('never came <span class="muted">(could not be had from Telegram)</span>');
    expect(thread).toContain('b.png');
    expect(thread.indexOf('shorter, please')).toBeGreaterThan(thread.indexOf('link <b>bold</b>'));
  });

  test('a picture is given out as what it is; a browser that has it is told so', async () => {
    const { status, headers, body } = await page.get('picture/50/in/0');

    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/png' });
    expect(body.equals(PNG)).toBe(true);
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    const again = await page.get('picture/50/in/0', { headers: { 'if-none-match': String(headers['etag']) } });
    expect({ status: again.status, bytes: again.body.length }).toEqual({ status: 304, bytes: 0 });
  });

  test.for([
    ['in/1', 'an SVG, which may run something'],
    ['in/2', 'a link to another file'],
    ['in/3', 'a name that leads out of the folder'],
    ['in/4', 'a file that never came'],
    ['in/99', 'one that was never there'],
    ['out/1', 'one that is gone'],
  ])('picture %s is not given out: %s', async ([place]) => {
    const { status, text: body } = await page.get(`picture/50/${place}`);

    expect(status).toBe(404);
    expect(body).not.toContain('userIds');
  });

  test('requests are found by words of the question or the answer, by number, and by state', async () => {
    const found = async (query: string): Promise<string[]> =>
      [...(await text(`requests?${query}`)).matchAll(/aria-label="Request (\d+)"/gu)].map(([, id]) => id ?? '');

    expect(await found('q=SHORTER')).toEqual(['51']);
    expect(await found(`q=${encodeURIComponent('바다'.normalize('NFD'))}`)).toEqual(['50']);
    expect(await found('q=47')).toEqual(['47']);
    expect(await found('q=one+two')).toEqual(['42']);
    expect(await found('q=nowhere')).toEqual([]);
    expect(await found('state=attention')).toEqual(['46', '45', '44', '43', '42', '41']);
    expect(await found('state=failed')).toEqual(['43']);
    expect(await found('state=sent')).toEqual(['50', '49']);
    expect(await found('state=open')).toEqual(['51', '48', '47']);
    expect(await found('page=9')).toHaveLength(11);
  });

  test('the time line is drawn, and each of its stretches stands as a text too', async () => {
    const body = await text('request/50');

    expect(body).toMatch(
      /<svg class="drawing time-line"[^>]*role="img" aria-label="Time line of request 50, 1 min 2 s in all"/u,
    );
    expect(body).toContain('agent at work <b>1 min</b>');
    expect(body).toContain('ordered by &lt;script&gt;');
  });

  test('no file that is no request appears', async () => {
    expect(await text('requests')).not.toContain('#12');
  });
});

test('a home that was only configured has its page, in the language that the browser would rather read', async () => {
  const page = await openPage(webHome().path);
  const korean = await page.get('', { headers: { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' } });
  const english = await page.get('', { headers: { 'accept-language': 'en-US,ko;q=0.5' } });

  expect(korean.text).toContain('<html lang="ko">');
  expect(korean.text).toContain('아직 요청이 없습니다');
  expect(english.text).toContain('<html lang="en">');
  expect(english.text).toContain('No request yet.');
  expect((await page.get('activity')).status).toBe(200);
  expect((await page.get('request/41')).status).toBe(404);
});

test('the language of config.json comes before that of the browser', async () => {
  const page = await openPage(webHome('ko').path);

  expect((await page.get('', { headers: { 'accept-language': 'en' } })).text).toContain('<html lang="ko">');
});

test('a receipt that changes while it is read is shown as it was or as it is, never as damaged', async () => {
  const home = webHome('en');
  home.request(41);
  home.receipt(41, {});
  const page = await openPage(home.path);
  const states = new Set<string>();
  const path = join(home.path, 'state/41.json');
  const receipt = {
    version: 1,
    id: '41',
    state: 'sent',
    conversation: '41',
    session: 'x',
    run: 1,
    reply: null,
    agent: null,
  };
  const rest = { history: [{ state: 'sent', at }], previous: [], error: null, attention: null, notice: null };
  for (let round = 0; round < 40; round += 1) {
    const asking = page.get('request/41');
    // As the consumer does it: a whole file takes the place of another.
    writeFileSync(`${path}.tmp`, JSON.stringify({ ...receipt, ...rest, filler: 'x'.repeat(round * 10_000) }));
    renameSync(`${path}.tmp`, path);
    const { status, text } = await asking;
    states.add(`${status} ${/class="state (\w+)"/u.exec(text)?.[1] ?? ''}`);
  }

  expect([...states].filter((state) => state !== '200 sent' && state !== '200 attention')).toEqual([]);
  expect((await page.get('request/41')).text).toContain('class="state sent"');
});
