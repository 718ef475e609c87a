/** `show ID`: one request's whole story, in words and as JSON. */
import { expect, test } from 'vitest';
import type { Part, Receipt } from '../../src/core/receipt.ts';
import { HomeOnDisk } from './home-on-disk.ts';

const TOO_LONG = 'y'.repeat(300_000);
const text: Part = {
  kind: 'text',
  state: 'sent',
  messageIds: [90, 91],
  at: '2020-11-30T09:00:03.000Z',
  text: '# Spools\nare round',
  entities: [],
};
const file: Part = {
  kind: 'document',
  state: 'failed',
  messageIds: [],
  at: null,
  file: 'reply-2.md',
  name: 'reply.md',
  caption: 'whole',
};

const album: Part = {
  kind: 'album',
  state: 'waiting',
  messageIds: [],
  at: null,
  media: 'photo',
  items: ['a', 'b'].map((name) => ({ file: `out/${name}.png`, name: `${name}.png`, caption: '' })),
};

test('a story holds who asked, what happened when and for how long, what arrived, what went wrong, and what can be done', async () => {
  const home = new HomeOnDisk();
  home.request(43, {
    kind: 'reply',
    conversation: '41',
    text: 'and now\nshorter',
    replyTo: { messageId: 42, requestId: '41', text: 'the first answer' },
    attachments: [{ kind: 'photo', fileId: 'f', uniqueId: 'u', name: null, mime: null, bytes: 5, quoted: true }],
  });
  home.receipt(43, {
    state: 'failed',
    conversation: '41',
    run: 2,
    turn: 5,
    history: [
      { state: 'submitted', at: '2020-11-30T09:00:01.412Z' },
      { state: 'failed', at: '2020-11-30T09:03:21.412Z', code: 'agent-exit' },
      { state: 'submitted', at: '2020-11-30T11:03:21.412Z', order: { id: 'c1', verb: 'rerun', by: 'Owner' } },
      { state: 'sending', at: '2020-11-30T11:03:21.912Z' },
      { state: 'failed', at: '2020-12-03T12:03:21.912Z', code: 'send-refused' },
    ],
    reply: { markdown: '# Spools', parts: [text, file, album] },
    previous: [{ run: 1, reply: null, error: { stage: 'agent', code: 'agent-exit', message: 'x' } }],
    error: {
      stage: 'send',
      code: 'send-refused',
      message: 'Telegram refused part 2 of 2 (400)\nBad Request: \u001B[31mfile too big',
    },
    attention: 'failed',
    notice: { for: 'failed', state: 'sent', messageId: 95 },
  });
  home.write('state/files/43/run-1.out', '');
  home.write('state/files/43/run-2.out', '# Spools');

  const { code, stdout } = await home.command('show', '43');

  expect(code).toBe(0);
  expect(stdout.replaceAll(home.path, 'HOME')).toBe(`request 43: failed, needs you

  from     Owner (7001), goes on with conversation 41
  quoting  42: the first answer
  with     photo
  text     and now shorter

what happened
  2020-11-30 09:00:00               accepted
  2020-11-30 09:00:01  +1 s         submitted
  2020-11-30 09:03:21  +3 min 20 s  failed (agent-exit)
  2020-11-30 11:03:21  +2 h 0 min   submitted   rerun, ordered by Owner
  2020-11-30 11:03:21  +500 ms      sending
  2020-12-03 12:03:21  +3 d 1 h     failed (send-refused)
  run 2, turn 5 of session 0b9c2f64-5d0e-4c58-9f0c-4a2a8f0e7a11

answer: 1 of 3 parts sent
  1  sent     message 90, 91  # Spools are round
  2  failed                   document reply-2.md
  3  waiting                  2 photos: out/a.png, out/b.png

error at stage send: send-refused
  Telegram refused part 2 of 2 (400)
  Bad Request: file too big
This was run 2; what the earlier ones gave stands in the receipt under "previous".
notice in the chat (failed): sent, message 95

decide by one of
  blog-bridge resend 43 --home HOME            send once more what is not sent
  blog-bridge rerun 43 --home HOME             run the agent once more
  blog-bridge resolve 43 --failed --home HOME  close it as failed

files
  spool/requests/43.json
  state/43.json
  state/files/43/run-1.out
  state/files/43/run-2.out
`);
});

test('each state says how it stands and what is missing', async () => {
  const home = new HomeOnDisk();
  for (const id of [41, 42, 43, 44, 45]) home.request(id);
  home.receipt(42, {});
  home.receipt(43, { attention: 'interrupted-run' });
  home.write('state/44.json', '{"version":1,');
  home.write('spool/requests/45.json', '{}');
  home.receipt(45, {
    state: 'rejected',
    run: 0,
    session: null,
    agent: null,
    error: { stage: 'request', code: 'unknown-version', message: '45.json: expected version 1' },
  });
  const noConsumer = 'No consumer runs, so nothing goes on here; start one: blog-bridge consumer --home HOME';

  const told = await Promise.all(['41', '42', '43', '44', '45'].map((id) => home.command('show', id)));

  expect(told.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  const [waiting, submitted, interrupted, unreadable, rejected] = told.map(({ stdout }) =>
    stdout.replaceAll(home.path, 'HOME'),
  );
  expect(waiting).toMatch(new RegExp(`^request 41: waiting for its run\n.*${noConsumer}`, 'su'));
  expect(submitted).toMatch(new RegExp(`^request 42: submitted\n.*${noConsumer}`, 'su'));
  expect(interrupted).toMatch(
    /^request 43: submitted, needs you \(interrupted-run\)\n.*decide by one of\n {2}blog-bridge rerun 43 /su,
  );
  expect(unreadable).toMatch(new RegExp(`^request 44: its receipt cannot be read\n.*${noConsumer}`, 'su'));
  expect(rejected).toMatch(
    /^request 45: rejected\n.*45\.json: expected version 1, found nothing.*error at stage request: unknown-version/su,
  );
});

test('as JSON it gives request, receipt and state, whole, also through a slow pipe', async () => {
  const home = new HomeOnDisk();
  home.request(41);
  const receipt: Partial<Receipt> = {
    state: 'sent',
    reply: { markdown: TOO_LONG, parts: [text] },
    note: 'a field that we do not know',
  };
  home.receipt(41, receipt);
  home.request(42);
  home.write('state/42.json', 'no JSON');

  const [sent, unreadable] = await Promise.all([
    home.command('show', '41', '--json'),
    home.command('show', '42', '--json'),
  ]);

  const found = JSON.parse(sent.stdout);
  expect(Object.keys(found)).toEqual(['request', 'receipt', 'state']);
  expect(found).toMatchObject({
    state: 'sent',
    request: { id: '41', text: 'request 41' },
    receipt: { ...receipt, session: expect.any(String) },
  });
  expect(JSON.parse(unreadable.stdout)).toMatchObject({ state: 'unreadable', receipt: null, request: { id: '42' } });
});

test('what is no request’s id ends with 1 and two lines', async () => {
  const home = new HomeOnDisk();
  home.request(41);

  const ends = await Promise.all([
    home.command('rerun', '99'),
    ...['99', '041', 'abc', '../41'].map((id) => home.command('show', id)),
  ]);

  for (const { code, stdout, stderr } of ends) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /expected the id of a request, found none.*\n"blog-bridge status --home \S+" lists the latest\.\n$/u,
    );
  }
});
