/**
 * Ten thousand requests through the real processes, with faults at one in a hundred: what they weigh stays what it was, and
 * the history checker finds nothing. Deaths come before and after the stretch in which the processes are weighed.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { FaultAction } from '../../src/stand-in/faults.ts';
import type { Receipt } from '../../src/core/receipt.ts';
import { homeFolders } from '../../src/platform/home-folders.ts';
import { OrderInbox } from '../../src/spool/order-inbox.ts';
import { type Running, type World, openClosableWorld } from '../../test/harness/bridge.ts';
import { chance, isFull } from '../budget.ts';
import { faultsOf } from '../history-checker.ts';
import { hand } from '../tally.ts';

/** `SOAK_REQUESTS` for a shorter try. */
const REQUESTS = Number(process.env['SOAK_REQUESTS'] ?? 10_000);
/** From here on, and until this long before the end, nobody is killed, and the processes are weighed. */
const SETTLING = Math.min(1_000, Math.floor(REQUESTS / 10));
const BATCH = 25;
const OUTSTANDING = 100;
const FAULT_RATE = 0.01;
const PATIENCE_MS = 10 * 60_000;

/** One answer to each; fails, by chance of the one who asks, where the request says so. */
const AGENT = `#!/bin/sh
read -r order
echo "$BLOG_REQUEST_ID" >> runs.log
case "$order" in
  fail*) echo "no luck" >&2; exit 3 ;;
esac
echo "$BLOG_REQUEST_ID-run1-part1 done"
`;

interface Weight {
  heapUsed: number;
  rss: number;
  external: number;
  descriptors: number;
}

test.runIf(isFull)(
  'ten thousand requests with faults leave no trace in memory, and none in the history',
  async () => {
    const begun = performance.now();
    const draw = chance('soak');
    const scales = `/tmp/soak-${process.pid}`;
    const { world, close } = await openClosableWorld({
      agent: { kind: 'command', command: ['./agent'], cwd: '.' },
      env: { SOAK_SCALES: scales, NODE_OPTIONS: `--import=${fileURLToPath(new URL('weigh.mjs', import.meta.url))}` },
    });
    world.program('agent', AGENT);
    const faults = spoil(world, draw);
    const processes: Record<'bot' | 'consumer', Running> = { bot: await world.bot(), consumer: await world.consumer() };
    const asked: { messageIds: number[]; lastUpdate: number }[] = [];
    const weights: Record<'bot' | 'consumer', Weight[]> = { bot: [], consumer: [] };
    let kills = 0;
    try {
      while (asked.length < REQUESTS) {
        for (let count = 0; count < BATCH; count += 1) {
          const text =
            draw() < FAULT_RATE ? '/blog fail, please' : `/blog say something, for the ${asked.length}th time`;
          const { message_id: id } = world.telegram.say({ text });
          asked.push({ messageIds: [id], lastUpdate: world.telegram.updatesWaiting.at(-1)?.update_id ?? 0 });
        }
        const isMeasured = asked.length > SETTLING && asked.length <= REQUESTS - SETTLING;
        if (!isMeasured && asked.length % 100 === 0) {
          const name = kills % 2 === 0 ? 'consumer' : 'bot';
          await processes[name].kill();
          processes[name] = await world[name]();
          kills += 1;
        }
        await fewerThan(world, OUTSTANDING);
        closeOpenOnes(world);
        if (isMeasured && asked.length % 100 === 0) {
          await untilQuiet(world);
          for (const name of ['bot', 'consumer'] as const) weights[name].push(await weigh(processes[name], scales));
        }
      }
      await fewerThan(world, 1);
      const faultsFound = faultsOf({
        home: world.home,
        calls: world.telegram.calls.filter(({ method }) => /^send(?!ChatAction)/iu.test(method)),
        runs: readFileSync(world.path('runs.log'), 'utf8').trim().split('\n'),
        asked: asked.map(({ messageIds, lastUpdate }) => ({
          messageIds,
          isConfirmed: lastUpdate < (world.telegram.confirmedOffset ?? 0),
        })),
        isAtRest: true,
      });
      const seconds = (performance.now() - begun) / 1000;
      const figures = { bot: compared(weights.bot), consumer: compared(weights.consumer) };
      hand({
        part: 'soak',
        cases: REQUESTS,
        faults: faultsFound,
        notRun: 0,
        seconds,
        details: {
          ...figures,
          kills,
          spoilt: faults(),
          states: statesIn(world),
          'ms a request': Math.round((seconds * 1000) / REQUESTS),
        },
      });
      expect(faultsFound.slice(0, 20)).toEqual([]);
      for (const { first, last } of Object.values(figures)) {
        expect(last.heapUsed, 'heap').toBeLessThanOrEqual(first.heapUsed * 1.1 + 2 * 2 ** 20);
        expect(last.rss, 'resident').toBeLessThanOrEqual(first.rss * 1.15 + 8 * 2 ** 20);
        expect(last.descriptors, 'descriptors').toBeLessThanOrEqual(first.descriptors + 2);
      }
    } finally {
      await close();
    }
  },
  3 * 3_600_000,
);

