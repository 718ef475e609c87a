/** The questions of `init` for the agent and its working folder. */
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import { locateProgram } from '../agent/find-program.ts';
import {
  ADAPTERS,
  type AgentLines,
  KNOWN_AGENTS,
  type KnownAgent,
  commandText,
  linesWith,
  programWord,
} from '../core/agent-proposals.ts';
import type { InitWords } from '../core/init-words.ts';
import { isSameAgent } from '../core/new-settings.ts';
import type { AgentSettings } from '../core/settings.ts';
import { splitCommand } from '../core/split-command.ts';
import { type Choice, type Dialog, fault } from './init-dialog.ts';
import type { Standing } from './init-files.ts';
import { holdsHome } from './open-home.ts';

export interface AgentOptions {
  agent?: string;
  agentCommand?: string;
  agentKind?: 'acp' | 'command';
  agentCwd?: string;
}

/** Where installers put programs without naming the folder on PATH; relative ones lie in the person's own folder. */
const OTHER_PLACES = [
  '.local/bin',
  '.claude/local',
  '.opencode/bin',
  '.bun/bin',
  '.npm-global/bin',
  '/opt/homebrew/bin',
  '/usr/local/bin',
];

/** Null keeps the agent that stands. */
export async function learnAgent(
  dialog: Dialog,
  words: InitWords,
  { config }: Standing,
  options: AgentOptions,
): Promise<AgentLines | null> {
  const { agent: name, agentCommand } = options;
  if (agentCommand !== undefined) return typedCommand(agentCommand, options.agentKind ?? 'command', words);
  if (name === 'sample') return { kind: 'sample' };
  if (name !== undefined) return namedAgent(name, words);
  return askAgent(dialog, words, config.settings?.agent ?? null, options);
}

function typedCommand(text: string, kind: 'acp' | 'command', words: InitWords): AgentLines {
  const command = splitCommand(text);
  if (command === null) throw fault('usage', [`--agent-command: ${words.commandExpected}`, '']);
  const problem = problemOf(command[0]);
  if (problem !== null) throw fault('usage', [`--agent-command: ${words.programUnusable(command[0], problem)}`, '']);
  return { kind, command };
}

function namedAgent(name: string, words: InitWords): AgentLines {
  const known = KNOWN_AGENTS.find((agent) => agent.name === name);
  const names = [...KNOWN_AGENTS.map((agent) => agent.name), 'sample'].join(', ');
  if (known === undefined) throw fault('usage', words.unknownAgent(name, names));
  const lines = foundLines(known);
  if (lines === null) throw fault('usage', words.agentNotFound(name));
  return lines;
}

async function askAgent(
  dialog: Dialog,
  words: InitWords,
  stands: AgentSettings | null,
  options: AgentOptions,
): Promise<AgentLines | null> {
  const found = new Map(KNOWN_AGENTS.flatMap((known) => entryOf(known, foundLines(known))));
  for (const { program, adapter, title, install } of ADAPTERS) {
    if (found.has(adapter) || !isThere(program)) continue;
    dialog.say(words.adapterHelps(title, install));
  }
  const choices = [...standingChoice(stands, words), ...knownChoices(found, stands, words), ...otherChoices(words)];
  const proposal = choices.find(({ disabled }) => disabled !== true)?.value ?? 'sample';
  const answer = await dialog.choose({ message: words.askAgent, option: '--agent', choices, proposal });
  if (answer === 'keep') return null;
  if (answer === 'sample') return { kind: 'sample' };
  return found.get(answer) ?? askCommand(dialog, words, options);
}

function entryOf({ name }: KnownAgent, lines: AgentLines | null): [string, AgentLines][] {
  return lines === null ? [] : [[name, lines]];
}

function standingChoice(stands: AgentSettings | null, words: InitWords): Choice<string>[] {
  if (stands === null) return [];
  const label = stands.kind === 'sample' ? words.sample : commandText(stands);
  return [{ value: 'keep', label, hint: words.agentStands }];
}

