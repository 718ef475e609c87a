/** Whether bot and consumer live, and whether they get on: by their locks and heartbeats. */
import { BridgeError, errorWords } from '../../core/failure.ts';
import { type LockRecord, readLock } from '../../platform/lock-record.ts';
import { ownerState } from '../../platform/process-identity.ts';
import { readHeartbeat } from '../../state/heartbeat.ts';
import { durationWords } from '../words-for-terminal.ts';
import type { Examined } from './examined.ts';
import { type Finding, advice, fine, wrong } from './finding.ts';

/** A bot completes a poll within 40 s, a consumer a scan within seconds; each tells so at most every 10 s. */
const SILENT_MS = 120_000;

export function processes({ folders }: Examined): Finding[] {
  return [
    processFinding('bot', folders.botLock, folders.botHeartbeat),
    processFinding('consumer', folders.consumerLock, folders.consumerHeartbeat),
  ];
}

function processFinding(name: 'bot' | 'consumer', lockPath: string, heartbeatPath: string): Finding {
  const starting = `blog-bridge ${name} (or start, or service install)`;
  let lock: LockRecord | null;
  try {
    lock = readLock(lockPath);
  } catch (error) {
    return wrong(name, errorWords(error), error instanceof BridgeError ? error.hint : '');
  }
  if (lock === null) return advice(name, 'not running', starting);
  const holder = `process ${lock.pid}`;
  const owner = ownerState(lock);
  if (owner === 'elsewhere') {
    const words = `${lockPath} is held by ${holder} of another machine or container since ${lock.since}`;
    return wrong(name, words, `If nothing runs there, delete ${lockPath}. One home on two machines is not possible.`);
  }
  if (owner === 'dead') {
    const words = `${holder}, which ran since ${lock.since}, is gone without a word: killed, crashed, or the machine went down`;
    return wrong(name, words, `The next start takes over: ${starting}`);
  }
  return heartbeatFinding(name, lock, heartbeatPath);
}

function heartbeatFinding(name: string, { pid, since }: LockRecord, path: string): Finding {
  const heartbeat = readHeartbeat(path);
  const ofThis = heartbeat?.pid === pid ? heartbeat : null;
  if (ofThis !== null && ofThis.lastError !== null) {
    return wrong(
      name,
      `runs (pid ${pid}), but: ${ofThis.lastError}`,
      'It goes on trying; mend the cause that it names.',
    );
  }
  const lastAt = ofThis?.lastCompletedAt ?? since;
  const silentMs = Date.now() - Date.parse(lastAt);
  if (silentMs > SILENT_MS) {
    const words = `lives (pid ${pid}), but has completed nothing for ${durationWords(silentMs)}: stopped, asleep, or stuck`;
    return wrong(name, words, `If it does not come back within a minute, end it (kill ${pid}) and start it again.`);
  }
  return fine(name, `runs (pid ${pid})`);
}
