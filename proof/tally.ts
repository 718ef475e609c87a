/** What a part of the proof hands over to `npm run proof`: counts, and what was not run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seed } from './budget.ts';

export interface Tally {
  /** Such as `crash points`; one name, one line in the table. */
  part: string;
  /** Cases that were tried to their end. */
  cases: number;
  /** What the checker, or the driving, found wrong: one a case at least, in words. */
  faults: readonly string[];
  /** Cases that could not be tried here (no right to mount, say): never counted as passed. */
  notRun: number;
  /** Further figures, and why something was not run. */
  details?: Record<string, unknown>;
  seconds: number;
}

/** Enough to know what happened: a run that takes an hour should not have to be repeated to be read. */
const FAULTS_KEPT = 50;

/** Prints one line; where `PROOF_TALLIES` names a folder, keeps it there for the table, with the first faults. */
export function hand(tally: Tally): void {
  const { part, cases, notRun, seconds, details } = tally;
  const faults = tally.faults.length;
  const rest = details === undefined ? '' : ` ${JSON.stringify(details)}`;
  process.stdout.write(
    `proof: ${part}: ${cases} cases, ${faults} faults, ${notRun} not run, seed ${seed}, ${seconds.toFixed(0)} s${rest}\n`,
  );
  const folder = process.env['PROOF_TALLIES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const found = faults === 0 ? {} : { found: tally.faults.slice(0, FAULTS_KEPT) };
  const kept = { ...tally, faults, ...found, seed };
  writeFileSync(join(folder, `${part.replaceAll(/[^0-9a-z]+/giu, '-')}.json`), JSON.stringify(kept));
}

/** How often each name occurs, by name. */
export function countedBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
