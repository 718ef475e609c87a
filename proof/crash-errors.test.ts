/** Part 1 of the proof, with errors in the place of death: every call that touches the disk fails once, in every usual way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exit } from '../test/harness/bridge.ts';
import { budget, caseBudget, inParallel, sample } from './budget.ts';
import { keep } from './keeper.ts';
import { atRest, faultsAtRest, openStage, tell } from './scenario.ts';
import { type Service, SERVICES, callsIn, inMainThread, learn, startStraced, untraceable } from './straced.ts';
import { countedBy, hand } from './tally.ts';

/**
 * Which errors each call can meet, and how many stories share its calls out among them: each lets every so-manieth fail,
 * beginning with another one, so that together they let each call fail, and each failure has time to be mended. A start makes
 * some fifteen folders: a step below that would let every try of it fail for ever, which no disk does that is mended.
 */
const FAILING: Record<string, { errors: readonly string[]; step: number }> = {
  fsync: { errors: ['EIO', 'ENOSPC', 'EDQUOT'], step: 8 },
  link: { errors: ['EIO', 'ENOSPC', 'EDQUOT'], step: 4 },
  rename: { errors: ['EIO', 'ENOSPC', 'EDQUOT'], step: 4 },
  unlink: { errors: ['EIO'], step: 4 },
  mkdir: { errors: ['EIO', 'ENOSPC', 'EDQUOT'], step: 20 },
  openat: { errors: ['EIO', 'ENOSPC', 'EMFILE', 'EDQUOT'], step: 60 },
  socket: { errors: ['EMFILE'], step: 6 },
  pipe2: { errors: ['EMFILE'], step: 3 },
};
const WRITE_ERRORS = ['EIO', 'ENOSPC', 'EDQUOT'] as const;

interface Case {
  service: Service;
  call: string;
  error: string;
  /** As strace takes it: the N-th, and with `+M` every M-th from there on. */
  when: string;
}

interface Outcome extends Case {
  failures: number;
  exits: Exit[];
  faults: string[];
}

test(
  'whatever call fails, the work goes on or is taken up again, and nothing is lost, doubled or silent',
  async () => {
    const began = performance.now();
    const cannot = untraceable();
    if (cannot !== null) {
      hand({ part: 'crash errors', cases: 0, faults: [], notRun: 1, seconds: 0, details: { cannot } });
      return;
    }
    const cases = (await Promise.all(SERVICES.map(casesOf))).flat();
    const tried = sample(cases, caseBudget(cases.length, 6), 'crash errors');
    const outcomes: Outcome[] = [];
    await inParallel(tried, budget(3, 2), async (one) => {
      const outcome = await play(one);
      outcomes.push(outcome);
      if (outcome.faults.length > 0 || process.env['PROOF_VERBOSE'] !== undefined) console.log(JSON.stringify(outcome));
    });
    const faulty = outcomes.filter(({ faults }) => faults.length > 0);
    hand({
      part: 'crash errors',
      cases: outcomes.length,
      faults: faulty.map(
        ({ service, call, error, when, faults }) => `${service} ${call} ${error} ${when}: ${faults.join('; ')}`,
      ),
      notRun: 0,
      seconds: (performance.now() - began) / 1000,
      details: {
        casesKnown: cases.length,
        failedCalls: outcomes.reduce((sum, { failures }) => sum + failures, 0),
        byCall: countedBy(
          outcomes.flatMap(({ call, error, failures }) => Array<string>(failures).fill(`${call} ${error}`)),
        ),
        ends: countedBy(
          outcomes.flatMap(({ service, exits }) => exits.map(({ code, signal }) => `${service} ${code ?? signal}`)),
        ),
      },
    });
    expect(faulty).toEqual([]);
  },
  budget(8 * 3_600_000, 300_000),
);

async function casesOf(service: Service): Promise<Case[]> {
  const calls = inMainThread(await learn(service, [...Object.keys(FAILING), 'write']));
  // Before it looks at its home Node begins and loads modules: where that fails there is no process, or it is torn down.
  const begun = calls.findIndex(({ about }) => about.includes('spool'));
  const shared = Object.entries(FAILING).flatMap(([call, { errors, step }]) => {
    const from = calls.find((one, index) => one.call === call && index >= begun)?.nth;
    if (from === undefined) return [];
    return errors.flatMap((error) =>
      Array.from({ length: step }, (_, index) => ({ service, call, error, when: `${from + index}+${step}` })),
    );
  });
  // Most writes only wake a thread, which cannot fail: each that goes to a file or to the log fails alone.
  const writes = calls.filter(({ call, about }) => call === 'write' && /^(?:stderr|spool|state)/u.test(about));
  const alone = writes.flatMap(({ nth, about }, index) =>
    WRITE_ERRORS.filter((_, order) => about !== 'stderr' || order === index % WRITE_ERRORS.length).map((error) => {
      return { service, call: 'write', error, when: String(nth) };
    }),
  );
  return [...shared, ...alone];
}

async function play({ service, call, error, when }: Case): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'proof-errors-'));
  const stage = await openStage();
  const { world } = stage;
  const trace = join(folder, 'trace');
  const inject = [`${call}:error=${error}:when=${when}`];
  const start = (one: Service) =>
    one === service ? startStraced(world, one, { trace, traced: [call], inject }) : world.run(one);
  const keeper = keep(world, { bot: start('bot'), consumer: start('consumer') });
  const faults: string[] = [];
  try {
    await tell(stage, 120_000);
    await atRest(stage, 120_000);
    await keeper.stop();
    faults.push(...faultsAtRest(stage));
  } catch (failure) {
    faults.push(`not driven to rest: ${String(failure).slice(0, 4000)}`);
  }
  await keeper.stop();
  const exits = keeper.deaths.map(({ exit }) => exit);
  const failed = callsIn(trace, world.home).filter(({ isInjected }) => isInjected);
  // The story was not call for call the learned one, and what failed is what never fails.
  const isMissed = failed.some(({ about }) => call === 'write' && /^(?:pipe|socket|anon_inode)/u.test(about));
  // To leave with words is an answer to a disk that fails; to leave as if all were done is none.
  if (exits.some(({ code, signal }) => code === 0 || signal !== null))
    faults.push(`${service}: ${JSON.stringify(exits)}`);
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
  return { service, call, error, when, failures: isMissed ? 0 : failed.length, exits, faults: isMissed ? [] : faults };
}
