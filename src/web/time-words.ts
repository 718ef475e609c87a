/** Instants, lengths of time and numbers as a person reads them, in the time zone of this machine. */
import type { Language } from '../core/settings.ts';
import { type WebWords, webWordsIn } from '../core/web-words.ts';

const LOCALE: Record<Language, string> = { en: 'en-GB', ko: 'ko-KR' };

export class TimeWords {
  readonly #words: WebWords;
  readonly #now: Date;
  readonly #time: Intl.DateTimeFormat;
  readonly #thisYear: Intl.DateTimeFormat;
  readonly #anyYear: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #number: Intl.NumberFormat;

  constructor(language: Language, now: Date) {
    const locale = LOCALE[language];
    const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    const day = { month: 'short', day: 'numeric' } as const;
    this.#words = webWordsIn(language);
    this.#now = now;
    this.#time = new Intl.DateTimeFormat(locale, time);
    this.#thisYear = new Intl.DateTimeFormat(locale, { ...day, ...time, second: undefined });
    this.#anyYear = new Intl.DateTimeFormat(locale, { year: 'numeric', ...day });
    this.#day = new Intl.DateTimeFormat(locale, day);
    this.#number = new Intl.NumberFormat(locale);
  }

  /** Only as much of the date as is needed. What is no instant stays as it was written. */
  instant(iso: string): string {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return iso;
    if (at.toDateString() === this.#now.toDateString()) return this.#time.format(at);
    return (at.getFullYear() === this.#now.getFullYear() ? this.#thisYear : this.#anyYear).format(at);
  }

  /** With its seconds, whatever the day. */
  second(iso: string): string {
    const at = new Date(iso);
    return Number.isNaN(at.getTime()) ? iso : this.#time.format(at);
  }

  day(ms: number): string {
    return this.#day.format(new Date(ms));
  }

  duration(ms: number): string {
    const seconds = ms < 1_000 ? 0 : Math.round(ms / 1_000);
    return this.#words.duration({
      days: Math.floor(seconds / 86_400),
      hours: Math.floor(seconds / 3_600) % 24,
      minutes: Math.floor(seconds / 60) % 60,
      seconds: seconds % 60,
      ms: Math.max(0, Math.round(ms)),
    });
  }

  since(iso: string): string {
    const ms = this.#now.getTime() - Date.parse(iso);
    return Number.isNaN(ms) ? '–' : this.duration(Math.max(0, ms));
  }

  number(value: number): string {
    return this.#number.format(value);
  }
}
