/** What an agent may print or leave behind: any text makes lawful parts in bounded time, any file name goes whole. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectFiles } from '../../src/bridge/collect-files.ts';
import { cleanText } from '../../src/core/reply/clean-text.ts';
import { formatMarkdown } from '../../src/core/reply/format-markdown.ts';
import { splitText } from '../../src/core/reply/split-text.ts';
import { openStandIn } from '../../src/stand-in/stand-in.ts';
import { openSender } from '../../src/telegram/sender.ts';
import { expectLawful } from '../../test/core/reply/entity-laws.ts';
import { scratchFolder } from '../../test/platform/scratch-folder.ts';
import { budget, isFull, seed } from '../budget.ts';
import { hand } from '../tally.ts';

const TEXTS = budget(2_000, 15);
const UNITS = 50_000;
/** Of processor time, which a busy machine does not change much; what is quadratic needs minutes for so much text. */
const LIMIT_S = 20;

const sign = fc.constantFrom(
  '*',
  '**',
  '_',
  '`',
  '```\n',
  '~~',
  '[',
  '](',
  '![',
  '<',
  '>',
  '> ',
  '- ',
  '1. ',
  '# ',
  '|',
  '|-|\n',
  '\n',
  '\n\n',
  '  ',
  '[a]: b\n',
  '[^1]',
  '&#',
  '\\',
  '\t',
  '<!--',
  'http://',
  'www.',
  '@',
  ':',
  '$',
  '가',
  '👨‍👩‍👧',
  '\u0301',
  '\uD83D',
  '\0',
  '\u001B[',
);
/** Little that comes again and again: what parsers of Markdown choke on. */
const repeated = fc
  .tuple(fc.array(sign, { minLength: 1, maxLength: 4 }), fc.array(sign, { maxLength: 4 }))
  .map(([one, other]) => {
    const [left, right] = [one.join(''), other.join('')];
    const times = Math.floor(UNITS / 2 / Math.max(1, left.length + right.length));
    return { left, right, text: `${left.repeat(times)}${right.repeat(times)}` };
  });

test(
  'any Markdown, however it repeats itself, becomes lawful parts in bounded time',
  () => {
    const begun = performance.now();
    let cases = 0;
    let slowest = 0;
    fc.assert(
      fc.property(repeated, ({ text }) => {
        const cpu = process.cpuUsage();
        const formatted = formatMarkdown(cleanText(text));
        expectLawful(formatted);
        for (const part of splitText(formatted)) expectLawful(part);
        const { user, system } = process.cpuUsage(cpu);
        const seconds = (user + system) / 1e6;
        slowest = Math.max(slowest, seconds);
        cases += 1;
        expect(seconds).toBeLessThan(LIMIT_S);
      }),
      { numRuns: TEXTS, seed, interruptAfterTimeLimit: budget(6 * 60_000, 10_000) },
    );
    hand({
      part: 'input markdown',
      cases,
      faults: [],
      notRun: isFull ? Math.max(0, TEXTS - cases) : 0,
      details: { 'slowest s': slowest },
      seconds: (performance.now() - begun) / 1000,
    });
  },
  20 * 60_000,
);

const letter = fc.constantFrom(
  'a',
  'Z',
  '0',
  '.',
  '..',
  ' ',
  '"',
  "'",
  '\\',
  '\r\n',
  '\n',
  ';',
  '=',
  '%0d%0a',
  '%22',
  '*',
  '그림',
  'e\u0301',
  '👍',
  '\u202E',
  '\u0007',
  '-',
  '--',
  'Content-Type: x',
);

test('a file of any name goes to the chat whole, under a name without quotes and line ends', async () => {
  const begun = performance.now();
  const telegram = await openStandIn();
  const sender = openSender({ token: telegram.token, apiRoot: telegram.apiRoot });
  let cases = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(letter, { minLength: 1, maxLength: 12 }), async (letters) => {
        const name = `x${letters.join('')}`;
        if (Buffer.byteLength(name) > 200) return;
        const home = scratchFolder();
        const places = {
          home,
          cwd: join(home, 'work'),
          folder: join(home, 'files'),
          outFolder: join(home, 'files', 'out'),
        };
        for (const folder of [places.cwd, places.folder, places.outFolder]) mkdirSync(folder);
        writeFileSync(join(places.outFolder, name), `content of ${cases}`);
        const [file] = collectFiles([], places).files;
        expect(file?.name).toMatch(/^[^"\\\p{Cc}]+$/u);
        const outcome = await sender.sendFile({ chatId: telegram.chatId, replyTo: null, threadId: null }, 'document', {
          path: join(places.folder, file?.file ?? ''),
          name: file?.name ?? '',
          caption: '',
        });
        expect(outcome.kind).toBe('accepted');
        const params = Object.values(telegram.accepted('sendDocument').at(-1)?.params ?? {});
        const files = params.filter((value) => typeof value === 'object' && value !== null && 'filename' in value);
        expect(files).toMatchObject([{ filename: file?.name, bytes: Buffer.byteLength(`content of ${cases}`) }]);
        cases += 1;
      }),
      { numRuns: budget(1_000, 20), seed },
    );
  } finally {
    await telegram.close();
  }
  hand({ part: 'input file names', cases, faults: [], notRun: 0, seconds: (performance.now() - begun) / 1000 });
}, 600_000);
