/** Which of our languages a browser would rather read (RFC 9110, Accept-Language). Pure. */
import type { Language } from '../core/settings.ts';

const MAX_UNITS = 1000;

export function preferredLanguage(header: string | undefined): Language {
  const wishes = (header ?? '').slice(0, MAX_UNITS).split(',').map(wishOf);
  const best = (language: Language): number =>
    Math.max(0, ...wishes.filter(({ tag }) => tag === language).map(({ weight }) => weight));
  return best('ko') > best('en') ? 'ko' : 'en';
}

function wishOf(item: string): { tag: string; weight: number } {
  const [range = '', ...parameters] = item.split(';').map((text) => text.trim().toLowerCase());
  const quality = parameters.find((text) => text.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return { tag: range.split('-')[0] ?? '', weight: Number.isFinite(weight) ? weight : 0 };
}
