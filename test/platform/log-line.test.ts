import { expect, test } from 'vitest';
import { readableLine } from '../../src/platform/log-line.ts';

const line = (fields: object): string =>
  JSON.stringify({ level: 30, time: new Date(2026, 10, 30, 9, 12, 3).toISOString(), component: 'consumer', ...fields });

test('at a terminal a line tells the local time, who, what, and the facts', () => {
  expect(readableLine(line({ event: 'agent let go', request: '41', run: 1 }), false)).toBe(
    '09:12:03 consumer  agent let go  request=41 run=1\n',
  );
  expect(readableLine(line({ event: 'consumer ready' }), false)).toBe('09:12:03 consumer  consumer ready\n');
});

test('a warning is marked, in colour where colours are wanted', () => {
  const warning = line({ level: 40, event: 'trouble', cause: 'no line' });

  expect(readableLine(warning, false)).toBe('09:12:03 consumer  ! trouble  cause="no line"\n');
  expect(readableLine(warning, true)).toContain('\u001B[33m! trouble\u001B[0m');
});

test('what came from outside cannot steer the terminal', () => {
  const told = readableLine(
    line({ event: 'trouble', cause: 'a\u001B]0;title\u0007\u001B[2Jb\nc', list: ['\u001B[1m'] }),
    false,
  );

  expect(told.trimEnd()).not.toMatch(/\p{Cc}/u);
  expect(told.trim().split('\n')).toHaveLength(1);
});
