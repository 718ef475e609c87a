/** Part 1 of the proof: every system call that changes the disk or reaches the network is a point at which a process dies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Running } from '../test/harness/bridge.ts';
import { budget, caseBudget, inParallel, sample } from './budget.ts';
import { keep } from './keeper.ts';
import { atRest, faultsAtRest, openStage, tell } from './scenario.ts';
import {
  type Point,
  type Service,
  SERVICES,
  callsIn,
  learn,
  pointsIn,
  startWithPoint,
  untraceable,
} from './straced.ts';
import { countedBy, hand } from './tally.ts';

const WIDTH = budget(3, 2);

/** A story in which one or both die: each a point of its own, so that half as many stories tell as much. */
interface Case {
  points: Point[];
}

interface Outcome extends Case {
  /** What each died at; fewer than the points where one lived to the end, since no story is call for call like another. */
  hits: string[];
  faults: string[];
}

test(
  'killed at any call, before or after it took effect, nothing is lost, doubled or silent',
  async () => {
    const began = performance.now();
    const cannot = untraceable();
    if (cannot !== null) {
      hand({ part: 'crash points', cases: 0, faults: [], notRun: 1, seconds: 0, details: { cannot } });
      return;
    }
    const [bot = [], consumer = []] = await Promise.all(
      SERVICES.map(async (service) => pointsIn(service, await learn(service))),
    );
    const cases = casesOf(bot, consumer);
    const tried = sample(cases, caseBudget(cases.length, 8), 'crash points');
    const outcomes: Outcome[] = [];
    await inParallel(tried, WIDTH, async (one) => {
      const outcome = await play(one);
      outcomes.push(outcome);
      if (outcome.faults.length > 0 || process.env['PROOF_VERBOSE'] !== undefined) console.log(JSON.stringify(outcome));
    });

    const faulty = outcomes.filter(({ faults }) => faults.length > 0);
    const hits = outcomes.flatMap((outcome) => outcome.hits);
    hand({
      part: 'crash points',
      cases: outcomes.length,
      faults: faulty.map(({ points, faults }) => `${JSON.stringify(points)}: ${faults.join('; ')}`),
      notRun: 0,
      seconds: (performance.now() - began) / 1000,
      details: {
        pointsKnown: bot.length + consumer.length,
        kills: hits.length,
        livedToTheEnd: tried.flatMap(({ points }) => points).length - hits.length,
        differentPlaces: new Set(hits).size,
        byCall: countedBy(hits.map((hit) => hit.split(' ').slice(0, 2).join(' '))),
      },
    });
    expect(faulty).toEqual([]);
    expect(hits.length).toBeGreaterThan(tried.length / 2);
  },
  budget(8 * 3_600_000, 300_000),
);

/** Each point once: one of each service together for as long as both have any. */
function casesOf(bot: readonly Point[], consumer: readonly Point[]): Case[] {
  // Far from each other in the story, so that early deaths of one meet late ones of the other.
  const turned = [...bot.slice(bot.length / 2), ...bot.slice(0, bot.length / 2)];
  const every = Math.max(1, Math.floor(consumer.length / turned.length));
  const cases = consumer.map((point, index): Case => {
    const partner = index % every === 0 ? turned[index / every] : undefined;
    return { points: partner === undefined ? [point] : [point, partner] };
  });
  const paired = new Set(cases.flatMap(({ points }) => points));
  return [...cases, ...turned.filter((point) => !paired.has(point)).map((point) => ({ points: [point] }))];
}

async function play({ points }: Case): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'proof-crash-'));
  const stage = await openStage();
  const { world } = stage;
  const traceOf = (service: Service): string => join(folder, service);
  const start = (service: Service): Running => {
    const point = points.find((one) => one.service === service);
    return point === undefined ? world.run(service) : startWithPoint(world, point, 'signal=KILL', traceOf(service));
  };
  const keeper = keep(world, { bot: start('bot'), consumer: start('consumer') });
  const faults: string[] = [];
  try {
    await tell(stage);
    await atRest(stage);
    await keeper.stop();
    faults.push(...faultsAtRest(stage));
  } catch (error) {
    faults.push(`not driven to rest: ${String(error).slice(0, 4000)}`);
  }
  await keeper.stop();
  const hits = keeper.deaths.flatMap(({ service, exit }) => {
    const point = points.find((one) => one.service === service);
    if (point === undefined || exit.signal !== 'SIGKILL') {
      faults.push(`${service} ended by itself: ${JSON.stringify(exit)}`);
      return [];
    }
    const last = callsIn(traceOf(service), world.home).findLast((one) => one.call === point.call);
    return [`${service} ${point.call} ${last?.about ?? ''}`];
  });
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
  return { points, hits, faults };
}
