/** Short sections that two commands must not be in together: one lock file a section, in the folder that it concerns. */
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { BridgeError, errorCode } from '../core/failure.ts';

/** One that was killed leaves its lock behind, which counts for 10 s. */
const PATIENCE = { retries: 15, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 };

/** Resolves with what ends the section. */
export async function oneAtATime(folder: string, section: string): Promise<() => Promise<void>> {
  try {
    return await lock(folder, { lockfilePath: join(folder, `${section}.lock`), retries: PATIENCE });
  } catch (error) {
    if (errorCode(error) !== 'ELOCKED') throw error;
    throw new BridgeError('lock-held', `${folder}: another ${section} is at work here`, { hint: 'Wait for its end.' });
  }
}
