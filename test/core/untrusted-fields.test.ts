import { expect, test } from 'vitest';
import { REWRITABLE_DEPTH, parseJson } from '../../src/core/json.ts';
import { receiptSchema } from '../../src/core/receipt.ts';
import { parseRequest } from '../../src/core/request.ts';

test('JSON that is nested deeper than it may be written again is refused; brackets in texts count for nothing', () => {
  const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(parseJson(deep(400), REWRITABLE_DEPTH).ok).toBe(true);
  expect(parseJson(`{"a":${deep(200_000)}}`, REWRITABLE_DEPTH)).toMatchObject({
    ok: false,
    found: 'JSON nested too deep',
  });
  for (const text of ['[[['.repeat(1_000), `"${'{'.repeat(1_000)}`, `${'\\'.repeat(9)}"${'['.repeat(1_000)}`])
    expect(parseJson(JSON.stringify([text, text]), REWRITABLE_DEPTH)).toEqual({ ok: true, value: [text, text] });
});

const RECEIPT = {
  version: 1,
  id: '41',
  state: 'failed',
  conversation: '41',
  session: null,
  run: 1,
  history: [{ state: 'failed', at: '2026-11-30T09:00:00.000Z' }],
  reply: null,
  agent: null,
  previous: [],
  error: { stage: 'send', code: 'send-refused', message: '' },
  attention: 'failed',
  notice: null,
};
const fileNamed = (file: string): object => ({
  ...RECEIPT,
  reply: {
    markdown: '',
    parts: [{ kind: 'document', state: 'failed', messageIds: [], at: null, file, name: 'x', caption: '' }],
  },
});

test.each([
  ['../../../.env', false],
  ['/etc/passwd', false],
  ['out/../../../../.env', false],
  ['out/a..b/..c.md', true],
  ['reply-1.md', true],
])('a receipt whose part names the file %s is valid: %s', (file, isValid) => {
  expect(receiptSchema.safeParse(fileNamed(file)).success).toBe(isValid);
});

test('a receipt names no group that would be every process, and no conversation that would be a path', () => {
  const agent = { pid: 1, startedAt: '', bootId: '' };
  expect(receiptSchema.safeParse(RECEIPT).success).toBe(true);
  expect(receiptSchema.safeParse({ ...RECEIPT, agent }).success).toBe(false);
  expect(receiptSchema.safeParse({ ...RECEIPT, conversation: '../41' }).success).toBe(false);
});

test('a request whose answered request is no id, but a path, is rejected', () => {
  const request = {
    version: 1,
    id: '41',
    kind: 'blog',
    chatId: 7001,
    messageId: 41,
    messageIds: [41],
    threadId: null,
    from: { id: 7001, name: 'Owner' },
    text: 'x',
    conversation: '41',
    replyTo: { messageId: 40, requestId: '../../../secret', text: '' },
    attachments: [],
    sentAt: '2026-11-30T09:00:00.000Z',
    receivedAt: '2026-11-30T09:00:00.000Z',
  };
  expect(parseRequest(JSON.stringify(request), '41', 7001)).toMatchObject({
    ok: false,
    code: 'invalid-field',
    message: expect.stringContaining('replyTo.requestId'),
  });
});
