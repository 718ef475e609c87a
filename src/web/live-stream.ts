/**
 * Owns: the open pages that are told of changes, as server-sent events.
 * Guarantees: at most four messages a second each, the last change always among them; none is kept for a page that is gone.
 * Fails: never.
 */
import type { ServerResponse } from 'node:http';

const LEAST_PAUSE_MS = 250;
/** A line that is silent for long is cut by what lies between. */
const KEEP_ALIVE_MS = 25_000;
const MAX_PAGES = 64;

export class LiveStream {
  readonly #pages = new Set<ServerResponse>();
  #pause: NodeJS.Timeout | null = null;
  #isOwed = false;
  readonly #keepAlive = setInterval(() => this.#write(': still here\n\n'), KEEP_ALIVE_MS);

  /** The headers are written already. */
  join(page: ServerResponse): void {
    if (this.#pages.size >= MAX_PAGES) {
      page.end();
      return;
    }
    this.#pages.add(page);
    page.once('close', () => this.#pages.delete(page));
    // What changed between the page and its line is not lost: the first message makes it look once more.
    page.write('retry: 2000\n\nevent: change\ndata: 0\n\n');
  }

  changed(): void {
    if (this.#pause !== null) {
      this.#isOwed = true;
      return;
    }
    this.#write('event: change\ndata: 0\n\n');
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (!this.#isOwed) return;
      this.#isOwed = false;
      this.changed();
    }, LEAST_PAUSE_MS);
  }

  close(): void {
    clearInterval(this.#keepAlive);
    if (this.#pause !== null) clearTimeout(this.#pause);
    for (const page of this.#pages) page.end();
  }

  #write(text: string): void {
    for (const page of this.#pages) page.write(text);
  }
}
