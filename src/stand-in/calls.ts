/** What the bot called, in order, and the waiting of tests for it. */
import { EventEmitter } from 'node:events';
import type { Params } from './params.ts';

export interface Call {
  method: string;
  params: Params;
  /** When the call had arrived, in milliseconds. */
  at: number;
  /** `open`: neither answered nor ended by a fault yet. */
  outcome: 'open' | 'accepted' | 'refused' | 'faulted';
  /** Whether it took effect; true also for a call whose answer a fault has spoilt. */
  accepted: boolean;
  /** Messages it has put or changed. */
  messageIds?: number[];
  /** Why it was refused, in Telegram's words. */
  refusal?: string;
}

export class CallLog {
  readonly calls: Call[] = [];
  readonly #changes = new EventEmitter().setMaxListeners(0);

  open(method: string, params: Params): Call {
    const call: Call = { method, params, at: Date.now(), outcome: 'open', accepted: false };
    this.calls.push(call);
    this.changed();
    return call;
  }

  settle(call: Call, fields: Partial<Call>): void {
    Object.assign(call, fields);
    this.changed();
  }

  changed(): void {
    this.#changes.emit('change');
  }

  onChange(listener: () => void): () => void {
    this.#changes.on('change', listener);
    return () => void this.#changes.off('change', listener);
  }

  /** Resolves with the first truthy value of `probe`, asked now and after each change. */
  waitFor<T>(probe: () => T, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const asked = new Error(`not seen within ${timeoutMs} ms`);
      const timer = setTimeout(() => {
        this.#changes.off('change', look);
        asked.message += `; the last calls:\n${this.describe()}`;
        reject(asked);
      }, timeoutMs);
      const stop = (): void => {
        clearTimeout(timer);
        this.#changes.off('change', look);
      };
      const look = (): void => {
        try {
          const value = probe();
          if (!value) return;
          stop();
          resolve(value);
        } catch (error) {
          stop();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.#changes.on('change', look);
      look();
    });
  }

  describe(): string {
    const lines = this.calls.slice(-15).map(({ method, params, outcome, refusal }) => {
      const words = JSON.stringify(params, (key, value: unknown) => (key === 'content' ? undefined : value));
      return `  ${method} ${outcome}${refusal === undefined ? '' : ` (${refusal})`} ${words.slice(0, 200)}`;
    });
    return lines.length === 0 ? '  (none)' : lines.join('\n');
  }
}
