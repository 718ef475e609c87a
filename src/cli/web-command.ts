/** `blog-bridge web`: a page of this home in the browser, to read. */
import { type Command, InvalidArgumentError } from 'commander';
import { livingOwner } from '../bridge/overview.ts';
import { openHome } from './open-home.ts';
import { typedCommand } from './typed-command.ts';

const DEFAULT_PORT = 7341;

/** @param stopped ends the serving */
export function addWebCommand(program: Command, stopped: AbortSignal): void {
  program
    .command('web')
    .description('serve a local page of the queue, conversations and receipts, to read')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any that is free', parsePort, DEFAULT_PORT)
    .option('--json', 'print the address as JSON')
    .addHelpText(
      'after',
      '\nOnly this machine reaches the page, and only by the address that is printed: it holds a token, another one at each start.',
    )
    .action(async (options: { port: number; json?: boolean }) => {
      const named = program.opts<{ home?: string }>().home;
      const { folders, settings } = openHome(named);
      const { serveHome } = await import('../web/serve-home.ts');
      await serveHome({
        folders,
        language: settings.language,
        chatId: () => chatIdOf(named) ?? settings.telegram.chatId,
        port: options.port,
        ownerOf: livingOwner,
        // The page is read far from the shell and the folder in which this was typed.
        typed: (words) => typedCommand(words, named === undefined ? undefined : folders.root),
        onReady: (place) =>
          process.stdout.write(options.json === true ? `${JSON.stringify(place)}\n` : `${place.url}\n`),
        signal: stopped,
      });
    });
}

/** A home may be bound anew while its page is open. */
function chatIdOf(named: string | undefined): number | null {
  try {
    return openHome(named).settings.telegram.chatId;
  } catch {
    return null;
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('expected a number from 0 to 65535.');
}
