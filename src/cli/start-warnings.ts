/** What bot and consumer say in their log when they start on doubtful ground; `doctor` says more. */
import { homedir } from 'node:os';
import { locateProgram } from '../agent/find-program.ts';
import type { AgentSettings } from '../core/settings.ts';
import type { Log } from '../platform/log.ts';
import { syncedBy } from '../platform/synced-folder.ts';

export function warnOfSync(root: string, log: Log): void {
  const synced = syncedBy(root, homedir());
  if (synced?.certainty !== 'surely') return;
  log.warn(
    { home: root, by: synced.by },
    'the home lies in a synced folder: move it to one that stays on this machine',
  );
}

/** A program that is missing fails the request, not the consumer; but nobody should learn it only then. */
export function warnOfAgent(agent: AgentSettings, cwd: string, log: Log): void {
  if (agent.kind === 'sample') return;
  const located = locateProgram(agent.command[0], cwd, process.env['PATH']);
  if ('code' in located) log.warn({ cause: located.message }, 'the agent cannot be run as things are');
}
