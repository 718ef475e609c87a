/** Which agents `init` knows, and the lines of `config.json` for each, as README.md "Your agent" gives them. Pure. */
import type { AgentSettings } from './settings.ts';

/** The part of `agent` that tells what is run. */
export type AgentLines =
  | { kind: 'acp'; command: [string, ...string[]]; mode?: string }
  | { kind: 'command'; command: [string, ...string[]]; resumeCommand?: [string, ...string[]] }
  | { kind: 'sample' };

export interface KnownAgent {
  /** The program, and the word by which `--agent` names it. */
  name: string;
  title: string;
  lines: AgentLines;
}

/** The best first. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: 'claude-agent-acp',
    title: 'Claude Code (ACP)',
    lines: { kind: 'acp', command: ['claude-agent-acp'], mode: 'default' },
  },
  {
    name: 'claude',
    title: 'Claude Code (claude -p)',
    lines: {
      kind: 'command',
      command: ['claude', '-p', '--session-id', '{sessionId}'],
      resumeCommand: ['claude', '-p', '--resume', '{sessionId}'],
    },
  },
  { name: 'codex-acp', title: 'Codex (ACP)', lines: { kind: 'acp', command: ['codex-acp'] } },
  { name: 'gemini', title: 'Gemini CLI (ACP)', lines: { kind: 'acp', command: ['gemini', '--experimental-acp'] } },
  { name: 'opencode', title: 'OpenCode (ACP)', lines: { kind: 'acp', command: ['opencode', 'acp'] } },
];

/** Programs that speak the protocol only through another one, which is not there. */
export const ADAPTERS: readonly { program: string; adapter: string; title: string; install: string }[] = [
  {
    program: 'claude',
    adapter: 'claude-agent-acp',
    title: 'Claude Code',
    install: 'npm install --global @agentclientprotocol/claude-agent-acp',
  },
  {
    program: 'codex',
    adapter: 'codex-acp',
    title: 'Codex',
    install: 'npm install --global @zed-industries/codex-acp',
  },
];

/**
 * The name where a service will find it too, since `service install` takes the PATH of the shell along, and a name outlives
 * an update that moves the program. The path where PATH alone would not do: found outside of it, or in a folder that is on
 * PATH only now (of `npx`, of one shell of fnm, or a relative one).
 * @param place the absolute path at which it was found
 * @param folder the folder of PATH that led there, as written; null where none did
 */
export function programWord(name: string, place: string, folder: string | null): string {
  const isPassing =
    folder === null || !folder.startsWith('/') || /\/(?:node_modules\/\.bin|_npx\/|fnm_multishells\/)/u.test(folder);
  return isPassing ? place : name;
}

/** The same lines with another word for the program. */
export function linesWith(lines: AgentLines, word: string): AgentLines {
  if (lines.kind === 'sample') return lines;
  const command: [string, ...string[]] = [word, ...lines.command.slice(1)];
  if (lines.kind === 'acp') return { ...lines, command };
  const { resumeCommand } = lines;
  return resumeCommand === undefined
    ? { ...lines, command }
    : { ...lines, command, resumeCommand: [word, ...resumeCommand.slice(1)] };
}

/** A command as one types it, for a person to read. */
export function commandText(agent: Pick<AgentSettings, 'kind'> & { command?: readonly string[] | undefined }): string {
  const words = agent.command ?? [];
  return words.map((word) => (/^[\w@%+=:,./{}-]+$/u.test(word) ? word : JSON.stringify(word))).join(' ');
}
