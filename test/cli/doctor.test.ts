import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorld } from '../harness/bridge.ts';

test('a home in order is told of line by line, and ends with 0', async () => {
  const world = await openWorld();
  const { code, stdout } = await world.command('doctor');
  expect(stdout).toMatch(/^ok {5}bot token\n/u);
  expect(stdout).not.toContain('WRONG');
  expect(code).toBe(0);
});

test('each thing that is wrong comes with its mend, and ends with 1', async () => {
  const world = await openWorld({ agent: { kind: 'command', command: ['no-such-agent'], cwd: '..' } });
  writeFileSync(world.path('.env'), 'TELEGRAM_BOT_TOKEN=1:x\n');
  chmodSync(world.path('.env'), 0o644);
  mkdirSync(world.path('spool', 'requests'), { recursive: true });
  mkdirSync(world.path('state'));
  writeFileSync(world.path('spool', 'requests', '42 2.json'), '{}');
  writeFileSync(world.path('state', '41.json'), '{"sta');
  writeFileSync(world.path('state', 'consumer.lock'), 'nonsense');

  const { code, stdout } = await world.command('doctor', '--json');

  const wrong = (JSON.parse(stdout) as { what: string; wrong: string | null; mend: string }[]).filter(
    (one) => one.wrong !== null,
  );
  expect(wrong.map(({ what }) => what)).toEqual([
    '.env is yours alone',
    'agent.cwd',
    'agent.command',
    'state/consumer.lock',
    'names in spool/requests',
    'receipts',
  ]);
  expect(wrong.every(({ mend }) => mend !== '')).toBe(true);
  expect(code).toBe(1);
});
