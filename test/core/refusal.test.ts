import { expect, test } from 'vitest';
import { type Degradation, degradationFor } from '../../src/core/refusal.ts';

test.each<[description: string, without: Degradation]>([
  ["Bad Request: can't parse entities: unsupported start tag", 'formatting'],
  ['Bad Request: ENTITY_BOUNDS_INVALID', 'formatting'],
  ['Bad Request: ENTITIES_TOO_LONG', 'formatting'],
  ['Bad Request: Unsupported URL protocol', 'formatting'],
  ['Bad Request: message to be replied not found', 'quote'],
  ['Bad Request: replied message not found', 'quote'],
  ['Bad Request: REPLY_MESSAGE_ID_INVALID', 'quote'],
  ['Bad Request: message thread not found', 'topic'],
  ['Bad Request: TOPIC_DELETED', 'topic'],
  ['Bad Request: TOPIC_ID_INVALID', 'topic'],
  ['Bad Request: PHOTO_INVALID_DIMENSIONS', 'picture'],
  ['Bad Request: IMAGE_PROCESS_FAILED', 'picture'],
  ['Bad Request: not enough rights to send photos to the chat', 'picture'],
])('"%s" goes once more without its %s', (description, without) => {
  expect(degradationFor(400, description)).toBe(without);
});

test.each<[code: number, description: string]>([
  [400, 'Bad Request: chat not found'],
  [400, 'Bad Request: message is too long'],
  [400, 'Bad Request: message text is empty'],
  [400, 'Bad Request: TOPIC_CLOSED'],
  [400, 'Bad Request: not enough rights to send text messages to the chat'],
  [400, 'Bad Request: group chat was upgraded to a supergroup chat'],
  [400, ''],
  [401, 'Unauthorized'],
  [403, 'Forbidden: bot was blocked by the user'],
  [403, "Forbidden: can't parse entities"],
  [404, 'Not Found'],
  [413, 'Request Entity Too Large'],
])('%i "%s" is final', (code, description) => {
  expect(degradationFor(code, description)).toBeNull();
});
