/** Names in the folders of a home that are none of ours: of a sync service, a file manager, a hand. */
import { existsSync } from 'node:fs';
import { slicesOfNames } from '../../platform/folder-names.ts';
import type { Examined } from './examined.ts';
import { type Finding, fine, someOf, wrong } from './finding.ts';

export function strayFiles({ folders }: Examined): Promise<Finding[]> {
  const { requests, pending, spool, state } = folders;
  const isRequest = (name: string): boolean => /^(?:[1-9]\d{0,15}\.json|\.probe-.*\.tmp)$/u.test(name);
  return Promise.all([
    straysOf(requests, 'spool/requests', (name) => !isRequest(name)),
    straysOf(pending, 'spool/pending', (name) => !isRequest(name)),
    straysOf(spool, 'spool', (name) => !isRequest(name) && isStrange(name)),
    straysOf(state, 'state', (name) => !isRequest(name) && isStrange(name)),
  ]);
}

/** `.DS_Store`, `12 2.json`, `12 (1).json`, `consumer (conflicted copy).lock`, `._12.json`, `Icon\r`, … */
const STRANGE = /^\.|[\s()~]|^Thumbs\.db$|^desktop\.ini$|conflict|^\d+[^/]*(?<!\.json)$|^0\d*\.json$|\.icloud$/iu;

function isStrange(name: string): boolean {
  return STRANGE.test(name);
}

async function straysOf(folder: string, what: string, isStray: (name: string) => boolean): Promise<Finding> {
  const title = `names in ${what}`;
  if (!existsSync(folder)) return fine(title);
  const strays: string[] = [];
  for await (const names of slicesOfNames(folder)) strays.push(...names.filter(isStray));
  if (strays.length === 0) return fine(title);
  return wrong(
    title,
    `not made by the bridge, and never read: ${someOf(strays.sort())}`,
    'Look what they are and move them away. They often tell of a sync service.',
  );
}
