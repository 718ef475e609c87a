/** Readers that stand at the start of a process: whatever the file holds, they read it, or refuse it in words. */
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openHome } from '../../src/cli/open-home.ts';
import { BridgeError } from '../../src/core/failure.ts';
import { homeFolders, makeHomeFolders } from '../../src/platform/home-folders.ts';
import { readLock } from '../../src/platform/lock-record.ts';
import { readBinding } from '../../src/spool/home-binding.ts';
import { readHeartbeat } from '../../src/state/heartbeat.ts';
import { scratchFolder } from '../../test/platform/scratch-folder.ts';
import { budget, seed } from '../budget.ts';
import { hand } from '../tally.ts';
import { mutation, writeMutated } from './mutation.ts';

const CONFIG = {
  telegram: { chatId: 7001, userIds: [7001], apiRoot: 'https://api.telegram.org' },
  agent: { kind: 'command', command: ['claude', '-p'], resumeCommand: ['claude'], cwd: 'work', timeoutSeconds: 60 },
  language: 'ko',
  gatherSeconds: 1.5,
};
const LOCK = {
  version: 1,
  pid: 4711,
  startTime: '1',
  bootId: 'b',
  machineId: 'm',
  nonce: '0123456789abcdef',
  since: '2026-11-30T09:00:00.000Z',
};
const HEARTBEAT = {
  pid: 4711,
  since: '2026-11-30T09:00:00.000Z',
  lastCompletedAt: null,
  lastError: 'words',
  activity: { request: '41', words: 'writes' },
};

const READERS: [what: string, valid: object, path: string, read: (root: string) => unknown][] = [
  ['config.json', CONFIG, 'config.json', (root) => openHome(root)],
  ['home.json', { version: 1, botId: 99, chatId: 7001 }, 'spool/home.json', (root) => readBinding(homeFolders(root))],
  ['a lock', LOCK, 'spool/bot.lock', (root) => readLock(homeFolders(root).botLock)],
  ['a heartbeat', HEARTBEAT, 'state/bot.json', (root) => readHeartbeat(homeFolders(root).botHeartbeat)],
];

const begun = performance.now();
let cases = 0;

test.each(READERS)(
  '%s is read, or refused in words, whatever it holds',
  (_what, valid, name, read) => {
    const root = scratchFolder();
    makeHomeFolders(homeFolders(root));
    const prototype = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const cpu = process.cpuUsage();
        writeMutated(join(root, name), valid, mutations);
        try {
          read(root);
        } catch (error) {
          expect(error).toBeInstanceOf(BridgeError);
          expect((error as BridgeError).message.length).toBeLessThan(2_000);
        }
        cases += 1;
        expect(process.cpuUsage(cpu).user).toBeLessThan(10_000_000);
      }),
      { numRuns: budget(10_000, 150), seed },
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
  },
  20 * 60_000,
);

afterAll(() => {
  hand({ part: 'input at start', cases, faults: [], notRun: 0, seconds: (performance.now() - begun) / 1000 });
});
