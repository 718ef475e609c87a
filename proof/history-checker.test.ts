/** That the checker of the proof sees what it is there to see. */
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type SeenCall, type Witnessed, deliveriesOf, faultsOf } from './history-checker.ts';
import { atRest, openStage, tell, witnessed } from './scenario.ts';

test('an undisturbed story has no fault, and each wrong that is done to it is seen', async () => {
  const stage = await openStage();
  const { world } = stage;
  try {
    await Promise.all([world.bot(), world.consumer()]);
    await tell(stage);
    await atRest(stage);
    await Promise.all(world.started.map((running) => running.kill('SIGTERM')));

    const seen: Witnessed = { ...witnessed(stage, true), calls: [...world.telegram.calls] };
    expect(faultsOf(seen)).toEqual([]);
    const marks = deliveriesOf(seen.calls).map(({ mark }) => mark);
    expect(marks).toEqual(
      expect.arrayContaining(['41-run1-part1', '41-run1-part2', '41-run1-part3', '42-run2-part1', '43-run1-part1']),
    );
    expect(new Set(marks).size).toBe(6);
    expect(marks).toHaveLength(6);
    const part = seen.calls.find((call) => JSON.stringify(call.params).includes('41-run1-part2')) as SeenCall;
    expect(faultsOf({ ...seen, calls: [...seen.calls, part] })).toEqual([
      'part 41-run1-part2: delivered 2 times, 1 allowed',
    ]);
    expect(faultsOf({ ...seen, calls: seen.calls.filter((call) => call !== part) })).toEqual([
      expect.stringMatching(/^request 41: a part names messages that Telegram never took/u),
    ]);
    expect(faultsOf({ ...seen, runs: [...seen.runs, '43'] })).toEqual(['request 43: 2 runs, 1 allowed']);
    expect(faultsOf({ ...seen, asked: seen.asked.slice(1) })).toEqual([
      'message 41: in a request, and nobody asked for one',
    ]);
    const notice = seen.calls.find((call) => JSON.stringify(call.params).includes('order:rerun:42:1:')) as SeenCall;
    expect(faultsOf({ ...seen, calls: [...seen.calls, notice] })).toEqual([
      'request 42: 2 notices of one attention (1:2)',
    ]);

    const receipt = world.json('state', '41.json');
    const faultsWith = (fields: object): string[] => {
      writeFileSync(world.path('state', '41.json'), JSON.stringify({ ...receipt, ...fields }));
      return faultsOf(seen);
    };
    const history = [{ state: 'submitted' }, { state: 'sending' }];
    expect(faultsWith({ state: 'sending', history })).toEqual(['request 41: `sending` for ever, and nobody is told']);
    expect(faultsWith({ state: 'submitted', history: history.slice(0, 1), reply: null })).toContain(
      'part 41-run1-part1: delivered, and no receipt says `sending`',
    );
    const parts = (receipt['reply'] as { parts: object[] }).parts.map((one) => ({ ...one, state: 'failed' }));
    expect(faultsWith({ reply: { parts } })).toContain('request 41: a part is `failed`, and Telegram took it');
    writeFileSync(world.path('state', '41.json'), '{ "version": 1, "id": "4');
    expect(faultsOf(seen)).toContain('state/41.json: no whole JSON object under a final name');
    rmSync(world.path('state', '41.json'));
    rmSync(world.path('spool', 'requests', '41.json'));
    expect(faultsOf(seen)).toEqual(
      expect.arrayContaining([
        'messages 41: Telegram was told that they are done, and they are in no request',
        'request 41: its agent ran, and there is no receipt',
        'part 41-run1-part1: delivered, and there is no receipt',
      ]),
    );
  } finally {
    await stage.close();
  }
}, 60_000);
