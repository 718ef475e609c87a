/** Removing what a test made, while processes that it killed may still be on their way out. */
import { rmSync } from 'node:fs';

/** SIGKILL returns before its target has ended, and one that still writes leaves a folder “not empty” (ENOTEMPTY). */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
