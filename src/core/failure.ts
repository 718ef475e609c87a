/**
 * Every failure that is not an ordinary outcome is a `BridgeError`: a stable `code`, words, a `hint` and the `cause`.
 * One table gives each code its exit code; callers branch on codes, never on text.
 */

/** Process exit codes of contract §8 (64, 69, 75 and 78 are those of BSD's sysexits.h). */
export const EXIT = { done: 0, failed: 1, usage: 64, unreachable: 69, held: 75, config: 78 } as const;

const EXIT_OF = {
  'config-invalid': EXIT.config,
  'config-missing': EXIT.config,
  'token-missing': EXIT.config,
  'token-refused': EXIT.config,
  'home-of-another-chat': EXIT.config,
  'home-unbound': EXIT.config,
  'chat-migrated': EXIT.config,
  'home-unusable': EXIT.config,
  'lock-held': EXIT.held,
  'lock-unreadable': EXIT.held,
  'lock-lost': EXIT.failed,
  'telegram-unreachable': EXIT.unreachable,
  usage: EXIT.usage,
  'unknown-request': EXIT.failed,
  'order-refused': EXIT.failed,
  cancelled: EXIT.failed,
  'home-changed': EXIT.failed,
  'service-failed': EXIT.failed,
  'write-incomplete': EXIT.failed,
  'file-unreadable': EXIT.failed,
  'file-from-the-future': EXIT.failed,
  'port-taken': EXIT.failed,
  internal: EXIT.failed,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof EXIT_OF;

export class BridgeError extends Error {
  readonly code: ErrorCode;
  /** What the reader can do about it; one sentence. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'BridgeError';
    this.code = code;
    this.hint = options.hint ?? '';
  }

  get exitCode(): number {
    return EXIT_OF[this.code];
  }
}

/** The `code` of a system error (`ENOENT`, `ENOSPC`, …) or of a `BridgeError`; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? named(error.code) : undefined;
}

/** The words of anything thrown, on one line. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return named(words).replaceAll(/\s*\n\s*/gu, ' · ');
}

/**
 * Errors of file systems that libuv has no name for, by their numbers on Linux and on macOS, where none means anything else
 * that a file system says without a name.
 */
const NAMELESS: Readonly<Record<string, string>> = {
  122: 'EDQUOT',
  69: 'EDQUOT',
  116: 'ESTALE',
  70: 'ESTALE',
  35: 'EDEADLK',
  11: 'EDEADLK',
};

/** A used-up quota must count as the full disk that it is: Node calls it `Unknown system error -122`. */
function named(words: string): string {
  return words.replaceAll(/Unknown system error -(\d+)/gu, (whole, number: string) => NAMELESS[number] ?? whole);
}
