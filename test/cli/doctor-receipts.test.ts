import { expect, test } from 'vitest';
import type { Examined } from '../../src/cli/doctor/examined.ts';
import { receipts } from '../../src/cli/doctor/receipt-checks.ts';
import { homeFolders } from '../../src/platform/home-folders.ts';
import { parseSettings } from '../../src/core/settings.ts';
import { HomeOnDisk } from './home-on-disk.ts';

const settings = parseSettings(
  '{"telegram":{"chatId":7001,"userIds":[7001]},"agent":{"kind":"sample"}}',
  'config.json',
);

test('of very many receipts the open and the newest are read in the time that there is, and how many is told', async () => {
  const home = new HomeOnDisk();
  for (let id = 1; id <= 500; id += 1) home.receipt(id, {});
  home.request(3);
  for (const id of [3, 4, 499]) home.write(`state/${id}.json`, '{}');
  const examined: Examined = {
    folders: homeFolders(home.path),
    settings,
    access: null,
    service: null,
    thorough: false,
  };

  expect((await receipts(examined, 0)).wrong).toMatch(
    /^cannot be read: 3 \(.*\), 499 \(.*\) \(the newest 201 of 500 read; --all reads the rest\)$/u,
  );
  expect((await receipts(examined)).wrong).toMatch(
    /^cannot be read: 3 \(.*\), 499 \(.*\), 4 \(.*\) \(all 500 read\)$/u,
  );
  expect((await receipts({ ...examined, thorough: true }, 0)).wrong).toMatch(/ 4 \(.*\) \(all 500 read\)$/u);
});
