/** `blog-bridge init`: its options. What it does is in `init-session.ts`, loaded only where it runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InitOptions } from './init-session.ts';

const HELP = `
At a terminal it asks for whatever is not given. Without one, as in a script, every answer must be given:
  blog-bridge init --home DIR --token-file FILE --chat-id 7001 --agent claude

The token is never taken from the command line, where other users of the machine could read it: put it into a file or
into the environment. A changed answer replaces what stands here only after a yes, or with --force.`;

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('set a home up: token, chat, agent; asks for what is not given, and checks it')
    .option('--token-file <path>', 'file that holds the bot token, "-" for stdin (else TELEGRAM_BOT_TOKEN, else .env)')
    .option('--chat-id <id>', 'the one chat of this home; a group has a negative id')
    .option('--user-id <ids...>', 'who may give orders (in a private chat: its person)')
    .option('--agent <name>', 'claude-agent-acp, claude, codex-acp, gemini, opencode, or sample')
    .option('--agent-command <words>', 'another program with its arguments; no shell reads them')
    .addOption(
      new Option('--agent-kind <kind>', 'how --agent-command speaks (default: command)').choices(['acp', 'command']),
    )
    .option('--agent-cwd <dir>', "the agent's working folder (default: work in the home)")
    .addOption(new Option('--language <language>', 'of init, and of the bot in the chat').choices(['ko', 'en']))
    .option('--timeout <seconds>', 'how long Telegram may take to answer', seconds, 15)
    .option('-y, --yes', 'take what is proposed instead of asking; changes nothing that stands here')
    .option('-f, --force', 'change what stands here without asking')
    .addHelpText('after', HELP)
    .action(async (options: InitOptions) => {
      const { init } = await import('./init-session.ts');
      await init(program.opts<{ home?: string }>().home, options);
    });
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 300)) throw new InvalidArgumentError('Expected seconds, more than 0 and at most 300.');
  return value;
}
