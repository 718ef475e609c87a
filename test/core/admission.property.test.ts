import * as fc from 'fast-check';
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';
import { decideAdmission, decideEdit } from '../../src/core/admission.ts';
import { candidateOf } from '../../src/core/candidate-request.ts';
import { requestSchema } from '../../src/core/request.ts';
import { type Incoming, decodeUpdate } from '../../src/telegram/decode.ts';

const BOT_ID = 99;
const rules = { chatId: 7001, userIds: [7001], botUsername: 'bot' };
const link = { requestId: '41', conversation: '41' };

/** Mostly what Telegram sends, now and then anything. */
const odd = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: usual, weight: 80 }, { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 });
const record = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys });

const userId = fc.constantFrom(7001, 7001, 7001, 7001, 7002, BOT_ID, 777000, 1087968824);
const words = fc.oneof(
  fc.constantFrom('/blog', '/blog hi', '/BLOG@bot x', '/blog@other x', '/cancel', '/status', '/blog안녕', 'hello', ''),
  fc.string(),
);
const user = record(
  {
    id: odd(userId),
    is_bot: odd(fc.constantFrom(false, false, false, true)),
    first_name: odd(fc.string()),
    language_code: odd(fc.string()),
  },
  ['id', 'is_bot', 'first_name'],
);
const chat = record(
  { id: odd(fc.constantFrom(7001, 7001, -100)), type: odd(fc.constantFrom('private', 'supergroup')) },
  ['id', 'type'],
);
const file = record(
  {
    file_id: odd(fc.string()),
    file_unique_id: odd(fc.string()),
    file_size: odd(fc.integer()),
    file_name: odd(fc.string()),
  },
  ['file_id', 'file_unique_id'],
);
const entities = fc.array(
  odd(
    record({ type: fc.constantFrom('bot_command', 'code'), offset: fc.nat(3), length: fc.nat(5) }, [
      'type',
      'offset',
      'length',
    ]),
  ),
  { maxLength: 2 },
);
const common = {
  text: odd(words),
  caption: odd(words),
  entities: odd(entities),
  caption_entities: odd(entities),
  photo: odd(fc.array(odd(file), { maxLength: 2 })),
  document: odd(file),
};
const rare = record(
  {
    message_thread_id: odd(fc.nat()),
    is_topic_message: odd(fc.constant(true)),
    sender_chat: odd(chat),
    forward_origin: odd(fc.constant({})),
    sticker: odd(file),
    media_group_id: odd(fc.string()),
    poll: odd(fc.constant({})),
    migrate_to_chat_id: odd(fc.constant(-100)),
    forum_topic_created: odd(fc.constant({})),
  },
  [],
);
const required = {
  message_id: odd(fc.integer({ min: 1, max: 2 ** 31 })),
  date: odd(fc.integer({ min: 0, max: 2 ** 31 })),
  chat: odd(chat),
  from: odd(user),
};
const withRare = (usual: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    { arbitrary: usual, weight: 2 },
    { arbitrary: fc.tuple(usual, rare).map(([one, other]) => ({ ...one, ...other })), weight: 1 },
  );
const plain = withRare(record({ ...required, ...common }, ['message_id', 'date', 'chat', 'from']));
const message = withRare(
  record({ ...required, ...common, reply_to_message: odd(plain) }, ['message_id', 'date', 'chat']),
);
const press = record({ id: odd(fc.string()), from: odd(user), message: odd(plain), data: odd(fc.string()) }, [
  'id',
  'from',
]);
const update = fc.oneof(
  fc.record({ update_id: fc.nat(), message: odd(message) }),
  fc.record({ update_id: fc.nat(), edited_message: odd(message) }),
  fc.record({ update_id: fc.nat(), callback_query: odd(press) }),
  fc.record({ update_id: fc.nat(), poll: fc.constant({}) }),
);

const asUpdate = (value: object): Update => value as Update;

/** Null where the decoder refuses. */
function decoded(value: object): Incoming | null {
  try {
    return decodeUpdate(asUpdate(value), BOT_ID);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return null;
  }
}

test('whatever comes as an update is decoded, or refused with a TypeError', () => {
  fc.assert(
    fc.property(update, (value) => void decoded(value)),
    { numRuns: 1_000 },
  );
});

test('nobody but the allowed person in the bound chat ever makes a request or an order', () => {
  let requests = 0;
  fc.assert(
    fc.property(message, fc.boolean(), (value, isLinked) => {
      const incoming = decoded({ update_id: 1, message: value });
      if (incoming?.kind !== 'message') return;
      const admission = decideAdmission(incoming.message, isLinked ? link : null, rules);
      if (admission.kind !== 'request' && admission.kind !== 'cancel') return;
      requests += 1;
      expect(incoming.message).toMatchObject({
        chatId: 7001,
        from: { id: 7001, isBot: false },
        onBehalfOfChat: false,
        isForwarded: false,
      });
    }),
    { numRuns: 3_000 },
  );
  expect(requests).toBeGreaterThan(50);
});

test('an edit never makes a request', () => {
  fc.assert(
    fc.property(message, fc.boolean(), (value, isRequest) => {
      const incoming = decoded({ update_id: 1, edited_message: value });
      if (incoming?.kind !== 'edited') return;
      expect(decideEdit(incoming.message, isRequest, rules).kind).not.toBe('request');
    }),
    { numRuns: 1_000 },
  );
});

test('what a request is made of is valid, or refused as a whole', () => {
  fc.assert(
    fc.property(message, (value) => {
      const incoming = decoded({ update_id: 1, message: value });
      if (incoming?.kind !== 'message') return;
      const admission = decideAdmission(incoming.message, link, rules);
      if (admission.kind !== 'request') return;
      const parsed = requestSchema.safeParse(candidateOf(incoming.message, admission, '2026-11-30T09:00:00.000Z'));
      if (parsed.success) expect(parsed.data.id).toBe(String(incoming.message.messageId));
    }),
    { numRuns: 1_000 },
  );
});
