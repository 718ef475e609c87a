/** An instant as a person reads it, in the time zone of this machine. */
import type { Language } from '../core/settings.ts';

const FORMATS: Record<Language, Intl.DateTimeFormat> = {
  en: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }),
  ko: new Intl.DateTimeFormat('ko-KR', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }),
};

/** `30 Nov 2026, 21:32 UTC`, `2026년 11월 30일 21:32 UTC`; what is no instant is given back as it is. */
export function localMinute(iso: string, language: Language): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : FORMATS[language].format(at);
}
