/** What an agent's process is told through its environment, and what it must not see. Pure. */
import type { RunSpec } from '../core/ports.ts';

/** The token and everything else that concerns the bridge alone; and what a bridge around this one told its own agent. */
const OURS = /^(?:TELEGRAM_|BLOG_BRIDGE_|BLOG_(?:REQUEST_ID|CONVERSATION|SESSION_ID|TURN|FILES_DIR|OUT_DIR)$)/u;

export function agentEnvironment(own: NodeJS.ProcessEnv, spec: RunSpec): Record<string, string> {
  return { ...inheritedEnvironment(own), ...variablesOf(spec) };
}

/** What every run sees of this process's own environment. */
export function inheritedEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).filter((entry): entry is [string, string] => !OURS.test(entry[0]) && entry[1] !== undefined),
  );
}

/** What one run is told. */
export function variablesOf(spec: RunSpec): Record<string, string> {
  return {
    BLOG_REQUEST_ID: spec.requestId,
    BLOG_CONVERSATION: spec.conversation,
    BLOG_SESSION_ID: spec.session,
    BLOG_TURN: String(spec.turn),
    ...(spec.filesFolder === null ? {} : { BLOG_FILES_DIR: spec.filesFolder }),
    BLOG_OUT_DIR: spec.outFolder,
    NO_COLOR: '1',
    TERM: 'dumb',
  };
}
