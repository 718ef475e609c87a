/** `blog-bridge demo`: the whole round trip with no token and no network. */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { BridgeError, EXIT, type ErrorCode } from '../core/failure.ts';
import { DemoChat } from './demo-chat.ts';
import type { DemoStage, LostPart } from './demo-stage.ts';
import { storyText } from './show-command.ts';

const ROUND_TRIP_MS = 30_000;

const HELP = `You are in a chat with the bot. Type a line and press Enter:
  /blog write about the sea     a request; with the word "slowly" the sample agent takes 15 s
  > and now shorter             a reply to the bot's last message, to go on with it
  >43 and now shorter           a reply to message 43
  /status  /cancel  /help       what the bot answers itself
  :kill                         kill -9 the consumer, and start it again
  :press 1                      press the first button of the latest message that has some
  :files                        the latest request's story, and where everything lies
  :help                         this list
  :quit                         end (also Ctrl-C)
`;

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('try the whole round trip here, with no token and no network')
    .option('--once <text>', 'send "/blog <text>", print what happened, and end')
    .addHelpText('after', '\nWithout --home it plays in a new folder under the system’s temporary one.')
    .action(async (options: { once?: string }) => {
      if (options.once?.trim() === '')
        throw new BridgeError('usage', 'demo --once: expected some words, found none', {
          hint: 'For example: blog-bridge demo --once hello',
        });
      const { openDemoStage } = await import('./demo-stage.ts');
      const lost = new LostParts();
      const stage = await openDemoStage(program.opts<{ home?: string }>().home, lost.note);
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void leave(stage));
      try {
        if (options.once === undefined) await converse(stage, lost);
        else await roundTrip(stage, lost, options.once);
      } finally {
        await stage.close();
      }
    });
}

/** Ends on a signal; a second one ends at once. */
async function leave(stage: DemoStage): Promise<void> {
  print('  * ending; a run that is under way gets up to 10 s\n');
  await stage.close();
  process.exit(EXIT.done);
}

/** What ended though nobody asked it to; whoever listens hears of all of it. */
class LostParts {
  #heard: LostPart[] = [];
  #listener: ((lost: LostPart) => void) | undefined;

  readonly note = (lost: LostPart): void => {
    if (this.#listener === undefined) this.#heard.push(lost);
    else this.#listener(lost);
  };

  listen(listener: (lost: LostPart) => void): void {
    this.#listener = listener;
    for (const lost of this.#heard.splice(0)) listener(lost);
  }
}

async function roundTrip(stage: DemoStage, lost: LostParts, text: string): Promise<void> {
  const chat = new DemoChat(stage.telegram, print);
  chat.say(`/blog ${text}`);
  await new Promise<void>((resolve, reject) => {
    lost.listen((part) => reject(lostError(part)));
    void chat.quiet(ROUND_TRIP_MS).then(resolve);
  });
  chat.close();
  print(filesWords(stage, chat.lastRequestId));
  if (stage.telegram.messages.some(({ id, reaction }) => id === chat.lastRequestId && reaction === '👍')) return;
  throw new BridgeError('internal', `the round trip did not come to its end within ${ROUND_TRIP_MS / 1000} s`, {
    hint: `See ${join(stage.folders.root, 'bot.log')} and consumer.log beside it.`,
  });
}

async function converse(stage: DemoStage, lost: LostParts): Promise<void> {
  print(`${HELP}\n`);
  const chat = new DemoChat(stage.telegram, print);
  lost.listen((part) => print(`  * ${lostError(part).message}\n`));
  for await (const line of createInterface({ input: process.stdin, terminal: false })) {
    const words = line.trim();
    if (words === ':quit') break;
    if (words === ':kill') await killAndStart(stage);
    else if (words === ':files') print(filesWords(stage, chat.lastRequestId));
    else if (/^:press\b/u.test(words)) chat.press(Number(words.slice(6)) || 1);
    else if (words === ':help') print(HELP);
    else if (words.startsWith(':')) print(`  * ${words} is no command of the demo; :help lists them\n`);
    else if (words !== '') chat.say(words);
  }
  // A script that pipes its lines in has no eyes: what is under way ends before the chat does.
  if (!process.stdin.isTTY) await chat.quiet(ROUND_TRIP_MS);
  chat.close();
  print(filesWords(stage, chat.lastRequestId));
}

async function killAndStart(stage: DemoStage): Promise<void> {
  await stage.kill('consumer');
  print('  * the consumer was killed with kill -9; a new one starts\n');
  stage.start('consumer');
}

function lostError({ part, code, lastWords }: LostPart): BridgeError {
  const kinds: Record<number, ErrorCode> = { [EXIT.held]: 'lock-held', [EXIT.config]: 'config-invalid' };
  const words =
    lastWords === '' ? `${part}.log tells why` : lastWords.replace(/^blog-bridge: /u, '').replace('\n', '. ');
  return new BridgeError(kinds[code ?? -1] ?? 'internal', `the ${part} ended by itself (exit ${code}): ${words}`);
}

function filesWords({ folders, telegram }: DemoStage, id: number | null): string {
  // A line that looked like a request may have been none.
  const isRequest = id !== null && existsSync(join(folders.requests, `${id}.json`));
  const story = isRequest ? [storyText(String(id), folders, telegram.chatId)] : [];
  const again = isRequest ? `show ${id}` : 'status';
  return [
    '',
    ...story,
    `Everything lies in ${folders.root}`,
    '  the logs are bot.log and consumer.log',
    `  look again with: npx blog-bridge ${again} --home ${folders.root}`,
    '',
  ].join('\n');
}

function print(words: string): void {
  process.stdout.write(words);
}
