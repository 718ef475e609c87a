/** A real browser. Where none is installed its tests are skipped, and in CI they fail: there it must be. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const found = PLACES.find((path) => path !== '' && existsSync(path));

/** False only where tests may be skipped. */
export const hasChromium = found !== undefined || process.env['CI'] !== undefined;

export function openChromium(): Promise<Browser> {
  if (found === undefined) throw new Error(`expected a Chromium in one of ${PLACES.join(', ')}, found none`);
  // As root, as in a container, it starts without its sandbox only; it sees nothing but our own pages.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: found, args, timeout: 60_000 });
}

export interface Tab {
  page: Page;
  /** What went wrong in the page, in the browser's words. */
  faults: string[];
  close: () => Promise<void>;
}

export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') faults.push(`asked for ${request.url()}`);
  });
  return { page, faults, close: () => context.close() };
}
