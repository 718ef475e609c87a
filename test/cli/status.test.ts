/** `status`: the whole home at a glance, in words and as JSON of a stable shape. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Part, Receipt } from '../../src/core/receipt.ts';
import { openWorld } from '../harness/bridge.ts';
import { type Ended, HomeOnDisk } from './home-on-disk.ts';

const error = { stage: 'agent' as const, code: 'agent-exit', message: 'the agent ended with exit code 3' };
const parts: Part[] = [
  { kind: 'text', state: 'sent', messageIds: [90], at: '2020-11-30T09:00:03.000Z', text: 'one', entities: [] },
  { kind: 'text', state: 'sending', messageIds: [], at: '2020-11-30T09:00:03.000Z', text: 'two', entities: [] },
];
const failed: Partial<Receipt> = {
  state: 'failed',
  error,
  history: [{ state: 'failed', at: '2020-11-30T09:00:04.000Z', code: 'agent-exit' }],
};

function homeOfAllStates(): HomeOnDisk {
  const home = new HomeOnDisk();
  for (let id = 41; id <= 47; id++) home.request(id);
  home.request(48, { text: '바다에 대해\n써 줘 \u001B[31m'.repeat(20) });
  home.receipt(41, { attention: 'interrupted-run' });
  home.receipt(42, { state: 'sending', attention: 'unknown-delivery', reply: { markdown: 'one two', parts } });
  home.receipt(43, { ...failed, attention: 'failed' });
  home.receipt(44, {});
  home.write('state/45.json', '{"version":1,');
  home.receipt(46, { state: 'sent', history: [{ state: 'sent', at: '2020-11-30T09:00:05.000Z' }] });
  home.write('spool/decisions/xabc.json', {
    version: 1,
    id: 'xabc',
    verb: 'rerun',
    requestId: '43',
    run: 1,
    historyLength: 1,
    by: { name: 'me' },
    at: '2020-11-30T09:01:00.000Z',
  });
  home.write('spool/unread/860000001.json', {});
  // A name without a request is none that waits.
  home.write('spool/pending/99.json', '');
  return home;
}

/** Its folder, which is another one each time, is called HOME. */
async function statusOf(home: HomeOnDisk, ...options: string[]): Promise<Ended> {
  const ended = await home.command('status', ...options);
  return { ...ended, stdout: ended.stdout.replaceAll(home.path, 'HOME') };
}

test('a home that was only configured is shown as such', async () => {
  const { code, stdout, stderr } = await statusOf(new HomeOnDisk());

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`bot       not running; start it: blog-bridge bot --home HOME
consumer  not running; start it: blog-bridge consumer --home HOME

Nothing is running, nothing waits, nothing needs you.
`);
});

test('every state has its place, each that needs a person the commands that decide it', async () => {
  const { code, stdout } = await statusOf(homeOfAllStates());

  expect(code).toBe(0);
  expect(stdout).toBe(`bot       not running; start it: blog-bridge bot --home HOME
consumer  not running; start it: blog-bridge consumer --home HOME

waiting (2)
  47  waiting  2020-11-30 09:00:00  request 47
  48  waiting  2020-11-30 09:00:00  바다에 대해 써 줘 바다에 대해 써 줘 바다에 대해 써 줘 바다에 대해 써 줘 바다에 대해 써 줘 바다에…

needs you (5)
  41  interrupted-run      2020-11-30 09:00:01  request 41
      blog-bridge rerun 41 --home HOME             run the agent once more
      blog-bridge resolve 41 --sent --home HOME    its work is done: close it as sent
      blog-bridge resolve 41 --failed --home HOME  close it as failed
  42  unknown-delivery     2020-11-30 09:00:01  request 42
      blog-bridge resolve 42 --sent --home HOME    it arrived: send only the rest
      blog-bridge resend 42 --home HOME            it did not arrive: send it once more
      blog-bridge rerun 42 --home HOME             run the agent once more
      blog-bridge resolve 42 --failed --home HOME  close it as failed
  43  failed (agent-exit)  2020-11-30 09:00:04  request 43
      blog-bridge rerun 43 --home HOME             run the agent once more
      blog-bridge resolve 43 --failed --home HOME  close it as failed
  44  submitted            2020-11-30 09:00:01  request 44
      Its consumer is gone. The next one says how far it came: blog-bridge consumer --home HOME
  45  unreadable           –                    request 45
      blog-bridge show 45 --home HOME

decisions not carried out yet (1)
  43  rerun  2020-11-30 09:01:00  me

updates that could not be read: 1, kept in spool/unread/

names in spool/pending/ that are no requests: 99

last ten
  46  sent                 2020-11-30 09:00:05  request 46
  45  unreadable           –                    request 45
  44  submitted            2020-11-30 09:00:01  request 44
  43  failed (agent-exit)  2020-11-30 09:00:04  request 43
  42  unknown-delivery     2020-11-30 09:00:01  request 42
  41  interrupted-run      2020-11-30 09:00:01  request 41
`);
});

