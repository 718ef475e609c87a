/** Every line of `state/README.md` on reading by hand does in a real shell, with the real jq, what it says. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Part, Receipt } from '../../src/core/receipt.ts';
import { HomeOnDisk } from './home-on-disk.ts';

const README = readFileSync(new URL('../../state/README.md', import.meta.url), 'utf8');
const SECTION = README.slice(README.indexOf('## Reading receipts by hand'));

/** The command lines, in the order in which they stand there. */
const LINES = [...SECTION.matchAll(/```sh\n(.*?)```/gsu)]
  .flatMap(([, block = '']) => block.split('\n'))
  .filter((line) => line !== '' && !line.startsWith('#'));

const part: Part = {
  kind: 'text',
  state: 'sent',
  messageIds: [42],
  at: '2026-11-30T09:00:03.000Z',
  text: 'x',
  entities: [],
};
const sent: Partial<Receipt> = {
  state: 'sent',
  history: [
    { state: 'submitted', at: '2026-11-30T09:00:01.000Z' },
    { state: 'sent', at: '2026-11-30T09:00:04.000Z', order: { id: 'xabc', verb: 'arrived', by: 'Owner' } },
  ],
  reply: { markdown: 'The **answer**\nin two lines', parts: [part] },
};
const error = { stage: 'agent' as const, code: 'agent-exit', message: 'exit code 3' };
const DECIDED = '2026-11-30T09:01:00.000Z arrive 41: applied'.replace('arrive', 'arrived');

/** What each line prints for the home below. */
const PRINTS: unknown[] = [
  '41.json\n43.json\n100.json',
  expect.stringContaining('"state":"sent"'),
  'The **answer**\nin two lines',
  'request 41',
  '2026-11-30T09:00:01.000Z submitted\n2026-11-30T09:00:04.000Z sent arrived Owner',
  'sent text 42',
  '43 failed agent-exit',
  '1 failed\n2 sent',
  '41: The **answer**\nin two lines\n43: failed',
  '44.json',
  DECIDED,
  '41',
  '43 failed',
  '1 failed\n2 sent',
  DECIDED,
];

function filledHome(): HomeOnDisk {
  const home = new HomeOnDisk();
  for (const id of [41, 43, 44, 100]) home.request(id);
  home.receipt(41, sent);
  home.receipt(43, { state: 'failed', attention: 'failed', error, conversation: '41' });
  home.receipt(100, { ...sent, reply: null });
  for (const id of [41, 100]) home.remove(`spool/pending/${id}.json`);
  home.write('state/links/42.json', { version: 1, requestId: '41', conversation: '41' });
  const order = { version: 1, id: 'xabc', verb: 'arrived', requestId: '41', by: { name: 'Owner' } };
  const outcome = { result: 'applied', at: '2026-11-30T09:01:01.000Z' };
  home.write('state/decisions/xabc.json', { version: 1, order, takenAt: '2026-11-30T09:01:00.000Z', outcome });
  // Beside the receipts lie files that are none.
  home.write('state/consumer.json', { pid: 1, since: '', lastCompletedAt: null, lastError: null });
  return home;
}

/** Without the spaces that only set columns. */
const shell = (line: string, home: HomeOnDisk): string =>
  execFileSync('sh', ['-c', line], { cwd: home.path, encoding: 'utf8' })
    .split('\n')
    .map((printed) => printed.trim())
    .join('\n')
    .trim();

test('each line prints what it says', () => {
  const home = filledHome();

  expect(LINES).toHaveLength(PRINTS.length);
  for (const [index, line] of LINES.entries()) expect(shell(line, home), line).toEqual(PRINTS[index]);
});

test('where the names no longer fit on one command line, those through xargs still work', () => {
  const home = filledHome();
  // With so little room for arguments as a home of millions leaves.
  const some = Array.from({ length: 400 }, (_, index) => 1_000 + index);
  for (const id of some) home.receipt(id, { ...sent, reply: null });
  const crowded = LINES.filter((line) => line.startsWith('find state -')).map((line) =>
    line.replace('xargs -0', 'xargs -0 -s 2000'),
  );

  expect(crowded.map((line) => shell(line, home))).toEqual(['43 failed', '1 failed\n402 sent']);
});
