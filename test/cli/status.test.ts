/** `status`: the whole home at a glance, in words and as JSON of a stable shape. */
import { expect, test } from 'vitest';
import type { Part, Receipt } from '../../src/core/receipt.ts';
import { HomeOnDisk } from './home-on-disk.ts';

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
  return home;
}

test('a home that was only configured is shown as such', async () => {
  const { code, stdout, stderr } = await new HomeOnDisk().command('status');

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`bot       not running; start it: blog-bridge bot
consumer  not running; start it: blog-bridge consumer

Nothing is running, nothing waits, nothing needs you.
`);
});

test('every state has its place, each that needs a person the commands that decide it', async () => {
  const { code, stdout } = await homeOfAllStates().command('status');

  expect(code).toBe(0);
  expect(stdout).toBe(`bot       not running; start it: blog-bridge bot
consumer  not running; start it: blog-bridge consumer

waiting (2)
  47  waiting  2020-11-30 09:00:00  request 47
  48  waiting  2020-11-30 09:00:00  바다에 대해 써 줘 바다에 대해 써 줘 바다에 대해 써 줘 바다에 대해 써 줘 바다에 대해 써 줘 바다에…

needs you (5)
  41  interrupted-run      2020-11-30 09:00:01  request 41
      blog-bridge rerun 41             run the agent once more
      blog-bridge resolve 41 --sent    its work is done: close it as sent
      blog-bridge resolve 41 --failed  close it as failed
  42  unknown-delivery     2020-11-30 09:00:01  request 42
      blog-bridge resolve 42 --sent    it arrived: send only the rest
      blog-bridge resend 42            it did not arrive: send it once more
      blog-bridge rerun 42             run the agent once more
      blog-bridge resolve 42 --failed  close it as failed
  43  failed (agent-exit)  2020-11-30 09:00:04  request 43
      blog-bridge rerun 43             run the agent once more
      blog-bridge resolve 43 --failed  close it as failed
  44  submitted            2020-11-30 09:00:01  request 44
      Its consumer is gone. The next one says how far it came: blog-bridge consumer
  45  unreadable           –                    request 45
      blog-bridge show 45

decisions not carried out yet (1)
  43  rerun  2020-11-30 09:01:00  me

updates that could not be read: 1, kept in spool/unread/

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
  const { code, stdout } = await homeOfAllStates().command('status', '--json');

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
    'bot',
    'consumer',
    'running',
    'waiting',
    'attention',
    'orders',
    'recent',
    'unread',
  ]);
  expect(status).toMatchObject({
    bot: { running: false, pid: null, since: null, heartbeat: null },
    consumer: { running: false, pid: null, since: null, heartbeat: null },
    running: null,
    orders: [{ id: 'xabc', verb: 'rerun', requestId: '43', at: '2020-11-30T09:01:00.000Z', by: 'me' }],
    unread: ['860000001.json'],
  });
  expect(status.attention[0]).toEqual({
    ...brief,
    commands: ['blog-bridge rerun 41', 'blog-bridge resolve 41 --sent', 'blog-bridge resolve 41 --failed'],
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
        'blog-bridge resolve 42 --sent',
        'blog-bridge resend 42',
        'blog-bridge rerun 42',
        'blog-bridge resolve 42 --failed',
      ],
    ],
    ['43', 'failed', 'failed', ['blog-bridge rerun 43', 'blog-bridge resolve 43 --failed']],
    ['44', 'submitted', null, []],
    ['45', 'unreadable', null, []],
  ]);
  expect(status.waiting.map(({ id, state }: Record<string, unknown>) => [id, state])).toEqual([
    ['47', 'waiting'],
    ['48', 'waiting'],
  ]);
  expect(status.recent.map(({ id }: Record<string, unknown>) => id)).toEqual(['46', '45', '44', '43', '42', '41']);
});
