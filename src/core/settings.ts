/** `config.json` (contract §3): what a person may set, its defaults, and the words for what is wrong. */
import { z } from 'zod';
import { BridgeError } from './failure.ts';
import { issueWords, parseJson } from './json.ts';

/** Accounts that many people share in Telegram (service messages, anonymous admins, channels): nobody's own. */
export const SHARED_TELEGRAM_IDS: readonly number[] = [777000, 1087968824, 136817688];

export const DEFAULT_API_ROOT = 'https://api.telegram.org';

const argument = z.string().refine((value) => !value.includes('\0'), 'expected a text without NUL');
const command = z.tuple([argument.min(1)], argument);

const agentShared = {
  cwd: z.string().min(1).optional(),
  timeoutSeconds: z
    .number()
    .positive()
    .max(7 * 24 * 3600)
    .default(1800),
  permissions: z.enum(['ask', 'allow', 'reject']).default('ask'),
  permissionMinutes: z
    .number()
    .positive()
    .max(24 * 60)
    .default(10),
  mode: z.string().min(1).optional(),
};

const agentSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('acp'), command, resumeCommand: command.optional(), ...agentShared }),
    z.strictObject({ kind: z.literal('command'), command, resumeCommand: command.optional(), ...agentShared }),
    z.strictObject({
      kind: z.literal('sample'),
      command: command.optional(),
      resumeCommand: command.optional(),
      ...agentShared,
    }),
  ],
  'expected "acp", "command" or "sample"',
);

const settingsSchema = z.strictObject({
  telegram: z.strictObject({
    chatId: z.int().refine((value) => value !== 0, 'expected a chat id other than 0'),
    userIds: z
      .array(
        z
          .int()
          .positive()
          .refine(
            (id) => !SHARED_TELEGRAM_IDS.includes(id),
            'expected the id of one person; this account is shared by many',
          ),
      )
      .min(1),
    apiRoot: z.url({ protocol: /^https?$/u, error: 'expected an http or https address' }).default(DEFAULT_API_ROOT),
  }),
  agent: agentSchema,
  language: z.enum(['ko', 'en']).optional(),
  gatherSeconds: z.number().min(0).max(60).default(1.5),
});

export type Settings = z.infer<typeof settingsSchema>;
export type AgentSettings = Settings['agent'];
export type Language = 'ko' | 'en';

/**
 * @param source the text of config.json
 * @param path its path, for the words of an error
 * @throws BridgeError `config-invalid`, naming the key, what was expected and what was found
 */
export function parseSettings(source: string, path: string): Settings {
  const json = parseJson(source.replace(/^\uFEFF/u, ''));
  if (!json.ok) {
    const where = json.at === null ? '' : ` (line ${json.at.line}, column ${json.at.column})`;
    throw invalid(
      path,
      `expected one JSON object, found ${json.found}${where}`,
      `Look ${json.at === null ? '' : 'there, and just before it, '}for a comma or a quotation mark that is missing or too many; JSON knows no comments. README.md shows a whole file.`,
    );
  }
  const parsed = settingsSchema.safeParse(json.value);
  if (!parsed.success) throw invalid(path, issueWords(parsed.error, json.value));
  return parsed.data;
}

function invalid(path: string, words: string, hint = 'Correct that key; README.md lists them all.'): BridgeError {
  return new BridgeError('config-invalid', `${path}: ${words}`, { hint });
}

/** The language in which a person is answered: the configured one, else that of the person's Telegram. */
export function languageOf(settings: Settings, personLanguage: string | undefined): Language {
  return settings.language ?? (personLanguage?.toLowerCase().startsWith('ko') === true ? 'ko' : 'en');
}
