import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideAdmission } from '../../src/core/admission.ts';
import { albumKey, continues, mayContinue, merged } from '../../src/core/group.ts';
import { incoming, photo } from '../harness/incoming.ts';

const rules = { chatId: 7001, userIds: [7001], botUsername: 'MyBlog_Bot' };
const album = (messageId: number, text = ''): ReturnType<typeof incoming> =>
  incoming({ messageId, text, mediaGroupId: '77', attachments: [photo(`p${messageId}`)] });

describe('an album', () => {
  test.each([
    { captions: ['', '/blog trip', ''], text: 'trip' },
    { captions: ['/blog trip', 'harbour', 'sea'], text: 'trip\n\nharbour\n\nsea' },
    { captions: ['harbour', '/blog trip', ''], text: 'harbour\n\ntrip' },
    { captions: ['', '', '/blog'], text: '' },
  ])('with captions $captions is one request of all its pictures', ({ captions, text }) => {
    const parts = captions.map((caption, index) => album(50 + index, caption));

    const whole = merged(parts.toReversed());

    expect(whole.messageId).toBe(50);
    expect(whole.attachments.map(({ fileId }) => fileId)).toEqual(['p50', 'p51', 'p52']);
    expect(decideAdmission(whole, null, rules)).toMatchObject({ kind: 'request', request: 'blog', text });
  });

  test('without a command, and no reply, is no request', () => {
    expect(decideAdmission(merged([album(50, 'harbour'), album(51)]), null, rules).kind).toBe('ordinary');
  });

  test('that replies goes on with the conversation, whichever item bears the reply', () => {
    const replyTo = { messageId: 42, fromThisBot: true, text: 'an answer', attachments: [] };
    const whole = merged([album(50, 'harbour'), { ...album(51, 'sea'), replyTo }]);

    expect(decideAdmission(whole, { requestId: '41', conversation: '41' }, rules)).toMatchObject({
      kind: 'request',
      request: 'reply',
      text: 'harbour\n\nsea',
    });
  });

  test('is known by its media group alone', () => {
    expect(albumKey(album(50))).toBe(albumKey(album(51)));
    expect(albumKey(incoming({ text: 'talk' }))).toBeNull();
    expect(albumKey(incoming({ mediaGroupId: '../../x' }))).not.toContain('/');
  });
});

describe('a long paste', () => {
  const first = incoming({ messageId: 50, text: `/blog ${'가'.repeat(4090)}` });

  test.each([
    { title: 'a plain piece within two seconds', piece: {}, joins: true },
    { title: 'a piece three seconds later', piece: { date: first.date + 3 }, joins: false },
    {
      title: 'another person’s message',
      piece: { from: { id: 5, name: 'X', language: null, isBot: false } },
      joins: false,
    },
    { title: 'a message of another topic', piece: { threadId: 9 }, joins: false },
    { title: 'a command', piece: { text: '/status' }, joins: false },
    {
      title: 'a reply',
      piece: { replyTo: { messageId: 1, fromThisBot: true, text: '', attachments: [] } },
      joins: false,
    },
    { title: 'a forwarded message', piece: { isForwarded: true }, joins: false },
    { title: 'a picture', piece: { attachments: [photo('p')] }, joins: false },
    { title: 'an earlier message', piece: { messageId: 49 }, joins: false },
  ])('$title joins: $joins', ({ piece, joins }) => {
    expect(continues(incoming({ messageId: 51, text: 'more', ...piece }), first)).toBe(joins);
  });

  test('ends with a piece under 4,000 units', () => {
    expect(mayContinue(first)).toBe(true);
    expect(
      continues(incoming({ messageId: 52, text: 'more' }), incoming({ messageId: 51, text: 'x'.repeat(3999) })),
    ).toBe(false);
  });

  test('is joined without a character added or lost, in the order of its message ids', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 6 }), (pieces) => {
        const parts = [first, ...pieces.map((text, index) => incoming({ messageId: 51 + index, text, command: null }))];
        const whole = merged(parts.toReversed());
        expect(whole.command?.rest).toBe(`${first.command?.rest}${pieces.join('')}`);
      }),
    );
  });
});
