/** What the pages read of a home, and in whose language they are written. */
import type { WebWords } from '../core/web-words.ts';
import type { Words } from '../core/words.ts';
import type { Language } from '../core/settings.ts';
import type { ReceiptIndex } from './receipt-index.ts';
import type { Story } from './story.ts';
import type { TimeWords } from './time-words.ts';

export interface ProcessView {
  running: boolean;
  since: string | null;
  /** What troubles it, in words. */
  trouble: string | null;
  /** What its agent does, in the agent's own words. */
  activity: { request: string; words: string } | null;
}

export interface HomeView {
  name: string;
  index: ReceiptIndex;
  /** Whether all that is there was read. */
  isComplete: boolean;
  bot: ProcessView;
  consumer: ProcessView;
  unreadUpdates: number;
  story(id: string): Story | null;
  /** Ids of a conversation's requests, the first one first. */
  conversation(id: string): string[];
  /** Which of a request's files are pictures that can be shown, by their index. */
  pictures(id: string, side: 'in' | 'out'): Promise<ReadonlySet<number>>;
}

export interface PageContext {
  home: HomeView;
  words: WebWords;
  chatWords: Words;
  language: Language;
  time: TimeWords;
  now: Date;
  /** A command of this program as a person types it, for this home. */
  typed: (words: string) => string;
  /** Every address begins with it: `/<token>`. */
  base: string;
}