/** One call in a hundred goes wrong, in one of the ways in which a network and Telegram do. */
function spoil(world: World, draw: () => number): () => number {
  const ways: FaultAction[] = [
    { reset: 'before' },
    { reset: 'after' },
    { cut: 'after' },
    { status: 502, body: '<html>Bad Gateway</html>', accept: false },
    { status: 504, body: '<html>Gateway Time-out</html>', accept: true },
    { refuse: { code: 429, description: 'Too Many Requests: retry after 1', parameters: { retry_after: 1 } } },
  ];
  const handles = ways.map((way) =>
    world.telegram.fault(
      { method: '*', when: () => draw() < FAULT_RATE / ways.length, times: Number.POSITIVE_INFINITY },
      way,
    ),
  );
  return () => handles.reduce((sum, { hits }) => sum + hits, 0);
}

/** Waits until no more than so many requests are neither over nor with a person. */
async function fewerThan(world: World, count: number): Promise<void> {
  const isFew = (): true | undefined => {
    if (world.telegram.updatesWaiting.length >= count) return undefined;
    const open = world.names('spool', 'pending').filter((name) => !isWithPerson(world, name));
    return open.length + world.names('spool', 'decisions').length < count ? true : undefined;
  };
  await world.eventually(isFew, 'what was asked is over', PATIENCE_MS, () => world.names('spool', 'pending').join(' '));
}

/** What is under way holds sockets: nothing is weighed before all is over and each call is answered, but the long poll. */
async function untilQuiet(world: World): Promise<void> {
  await fewerThan(world, 1);
  await world.telegram.waitFor(
    ({ calls }) => calls.slice(-1_000).every(({ method, outcome }) => outcome !== 'open' || method === 'getUpdates'),
    PATIENCE_MS,
  );
}

function isWithPerson(world: World, name: string): boolean {
  const receipt = receiptOf(world, name);
  return receipt?.attention != null && (receipt.notice?.state === 'sent' || receipt.notice?.state === 'unknown');
}

function receiptOf(world: World, name: string): Receipt | null {
  return existsSync(world.path('state', name)) ? world.json<Receipt>('state', name) : null;
}

/** The person closes what needs one, so that it does not pile up. */
function closeOpenOnes(world: World): void {
  const inbox = new OrderInbox(homeFolders(world.home));
  for (const name of world.names('spool', 'pending')) {
    const receipt = receiptOf(world, name);
    if (receipt === null || !isWithPerson(world, name)) continue;
    inbox.put({
      version: 1,
      id: `xclose-${receipt.id}-${receipt.history.length}`,
      verb: 'dismiss',
      requestId: receipt.id,
      run: receipt.run,
      historyLength: receipt.history.length,
      by: { name: 'Owner' },
      at: new Date().toISOString(),
    });
  }
}

async function weigh({ pid, child }: Running, scales: string): Promise<Weight> {
  const path = `${scales}.${pid}`;
  const lines = (): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
  const before = lines().length;
  child.kill('SIGUSR2');
  for (;;) {
    const now = lines();
    if (now.length > before) return JSON.parse(now.at(-1) ?? '') as Weight;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Medians of the first fifth and of the last: one weighing says nothing. */
function compared(weights: readonly Weight[]): { first: Weight; last: Weight } {
  const fifth = Math.max(1, Math.floor(weights.length / 5));
  return { first: medians(weights.slice(0, fifth)), last: medians(weights.slice(-fifth)) };
}

function medians(weights: readonly Weight[]): Weight {
  const middle = (key: keyof Weight): number => {
    const sorted = weights.map((weight) => weight[key]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return {
    heapUsed: middle('heapUsed'),
    rss: middle('rss'),
    external: middle('external'),
    descriptors: middle('descriptors'),
  };
}

function statesIn(world: World): Record<string, number> {
  const states: Record<string, number> = {};
  for (const name of readdirSync(world.path('state')).filter((one) => /^\d+\.json$/u.test(one))) {
    const state = receiptOf(world, name)?.state ?? 'none';
    states[state] = (states[state] ?? 0) + 1;
  }
  return states;
}