function knownChoices(
  found: ReadonlyMap<string, AgentLines>,
  stands: AgentSettings | null,
  words: InitWords,
): Choice<string>[] {
  return KNOWN_AGENTS.flatMap(({ name, title }) => {
    const lines = found.get(name);
    if (lines === undefined) return [{ value: name, label: title, hint: words.agentMissing, disabled: true }];
    return stands !== null && isSameAgent(lines, stands)
      ? []
      : [
          {
            value: name,
            label: title,
            hint: `${words.agentFound}: ${lines.kind === 'sample' ? '' : commandText(lines)}`,
          },
        ];
  });
}

function otherChoices(words: InitWords): Choice<string>[] {
  return [
    { value: 'command', label: words.anyCommand, hint: words.anyCommandHint },
    { value: 'sample', label: words.sample, hint: words.sampleHint },
  ];
}

async function askCommand(dialog: Dialog, words: InitWords, { agentKind }: AgentOptions): Promise<AgentLines> {
  const check = (answer: string): string | undefined => {
    const command = splitCommand(answer);
    if (command === null) return words.commandExpected;
    const problem = problemOf(command[0]);
    return problem === null ? undefined : words.programUnusable(command[0], problem);
  };
  const text = await dialog.text({ message: words.askCommand, option: '--agent-command', check });
  const choices: Choice<'command' | 'acp'>[] = [
    { value: 'command', label: words.kindCommand },
    { value: 'acp', label: words.kindAcp },
  ];
  const kind =
    agentKind ??
    (await dialog.choose<'command' | 'acp'>({
      message: words.askKind,
      option: '--agent-kind',
      choices,
      proposal: 'command',
    }));
  return typedCommand(text, kind, words);
}

/** Null for the default. */
export async function learnFolder(
  dialog: Dialog,
  words: InitWords,
  { config, folders }: Standing,
  { agentCwd }: AgentOptions,
): Promise<string | null> {
  const stands = config.settings?.agent.cwd ?? null;
  const trouble = (path: string): string | undefined => {
    if (path === folders.work) return undefined;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return words.folderMissing(path);
    return holdsHome(path, folders.root) ? words.folderHoldsHome(path) : undefined;
  };
  // What stands is left as it is written, also where it is relative to the home.
  const settled = (path: string): string | null => {
    if (path === folders.work) return null;
    return stands !== null && path === resolve(folders.root, stands) ? stands : path;
  };
  if (agentCwd !== undefined) {
    const path = absolute(agentCwd);
    const wrong = trouble(path);
    if (wrong !== undefined) throw fault('usage', [`--agent-cwd: ${wrong}`, '']);
    return settled(path);
  }
  if (!dialog.isInteractive) return stands;
  const proposal = stands === null ? folders.work : resolve(folders.root, stands);
  const check = (answer: string): string | undefined => trouble(absolute(answer));
  return settled(absolute(await dialog.text({ message: words.askFolder, option: '--agent-cwd', proposal, check })));
}

/** As a shell would, which never sees what is typed here. */
function absolute(path: string): string {
  return resolve(path === '~' || path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : path);
}

function foundLines({ name, lines }: KnownAgent): AgentLines | null {
  const onPath = process.env['PATH'] ?? '';
  for (const folder of onPath.split(delimiter)) {
    const place = placeIn(name, folder);
    if (place !== null) return linesWith(lines, wordFor(name, place, folder));
  }
  const elsewhere = OTHER_PLACES.map((folder) => resolve(homedir(), folder)).map((folder) => placeIn(name, folder));
  const place = elsewhere.find((one) => one !== null) ?? null;
  return place === null ? null : linesWith(lines, programWord(name, place, null));
}

/** A folder that only this shell knows is left behind with its real path. */
function wordFor(name: string, place: string, folder: string): string {
  const word = programWord(name, place, folder);
  return word === place ? `${realpathSync(dirname(place))}/${name}` : word;
}

function placeIn(name: string, folder: string): string | null {
  const found = locateProgram(name, process.cwd(), folder);
  return 'program' in found ? found.program : null;
}

/** On PATH, or at a path. */
function isThere(program: string): boolean {
  return problemOf(program) === null;
}

/** Why it could not be started; it may be there, and its interpreter not. */
function problemOf(program: string): string | null {
  const found = locateProgram(program, process.cwd(), process.env['PATH']);
  return 'program' in found ? null : found.message.replace(/^agent\.command \S+:? /u, '');
}
