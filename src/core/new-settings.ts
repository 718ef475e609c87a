/** From what stands in `config.json` and `.env` and what a person answered to what shall stand there. Pure. */
import type { AgentLines } from './agent-proposals.ts';
import type { Language, Settings } from './settings.ts';

export interface Answers {
  chatId: number;
  userIds: readonly number[];
  /** Null keeps the one that stands. */
  agent: AgentLines | null;
  /** Null for the default. */
  cwd: string | null;
  /** Null leaves it to each person's Telegram. */
  language: Language | null;
}

type Json = Record<string, unknown>;

/**
 * All that was not asked stays as it is. Another agent keeps how long it may take and what it may do, not how it is called.
 * @param before the object of a valid `config.json`, or null
 */
export function mergedConfig(before: Json | null, answers: Answers): Json {
  const { telegram, agent, language: _, ...rest } = before ?? {};
  const { cwd: __, ...agentBefore } = (agent ?? {}) as Json;
  const { kind, command, resumeCommand, mode, ...shared } = agentBefore;
  const called = answers.agent ?? defined({ kind, command, resumeCommand, mode });
  return {
    telegram: { ...(telegram as Json | undefined), chatId: answers.chatId, userIds: answers.userIds },
    agent: { ...called, ...(answers.cwd === null ? {} : { cwd: answers.cwd }), ...shared },
    ...(answers.language === null ? {} : { language: answers.language }),
    ...rest,
  };
}

function defined(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** What differs, by key, as JSON; null on the side where it is not set. */
export function changesBetween(before: Json, after: Json): { key: string; from: string | null; to: string | null }[] {
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [from, to] = [old.get(key) ?? null, now.get(key) ?? null];
    return from === to ? [] : [{ key, from, to }];
  });
}

function flat(value: Json, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, inner]): [string, string][] =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? [...flat(inner as Json, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, JSON.stringify(inner)]],
    ),
  );
}

/** Whether the lines are what stands already. */
export function isSameAgent(lines: AgentLines, settings: Settings['agent']): boolean {
  const command = lines.kind === 'sample' ? settings.command : lines.command;
  return lines.kind === settings.kind && JSON.stringify(command) === JSON.stringify(settings.command);
}

const TOKEN_LINE = /^[^\S\n]*(?:export[^\S\n]+)?TELEGRAM_BOT_TOKEN[^\S\n]*[=:][^\n]*(?:\n|$)/gmu;

/** `.env` with this token and everything else as it was; the former token stays nowhere in it. */
export function envWithToken(text: string, token: string): string {
  const line = `TELEGRAM_BOT_TOKEN=${token}\n`;
  let isPlaced = false;
  const replaced = text.replaceAll(TOKEN_LINE, () => {
    if (isPlaced) return '';
    isPlaced = true;
    return line;
  });
  if (isPlaced) return replaced;
  return text === '' || text.endsWith('\n') ? `${text}${line}` : `${text}\n${line}`;
}
