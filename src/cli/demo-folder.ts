/**
 * Owns: the folder that a demo plays in, and `demo.lock` in it.
 * Guarantees: a folder of another home is left as it is; two demos at once never share one, or their message ids would mix.
 * Fails: `config-invalid` for a folder of something else, `lock-held` while another demo uses it.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { BridgeError, errorCode } from '../core/failure.ts';

/** The stand-in's own chat. */
const DEMO_CHAT_ID = 7001;

const SETTINGS = {
  telegram: { chatId: DEMO_CHAT_ID, userIds: [DEMO_CHAT_ID] },
  agent: { kind: 'sample' },
  language: 'en',
};
/** proper-lockfile renews its lock in half of this, and takes an older one for dead. */
const STALE_MS = 10_000;

export async function claimDemoFolder(
  named: string | undefined,
): Promise<{ home: string; release: () => Promise<void> }> {
  const home = madeFolder(named);
  refuseForeign(home);
  const lockfilePath = join(home, 'demo.lock');
  // A lock that a sleeping laptop let grow old is no reason to end: bot and consumer have locks of their own.
  const release = await lock(home, { lockfilePath, stale: STALE_MS, onCompromised: () => undefined }).catch(
    (error: unknown) => {
      if (errorCode(error) !== 'ELOCKED') throw error;
      throw new BridgeError('lock-held', `${lockfilePath}: another demo uses this folder`, {
        hint: `End it first, or name another folder with --home. After a crash it is free ${STALE_MS / 1000} s later.`,
      });
    },
  );
  return { home, release: () => release().catch(() => undefined) };
}

function madeFolder(named: string | undefined): string {
  if (named === undefined) return realpathSync(mkdtempSync(join(tmpdir(), 'blog-bridge-demo-')));
  mkdirSync(named, { recursive: true, mode: 0o700 });
  return realpathSync(named);
}

function refuseForeign(home: string): void {
  const path = join(home, 'config.json');
  const config = `${JSON.stringify(SETTINGS, null, 2)}\n`;
  if (!existsSync(path)) writeFileSync(path, config, { mode: 0o600 });
  if (readFileSync(path, 'utf8') === config) return;
  throw new BridgeError(
    'config-invalid',
    `${path}: expected a folder of an earlier demo or an empty one, found settings of another home`,
    {
      hint: 'Name another folder with --home, or none.',
    },
  );
}
