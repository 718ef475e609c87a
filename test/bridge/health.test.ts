import { expect, test } from 'vitest';
import { problemsOf } from '../../src/bridge/health.ts';
import type { Overview, ProcessView } from '../../src/bridge/overview.ts';

const NOW = Date.parse('2026-11-30T09:10:00.000Z');
const alive = (lastCompletedAt: string | null, lastError: string | null = null): ProcessView => ({
  running: true,
  pid: 7,
  since: '2026-11-30T09:00:00.000Z',
  heartbeat: { pid: 7, since: '2026-11-30T09:00:00.000Z', lastCompletedAt, lastError },
});
const well = alive('2026-11-30T09:09:30.000Z');
const overview = (fields: Partial<Overview>): Overview => ({
  bot: well,
  consumer: well,
  running: null,
  waiting: [],
  stray: [],
  attention: [],
  recent: [],
  unread: [],
  ...fields,
});

test.each<[string, Partial<Overview>, string[]]>([
  ['all is well', {}, []],
  ['work that waits is no problem', { waiting: [{ id: '41' }] as Overview['waiting'] }, []],
  ['a process that is gone', { bot: { ...well, running: false } }, ['bot-down']],
  ['one that lives and does nothing', { consumer: alive('2026-11-30T09:04:00.000Z') }, ['consumer-stale']],
  ['one that never came to anything', { bot: alive(null) }, ['bot-stale']],
  ['one in trouble', { bot: alive('2026-11-30T09:09:30.000Z', 'no line') }, ['bot-trouble']],
  ['a request that waits for a person', { attention: [{ id: '41' }] as Overview['attention'] }, ['needs-you']],
])('%s', (_, fields, codes) => {
  expect(problemsOf(overview(fields), NOW).map(({ code }) => code)).toEqual(codes);
});

test('the words name process, time and requests', () => {
  const view = overview({
    bot: alive('2026-11-30T09:00:00.000Z', 'no line'),
    attention: [{ id: '41' }, { id: '43' }] as Overview['attention'],
  });

  expect(problemsOf(view, NOW).map(({ words }) => words)).toEqual([
    'the bot has done nothing since 2026-11-30T09:00:00.000Z (pid 7)',
    'the bot is in trouble: no line',
    'needs you: 41, 43',
  ]);
});
