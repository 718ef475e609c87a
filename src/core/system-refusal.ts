/** What the operating system refuses, and for what: one table of the codes of errno(3), from which each caller takes the kinds it can wait for. */
import { errorCode } from './failure.ts';

const CODES = {
  /** No room on the disk, or in this user's share of it. */
  room: ['ENOSPC', 'EDQUOT'],
  /** Too many open files, here or on the machine. */
  handles: ['EMFILE', 'ENFILE'],
  memory: ['ENOMEM'],
  /** Too many processes, mostly. */
  processes: ['EAGAIN'],
  /** Read-only, or failing. */
  disk: ['EROFS', 'EIO'],
  access: ['EACCES'],
  permission: ['EPERM'],
  /** A file system over the network, or one that somebody else works on. */
  hitch: ['ESTALE', 'ETIMEDOUT', 'EDEADLK', 'EBUSY', 'EINTR'],
} as const satisfies Record<string, readonly string[]>;

export type SystemRefusal = keyof typeof CODES;

export function isRefusedFor(error: unknown, ...kinds: readonly SystemRefusal[]): boolean {
  const code = errorCode(error);
  return kinds.some((kind) => (CODES[kind] as readonly unknown[]).includes(code));
}
