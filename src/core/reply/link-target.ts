const SCHEME = /^[a-z][a-z\d+.-]+:/iu;
const LONGEST_URL = 2048;

/**
 * Whether Telegram takes the target as the address of a `text_link`. It refuses a host without a dot, and reads any
 * other scheme than these as part of a host (tdlib, LinkManager::get_checked_link).
 */
export function isLinkable(target: string): boolean {
  if (target.length > LONGEST_URL || /[\s\p{Control}]/u.test(target) || !URL.canParse(target)) return false;
  const { protocol, hostname } = new URL(target);
  if (protocol === 'tg:') return /^tg:\/\/[\w-]+/iu.test(target);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (!/^https?:\/\//iu.test(target)) return false;
  return /[^.]\.[^.]/u.test(hostname) || hostname.startsWith('[');
}

/** A path on this machine, not an address: `chart.png`, `./out/chart.png`, `file:///…`. */
export function isLocal(target: string): boolean {
  return target !== '' && !target.startsWith('//') && (/^file:/iu.test(target) || !SCHEME.test(target));
}

/** Whether the label already says where the link goes: written as such, or found by GFM in plain words. */
export function saysTarget(label: string, target: string): boolean {
  const words = label.trim();
  return words === target || `mailto:${words}` === target || (/^www\./iu.test(words) && `http://${words}` === target);
}