test('as JSON the fields keep their names and places', async () => {
  const { code, stdout } = await statusOf(homeOfAllStates(), '--json');

  expect(code).toBe(0);
  const brief = {
    id: '41',
    state: 'submitted',
    attention: 'interrupted-run',
    at: '2020-11-30T09:00:01.000Z',
    text: 'request 41',
  };
  const status = JSON.parse(stdout);
  expect(Object.keys(status)).toEqual([
    'version',
    'problems',
    'bot',
    'consumer',
    'running',
    'waiting',
    'attention',
    'orders',
    'recent',
    'unread',
    'stray',
  ]);
  expect(status).toMatchObject({
    bot: { running: false, pid: null, since: null, heartbeat: null },
    consumer: { running: false, pid: null, since: null, heartbeat: null },
    running: null,
    orders: [{ id: 'xabc', verb: 'rerun', requestId: '43', at: '2020-11-30T09:01:00.000Z', by: 'me' }],
    unread: ['860000001.json'],
    stray: ['99'],
    version: 1,
    problems: [
      { code: 'bot-down', words: 'the bot is not running' },
      { code: 'consumer-down', words: 'the consumer is not running' },
      { code: 'needs-you', words: 'needs you: 41, 42, 43, 44, 45' },
    ],
  });
  expect(status.attention[0]).toEqual({
    ...brief,
    commands: [
      'blog-bridge rerun 41 --home HOME',
      'blog-bridge resolve 41 --sent --home HOME',
      'blog-bridge resolve 41 --failed --home HOME',
    ],
  });
  expect(
    status.attention.map(({ id, state, attention, commands }: Record<string, unknown>) => [
      id,
      state,
      attention,
      commands,
    ]),
  ).toEqual([
    ['41', 'submitted', 'interrupted-run', expect.anything()],
    [
      '42',
      'sending',
      'unknown-delivery',
      [
        'blog-bridge resolve 42 --sent --home HOME',
        'blog-bridge resend 42 --home HOME',
        'blog-bridge rerun 42 --home HOME',
        'blog-bridge resolve 42 --failed --home HOME',
      ],
    ],
    ['43', 'failed', 'failed', ['blog-bridge rerun 43 --home HOME', 'blog-bridge resolve 43 --failed --home HOME']],
    ['44', 'submitted', null, []],
    ['45', 'unreadable', null, []],
  ]);
  expect(status.waiting.map(({ id, state }: Record<string, unknown>) => [id, state])).toEqual([
    ['47', 'waiting'],
    ['48', 'waiting'],
  ]);
  expect(status.recent.map(({ id }: Record<string, unknown>) => id)).toEqual(['46', '45', '44', '43', '42', '41']);
});

test('--check prints what is wrong and exits with 1, for cron and monitoring', async () => {
  const { code, stdout, stderr } = await statusOf(homeOfAllStates(), '--check');

  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toBe('the bot is not running\nthe consumer is not running\nneeds you: 41, 42, 43, 44, 45\n');
  const asJson = await statusOf(homeOfAllStates(), '--check', '--json');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ version: 1, problems: [{ code: 'bot-down' }, {}, {}] });
});

test('--check over a home at work says nothing and exits with 0; README.md has the line for cron', async () => {
  const world = await openWorld();
  const running = world.run('start');
  await running.logged('bot ready', {}, 60_000);
  await running.logged('consumer ready', {}, 60_000);
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const line = /^\*\/10 \* \* \* \* blog-bridge (status --check) --home /mu.exec(readme)?.[1] ?? '';

  expect(line).toBe('status --check');
  expect(await world.command(...line.split(' '))).toMatchObject({ code: 0, stdout: '', stderr: '' });
});
