/** What can happen to one exchange between the bridge and Telegram, each at each class of bytes; and in which order it does. */
import { chance } from '../budget.ts';

/** Classes of bytes of a message: before its first, within its head, between head and body, within its body, before its last. */
export const PLACES = ['start', 'mid-head', 'after-head', 'mid-body', 'before-last'] as const;
export type Place = (typeof PLACES)[number];
/** Of the response also what comes after the last byte. */
export type ResponsePlace = Place | 'end';

/** How a connection is ended: in good order, or by a reset. */
export type Ending = 'fin' | 'reset';

export type Mishap =
  | { kind: 'none' }
  | { kind: 'cut'; of: 'request'; at: Place; ending: Ending }
  | { kind: 'cut'; of: 'response'; at: ResponsePlace; ending: Ending }
  /** Nothing more comes, and nothing is closed. What the client sent gets lost with it, or (`late`) arrives when it has left. */
  | { kind: 'stall'; of: 'request'; at: Place; late: boolean }
  | { kind: 'stall'; of: 'response'; at: ResponsePlace }
  /** In small pieces: all of it in time, or so slowly that it would never end. */
  | { kind: 'drip'; of: 'request' | 'response'; endless: boolean }
  /** The server sees the request twice; or the client the response, at once, or in front of the next one. */
  | { kind: 'twice'; of: 'request' | 'response' | 'next response' }
  /** Told longer or shorter than it is, or not at all; then the connection stays open, or is closed. */
  | { kind: 'length'; by: 'more' | 'less' | 'none'; ending: Ending | 'open' }
  /** Something in the middle answers in Telegram's place; the request has reached Telegram, or not. */
  | { kind: 'instead'; answer: keyof typeof ANSWERS; arrives: boolean };

const json = (status: number, value: unknown): string => {
  const body = JSON.stringify(value);
  return `HTTP/1.1 ${status} Any\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const page = (status: number, headers = ''): string => {
  const body = '<html><body>The gateway has something to say</body></html>';
  return `HTTP/1.1 ${status} Any\r\ncontent-type: text/html\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
};

/**
 * None of them tells a lie that only Telegram could tell (`"ok": true` with a message, a refusal in its words): what speaks
 * with Telegram's voice is believed, and TLS is there against it.
 */
export const ANSWERS = {
  'bad gateway': page(502),
  unavailable: page(503, 'retry-after: 1\r\n'),
  'gateway timeout': page(504),
  'server error in JSON': json(500, { ok: false, error_code: 500, description: 'Internal Server Error' }),
  'portal page': page(200),
  'portal redirect': page(302, 'location: http://127.0.0.1:9/login\r\n'),
  'log in first': page(511),
  'forbidden by a filter': page(403),
  'proxy wants a password': page(407, 'proxy-authenticate: Basic\r\n'),
  'other JSON': json(200, { status: 'ok' }),
  'JSON null': json(200, null),
  'ok without a result': json(200, { ok: true }),
  'ok with a null': json(200, { ok: true, result: null }),
  'ok with an empty object': json(200, { ok: true, result: {} }),
  'ok with a list of nothing': json(200, { ok: true, result: [null] }),
  'empty body': 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'no content': 'HTTP/1.1 204 No Content\r\n\r\n',
  'half a status line': 'HTTP/1.1 20',
  noise: '\u0000\u0001\u0002 SSH-2.0-OpenSSH_9.2\r\n\u0007 not HTTP at all\r\n\r\n',
  'endless head': `HTTP/1.1 200 OK\r\nx-noise: ${'n'.repeat(70_000)}\r\ncontent-length: 2\r\n\r\n{}`,
} as const;

export const MISHAPS: readonly Mishap[] = [
  ...PLACES.flatMap((at): Mishap[] => [
    { kind: 'cut', of: 'request', at, ending: 'fin' },
    { kind: 'cut', of: 'request', at, ending: 'reset' },
    { kind: 'stall', of: 'request', at, late: false },
    { kind: 'stall', of: 'request', at, late: true },
  ]),
  ...[...PLACES, 'end' as const].flatMap((at): Mishap[] => [
    { kind: 'cut', of: 'response', at, ending: 'fin' },
    { kind: 'cut', of: 'response', at, ending: 'reset' },
    { kind: 'stall', of: 'response', at },
  ]),
  ...(['request', 'response'] as const).flatMap((of): Mishap[] => [
    { kind: 'drip', of, endless: false },
    { kind: 'drip', of, endless: true },
    { kind: 'twice', of },
  ]),
  { kind: 'twice', of: 'next response' },
  ...(['more', 'less', 'none'] as const).flatMap((by): Mishap[] => [
    { kind: 'length', by, ending: 'fin' },
    { kind: 'length', by, ending: 'reset' },
    { kind: 'length', by, ending: 'open' },
  ]),
  ...Object.keys(ANSWERS).flatMap((answer): Mishap[] => [
    { kind: 'instead', answer: answer as keyof typeof ANSWERS, arrives: false },
    { kind: 'instead', answer: answer as keyof typeof ANSWERS, arrives: true },
  ]),
];

export interface Deck {
  /** The next exchange's; most have none, so that things go on. */
  next: () => Mishap;
  /** Those of its share that are not dealt yet. */
  readonly left: number;
}

/**
 * Mishaps in an order of the seed, with whole exchanges in between. Of `of` decks of one name each deals another share of the
 * pack, this one the `nth`; when its share is dealt it goes on with the others'.
 */
export function openDeck(name: string, [nth, of]: readonly [number, number], shareOfMishaps: number): Deck {
  const draw = chance(name);
  const shuffled = MISHAPS.map((mishap) => ({ mishap, lot: draw() })).sort((a, b) => a.lot - b.lot);
  const start = Math.floor((nth / of) * shuffled.length);
  const share = Math.floor(((nth + 1) / of) * shuffled.length) - start;
  let dealt = 0;
  return {
    next: () => {
      if (draw() >= shareOfMishaps) return { kind: 'none' };
      const { mishap } = shuffled[(start + dealt) % shuffled.length] as { mishap: Mishap };
      dealt += 1;
      return mishap;
    },
    get left() {
      return Math.max(0, share - dealt);
    },
  };
}
