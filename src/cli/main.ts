#!/usr/bin/env node
/** The command line (contract §8): which command runs, and how its end becomes an exit code. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { BridgeError, EXIT, errorWords } from '../core/failure.ts';
import { isPassingAtStart, untilStored } from '../bridge/persistence.ts';
import { linkedAbort } from '../platform/linked-abort.ts';
import { ownFile } from '../platform/own-files.ts';
import { blot, writeLine } from '../platform/stderr.ts';
import { type Home, accessOf, openHome } from './open-home.ts';
import { stopSignal } from './stop-signal.ts';
import { withHome } from './typed-command.ts';

const SERVICES = ['start', 'bot', 'consumer', 'web'];
/** Only what runs until it is told to stop listens to it. */
const stopped = process.argv.some((word) => SERVICES.includes(word)) ? stopSignal() : new AbortController().signal;

const program = new Command('blog-bridge')
  .description('From a line in Telegram to an AI agent and back: every request once, every answer kept.')
  .option('--home <dir>', 'folder of the home (else BLOG_BRIDGE_HOME, else the current folder)')
  .option('--debug', 'show where an error came from')
  .version(ownVersion(), '--version', 'print the version')
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({
    writeErr: writeLine,
    outputError: (words, write) => write(`blog-bridge: ${words.replace(/^error: /u, '')}`),
  })
  .showHelpAfterError('"blog-bridge --help" lists the commands, and "--help" after one its options.')
  .exitOverride();

/** What a service manager starts: there a wrong configuration ends with 0, so that it is not started again at once. */
function addServiceCommand(
  name: string,
  description: string,
  run: (home: Home, signal: AbortSignal) => Promise<void>,
): void {
  program
    .command(name)
    .description(description)
    .option('--service', 'under launchd or systemd: a wrong configuration ends with 0')
    .action(async () => {
      const home = await homeInTime();
      if (home !== null) await run(home, stopped);
    });
}

/** A service waits for settings whose content is held back just now; null where it is to stop before they come. */
async function homeInTime(): Promise<Home | null> {
  const tell = (words: string | null): void => {
    if (words !== null) writeLine(blot(`blog-bridge: ${words}\nTrying again.\n`));
  };
  const open = (): Home => {
    const home = openHome(homeOption());
    accessOf(home);
    return home;
  };
  try {
    return await untilStored(open, stopped, tell, isPassingAtStart);
  } catch (error) {
    if (stopped.aborted && isPassingAtStart(error)) return null;
    throw error;
  }
}

addServiceCommand('start', 'run bot and consumer together in the foreground', runTogether);
addServiceCommand('bot', 'run the bot alone: it stores what you write', runBot);
addServiceCommand('consumer', 'run the consumer alone: it runs the agent and answers', runConsumer);

/** Loaded only where they run: nobody should wait for what another command needs. In the order of the help. */
const COMMANDS: Record<string, () => Promise<(to: Command) => void>> = {
  init: async () => (await import('./init-command.ts')).addInitCommand,
  status: async () => (await import('./status-command.ts')).addStatusCommand,
  show: async () => (await import('./show-command.ts')).addShowCommand,
  'resend rerun resolve': async () => (await import('./order-commands.ts')).addOrderCommands,
  doctor: async () => (await import('./doctor-command.ts')).addDoctorCommand,
  service: async () => (await import('./service-command.ts')).addServiceCommand,
  rebind: async () => (await import('./rebind-command.ts')).addRebindCommand,
  web: async () => {
    const { addWebCommand } = await import('./web-command.ts');
    return (to) => addWebCommand(to, stopped);
  },
  demo: async () => (await import('./demo-command.ts')).addDemoCommand,
};

/** Each whose name stands on the command line; all of them for help, and where none does. */
async function addCommands(): Promise<void> {
  const words = process.argv.slice(2);
  const isNamed = (names: string): boolean => names.split(' ').some((name) => words.includes(name));
  const named = Object.keys(COMMANDS).filter(isNamed);
  const isForAll = words.includes('help') || (named.length === 0 && !SERVICES.some((name) => words.includes(name)));
  for (const names of isForAll ? Object.keys(COMMANDS) : named) (await COMMANDS[names]?.())?.(program);
}

async function runBot(home: Home, signal: AbortSignal): Promise<void> {
  await (await import('./run-bot.ts')).runBot(home, signal);
}

async function runConsumer(home: Home, signal: AbortSignal): Promise<void> {
  await (await import('./run-consumer.ts')).runConsumer(home, signal);
}

async function runTogether(home: Home, signal: AbortSignal): Promise<void> {
  const ending = linkedAbort(signal);
  const failures: unknown[] = [];
  const parts = [runBot(home, ending.signal), runConsumer(home, ending.signal)].map((part) =>
    part.catch((error: unknown) => {
      failures.push(error);
      ending.abort();
    }),
  );
  await Promise.all(parts);
  // The first failure is the cause; the other part only followed it.
  if (failures.length > 0) throw failures[0];
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

function homeOption(): string | undefined {
  return program.opts<{ home?: string }>().home;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const hint = error instanceof BridgeError && error.hint !== '' ? `\n${withHome(error.hint, homeOption())}` : '';
  const stack = process.argv.includes('--debug') ? stackOf(error) : '';
  writeLine(blot(`blog-bridge: ${errorWords(error)}${hint}${stack}\n`));
  const code = error instanceof BridgeError ? error.exitCode : EXIT.failed;
  return code === EXIT.config && process.argv.includes('--service') ? EXIT.done : code;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return `\n${error.stack ?? ''}${error.cause === undefined ? '' : `\ncaused by${stackOf(error.cause)}`}`;
}

/** A pipe takes what it has room for: to leave at once would cut the rest. Who has closed it wants no more. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

// A closed pipe behind the output stops nothing.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.exit(report(error));
  });
}

try {
  await addCommands();
  await program.parseAsync();
  process.exitCode ??= EXIT.done;
} catch (error) {
  process.exitCode = report(error);
}
await flushed(process.stdout);
// What still hangs (an upload, a stalled socket) must not keep a stopped process alive.
process.exit();
