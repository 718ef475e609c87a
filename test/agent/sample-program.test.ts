/** The built-in agent shows what the person wrote, not what the bridge puts around it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { promptOf } from '../../src/core/prompt.ts';
import type { Request } from '../../src/core/request.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/agent/sample-program.js', import.meta.url));

const PHOTO = { kind: 'photo', fileId: 'f', uniqueId: 'u', name: null, mime: 'image/jpeg', bytes: 1 } as const;

test.for([
  { text: 'the sea', quoted: null, heading: '# the sea' },
  { text: '', quoted: null, heading: '# your pictures' },
  { text: '', quoted: 'a harbour', heading: '# your pictures' },
])('a picture with the words "$text" (quoting: $quoted) is headed "$heading"', ({ text, quoted, heading }) => {
  const request: Request = {
    version: 1,
    id: '41',
    kind: 'blog',
    chatId: 7001,
    messageId: 41,
    messageIds: [41],
    threadId: null,
    from: { id: 7001, name: 'Owner' },
    text,
    conversation: '41',
    replyTo: quoted === null ? null : { messageId: 40, requestId: null, text: quoted },
    attachments: [PHOTO],
    sentAt: '2026-11-30T09:00:00.000Z',
    receivedAt: '2026-11-30T09:00:00.412Z',
  };
  const input = promptOf(request, [{ ...PHOTO, file: 'in/1.jpg', problem: null }]);
  expect(input).toContain('1.jpg');

  const { status, stdout } = spawnSync(process.execPath, [PROGRAM], { input, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout.split('\n')[0]).toBe(heading);
});
