/** One `init` from its first question to the next command: asks what a home needs, checks it, writes `config.json` and `.env`. */
import { spawn } from 'node:child_process';
import { EXIT } from '../core/failure.ts';
import { type InitWords, initWordsIn, localeLanguage } from '../core/init-words.ts';
import { type Answers, changesBetween, envWithToken, mergedConfig } from '../core/new-settings.ts';
import type { Language } from '../core/settings.ts';
import { jsonText } from '../platform/json-file.ts';
import { botIdOf, readBinding } from '../spool/home-binding.ts';
import { type AgentOptions, learnAgent, learnFolder } from './init-agent.ts';
import { type ChatOptions, learnChat, livePid } from './init-chat.ts';
import { type Dialog, fault, openScriptDialog, openTerminalDialog } from './init-dialog.ts';
import { type Standing, readStanding, writeHome } from './init-files.ts';
import { type TokenOptions, learnBot } from './init-token.ts';

export interface InitOptions extends TokenOptions, ChatOptions, AgentOptions {
  language?: Language;
  yes?: true;
  force?: true;
}

export async function init(named: string | undefined, options: InitOptions): Promise<void> {
  const standing = readStanding(named, initWordsIn(options.language ?? localeLanguage(process.env)));
  const { dialog, words, language } = await openDialog(standing, options);
  if (standing.config.trouble !== null) dialog.warn(words.configUnreadable(standing.config.trouble));

  const known = await learnBot(dialog, words, standing, options);
  const { chatId, userIds } = await learnChat(dialog, words, standing, known, options);
  const agent = await learnAgent(dialog, words, standing, options);
  const cwd = await learnFolder(dialog, words, standing, options);

  const answers = { chatId, userIds, agent, cwd, language };
  const { token } = known.access;
  if (!(await write(dialog, words, standing, answers, token, options.force === true))) return;

  const command = spelling(named, standing.folders.root);
  const binding = readBinding(standing.folders);
  const isForeign = binding !== null && (binding.chatId !== chatId || binding.botId !== botIdOf(token));
  if (isForeign) dialog.warn(words.boundElsewhere(command('rebind')));
  dialog.say(words.checking);
  process.exitCode = await doctor(standing.folders.root);
  const runs = [standing.folders.botLock, standing.folders.consumerLock].some((path) => livePid(path) !== null);
  if (runs) dialog.warn(words.restart);
  dialog.say(`${words.next(command('start'), command('service install'))}\n${words.sayHello}`);
}

async function openDialog(
  { folders, config }: Standing,
  options: InitOptions,
): Promise<{ dialog: Dialog; words: InitWords; language: Language | null }> {
  const stands = config.settings?.language ?? null;
  const likely = options.language ?? stands ?? localeLanguage(process.env);
  const words = initWordsIn(likely);
  const isYes = options.yes === true;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return { dialog: openScriptDialog(words, isYes), words, language: options.language ?? stands };
  const dialog = openTerminalDialog(words, words.title(folders.root), isYes);
  const choices = [
    { value: 'ko' as const, label: '한국어' },
    { value: 'en' as const, label: 'English' },
  ];
  const question = { message: '언어 / Language', option: '--language', choices, proposal: likely };
  const language = options.language ?? (await dialog.choose<Language>(question));
  return language === likely
    ? { dialog, words, language }
    : { dialog: openTerminalDialog(initWordsIn(language), null, isYes), words: initWordsIn(language), language };
}

/** False where a person wants all to stay as it is. */
async function write(
  dialog: Dialog,
  words: InitWords,
  standing: Standing,
  answers: Answers,
  token: string,
  isForced: boolean,
): Promise<boolean> {
  const { config, env, folders } = standing;
  const after = mergedConfig(config.json, answers);
  const changes = changesBetween(config.json ?? {}, after).map(
    ({ key, from, to }) => `  ${key}: ${from ?? '–'} → ${to ?? '–'}`,
  );
  const isOtherToken = env.token !== token;
  const replaced = [
    ...(config.text === null ? [] : changes),
    // The number before the colon names the bot and holds no secret.
    ...(env.token === '' || !isOtherToken ? [] : [`  .env: bot ${botIdOf(env.token)} → bot ${botIdOf(token)}`]),
  ];
  if (replaced.length > 0 && !isForced) {
    const message = words.askReplace(replaced.join('\n'));
    const isAgreed = dialog.isInteractive
      ? await dialog.confirm({ message, option: '--force', proposal: false, isSafe: false })
      : false;
    if (!isAgreed && !dialog.isInteractive) throw fault('usage', words.replaceNeeds);
    if (!isAgreed) {
      dialog.say(words.nothingWritten);
      return false;
    }
  }
  const newConfig = config.text !== null && changes.length === 0 && config.trouble === null ? null : jsonText(after);
  const newEnv = isOtherToken ? envWithToken(env.text ?? '', token) : null;
  const aside = await writeHome(standing, { newConfig, newEnv }, words);
  if (aside !== null) dialog.warn(words.setAside(aside));
  const paths = [...(newEnv === null ? [] : [folders.env]), ...(newConfig === null ? [] : [folders.config])];
  dialog.say(paths.length === 0 ? words.unchanged : words.written(paths.join(', ')));
  return true;
}

/** A process of its own: what it finds is what any other command would find in the files that were just written. */
function doctor(home: string): Promise<number> {
  return new Promise((resolve) => {
    const args = [...process.execArgv, process.argv[1] ?? '', 'doctor', '--home', home];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => resolve(EXIT.failed));
    child.on('close', (code) => resolve(code ?? EXIT.failed));
  });
}

/** How the next command is typed: as this one was. */
function spelling(named: string | undefined, root: string): (command: string) => string {
  const program = process.env['npm_command'] === 'exec' ? 'npx blog-bridge' : 'blog-bridge';
  const home = named === undefined ? '' : ` --home ${/^[\w@%+=:,./-]+$/u.test(root) ? root : `'${root}'`}`;
  return (command) => `${program} ${command}${home}`;
}
