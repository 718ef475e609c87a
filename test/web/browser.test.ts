/** The page in a real Chromium: live, on a phone, in the dark, in both languages, by keyboard. */
import { readFileSync } from 'node:fs';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Part } from '../../src/core/receipt.ts';
import { HomeOnDisk } from '../cli/home-on-disk.ts';
import { Running, openWorld } from '../harness/bridge.ts';
import { hasChromium, openChromium, openTab } from './chromium.ts';
import { type Page, pageOf } from './web-home.ts';

const PALE_TEXTS = readFileSync(new URL('fixtures/pale-texts.js', import.meta.url), 'utf8');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
);

describe.skipIf(!hasChromium)('in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser?.close();
  });

  test('an open page shows by itself what comes, what runs and what was sent, and who is gone', async () => {
    const world = await openWorld({ agent: { kind: 'command', command: ['/bin/cat'] } });
    // Before the folders are there.
    const { url } = await pageOf(world.run('web', '--port', '0'));
    const { page: overview, faults, close } = await openTab(browser);
    await overview.goto(url);
    await overview.locator('#line.live').waitFor();
    const loads = await countedLoads(overview);
    expect(await overview.locator('.process.down').count()).toBe(2);

    await world.bot();
    const consumer = await world.consumer();
    await overview.locator('.process.up').nth(1).waitFor();
    const { message_id: first } = world.telegram.say('/blog write about the sea');
    await overview.locator('#latest .state.sent').waitFor();
    expect(await overview.locator('#latest .row-text').innerText()).toBe('write about the sea');

    const thread = await openTab(browser);
    await thread.page.goto(new URL(`conversation/${first}`, url).href);
    await thread.page.locator('#line.live').waitFor();
    world.telegram.say({ text: 'and now shorter', replyTo: world.telegram.botMessages[0]?.id as number });
    await thread.page.locator('.turn').nth(1).locator('.state.sent').waitFor();
    expect(await thread.page.locator('.bubble.agent .text').last().innerText()).toContain('and now shorter');

    await consumer.kill('SIGKILL');
    await overview.locator('.process.down').waitFor();
    expect(await loads()).toBe(0);
    expect([...faults, ...thread.faults]).toEqual([]);
    await thread.close();
    await close();
  });

  test('a page whose server has ended says so', async () => {
    const home = new HomeOnDisk();
    const first = await pageOf(new Running(['web', '--port', '0', '--home', home.path], process.env));
    const { page, close } = await openTab(browser, { locale: 'en-GB' });
    await page.goto(first.url);
    await page.locator('#line.live').waitFor();
    await first.web.kill('SIGTERM');

    await page.locator('#line.lost').waitFor();
    expect(await page.locator('#line').innerText()).toContain('not live');
    await close();
  });

  describe('over a full home', () => {
    let home: HomeOnDisk;
    let served: Page;

    beforeAll(async () => {
      home = fullHome();
      served = await pageOf(new Running(['web', '--port', '0', '--home', home.path], process.env));
    });

    afterAll(async () => {
      await served.web.end();
      home.removeAll();
    });

    test.for([
      { name: 'a phone, in Korean', locale: 'ko-KR', width: 360, height: 740, colorScheme: 'light' as const },
      {
        name: 'a desk, in English, in the dark',
        locale: 'en-GB',
        width: 1100,
        height: 800,
        colorScheme: 'dark' as const,
      },
    ])('on $name, nothing hangs out of the page, and every text stands out from its ground', async (screen) => {
      const { width, height, colorScheme, locale } = screen;
      const { page, faults, close } = await openTab(browser, { viewport: { width, height }, colorScheme, locale });
      for (const path of ['', 'requests', 'conversation/50', 'request/50', 'request/42', 'activity', 'nowhere']) {
        await page.goto(new URL(path, served.url).href);
        await page.locator('#line.live').waitFor();
        for (const details of await page.locator('details').all())
          await details.evaluate((one) => one.setAttribute('open', ''));
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0);
        expect(await page.evaluate(PALE_TEXTS), path).toEqual([]);
        expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
      }
      // Of the whole walk the only fault is the page that is not there.
      expect(faults.filter((words) => !words.includes('404'))).toEqual([]);
      await close();
    });

    test('pictures are there to be seen, and each has a name', async () => {
      const { page, close } = await openTab(browser);
      await page.goto(new URL('conversation/50', served.url).href);
      const images = await page.locator('img').all();

      expect(images).toHaveLength(2);
      for (const image of images) {
        await image.scrollIntoViewIfNeeded();
        await image.evaluate((one: unknown) => (one as { decode(): Promise<void> }).decode());
        expect(await image.getAttribute('alt')).not.toBe('');
      }
      await close();
    });

    test('by keyboard one comes to everything, and sees where one is', async () => {
      const { page, close } = await openTab(browser);
      await page.goto(new URL('requests', served.url).href);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('skip');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.name')).toBe('q');
      await page.keyboard.type('바다');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=/u);
      expect(await page.locator('.row').count()).toBe(1);
      const roles = await page.locator('body').ariaSnapshot();
      for (const role of ['banner', 'navigation', 'main', 'search', 'heading', 'list']) expect(roles).toContain(role);
      await close();
    });
  });
});

/** How often the page was loaded anew since. */
async function countedLoads(page: Tab): Promise<() => Promise<number>> {
  await page.evaluate('window.isSame = true');
  return async () => ((await page.evaluate('window.isSame === true')) === true ? 0 : 1);
}

function fullHome(): HomeOnDisk {
  const home = new HomeOnDisk(undefined, () => undefined);
  const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const long = 'averyveryverylongwordwithoutanyplacetobreakit'.repeat(6);
  for (let id = 10; id < 40; id += 1) {
    home.request(id, { text: `${id} ${long}`, receivedAt: at((50 - id) * 1_440) });
    home.receipt(id, {
      state: id % 9 === 0 ? 'failed' : 'sent',
      error: id % 9 === 0 ? { stage: 'agent', code: 'agent-exit', message: long } : null,
      history: [
        { state: 'submitted', at: at(90) },
        { state: id % 9 === 0 ? 'failed' : 'sent', at: at(90 - id) },
      ],
    });
  }
  home.request(41);
  home.receipt(41, { attention: 'interrupted-run' });
  home.request(42);
  home.write('state/42.json', `{"version":1,"${long}`);
  home.request(43, { text: long });
  const table = `${'name        weight\n'.repeat(3)}${'x'.repeat(200)}`;
  const parts: Part[] = [
    {
      kind: 'text',
      state: 'sent',
      messageIds: [90],
      at: at(2),
      text: `${long}\n\n${table}`,
      entities: [{ type: 'pre', offset: long.length + 2, length: table.length }],
    },
    { kind: 'photo', state: 'sent', messageIds: [91], at: at(2), file: 'out/a.png', name: 'a.png', caption: long },
  ];
  home.request(50, { text: '바다에 대해 써 줘', receivedAt: at(5) });
  home.receipt(50, {
    state: 'sent',
    history: [
      { state: 'submitted', at: at(5) },
      { state: 'sending', at: at(3) },
      { state: 'sent', at: at(2) },
    ],
    attachments: [{ file: 'in/1.png', kind: 'photo', name: null, bytes: PNG.length, problem: null }],
    steps: [{ at: at(5), endedAt: at(4), kind: 'execute', title: long, status: 'completed' }],
    reply: { markdown: long, parts },
  });
  home.write('state/files/50/in/1.png', PNG);
  home.write('state/files/50/out/a.png', PNG);
  return home;
}
