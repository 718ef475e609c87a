/** What Telegram refused about a part, so that the part can go once more without it (contract §5). Pure. */

export type Degradation = 'formatting' | 'quote' | 'topic' | 'picture';

/**
 * Telegram names its causes in words only, so this is the one place where words are read (Bot API server's error texts).
 */
const CAUSES: readonly [RegExp, Degradation][] = [
  [/can't parse entities|entity|ENTITY_|ENTITIES_|unsupported url protocol/iu, 'formatting'],
  [
    /replied message not found|message to be replied not found|REPLY_MESSAGE_ID_INVALID|message to reply not found/iu,
    'quote',
  ],
  [/message thread not found|TOPIC_DELETED|TOPIC_ID_INVALID/iu, 'topic'],
  [/IMAGE_PROCESS_FAILED|PHOTO_[A-Z_]+|not enough rights to send photos|image/iu, 'picture'],
];

/** Null where the refusal is about more than one of these: sending again would be refused again. */
export function degradationFor(code: number, description: string): Degradation | null {
  if (code !== 400) return null;
  return CAUSES.find(([pattern]) => pattern.test(description))?.[1] ?? null;
}
