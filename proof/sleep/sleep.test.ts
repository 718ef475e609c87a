/** Either process stopped in each state for longer than every time limit, a competitor started meanwhile, and then let go on. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import { Running, type World } from '../../test/harness/bridge.ts';
import type { KillAt } from '../../test/harness/consumer-desk.ts';
import { png } from '../../test/stand-in/bot-client.ts';
import { inParallel, isFull } from '../budget.ts';
import { deliveriesOf } from '../history-checker.ts';
import { runsIn } from '../marking-agent.ts';
import { type Stage, atRest, faultsAtRest, openStage } from '../scenario.ts';
import { hand } from '../tally.ts';

const SPEED = 20;
/** By the processes' clocks a little over 15 minutes: longer than each of their limits. */
const STOPPED_MS = 46_000;
/** What a run may take: less than that, and more than it takes on a slow machine. */
const RUN_SECONDS = 600;
const CLOCK = fileURLToPath(new URL('../fast-clock.mjs', import.meta.url));
const KILL_AT = fileURLToPath(new URL('../../test/harness/kill-at.mjs', import.meta.url));

interface Moment {
  name: string;
  who: 'bot' | 'consumer';
  /** What the person says; a text by default, nothing where it is null. */
  says?: 'text' | 'photo' | 'album' | null;
  /** The file call at which it is stopped. */
  at?: Omit<KillAt, 'signal'>;
  /** Where it is stopped from outside: resolves when that is to be. */
  when?: (world: World) => Promise<unknown>;
  before?: (world: World) => void;
  /** Right before it goes on. */
  meanwhile?: (world: World) => Promise<unknown> | void;
  /** Whether the agent is stopped with it, as when the machine sleeps. */
  withAgent?: boolean;
  ends?: (string | null)[];
}

const receiptFile = '/state/41\\.json$';
const SENT = ['sent'];

const MOMENTS: Moment[] = [
  { name: 'waiting', who: 'consumer', says: null, when: () => pause(200) },
  {
    name: 'fetching',
    who: 'consumer',
    says: 'photo',
    before: ({ telegram }) => void telegram.fault({ method: 'download', times: 1 }, { stall: 'before' }),
    when: ({ telegram }) => telegram.waitFor(({ calls }) => calls.some(({ method }) => method === 'download'), 30_000),
  },
  { name: 'held, before the claim', who: 'consumer', at: { when: 'before', call: 'linkSync', to: receiptFile } },
  { name: 'submitted', who: 'consumer', at: { when: 'after', call: 'linkSync', to: receiptFile } },
  { name: 'running, and the agent ends meanwhile', who: 'consumer', when: running },
  { name: 'running, and the agent sleeps too', who: 'consumer', when: running, withAgent: true },
  {
    name: 'sending, before the request leaves',
    who: 'consumer',
    at: { when: 'after', call: 'renameSync', to: receiptFile, holding: '"state": "sending"' },
  },
  {
    name: 'sending, answered meanwhile',
    who: 'consumer',
    before: ({ telegram }) => void telegram.fault({ method: 'sendMessage', times: 1 }, { delayMs: 500 }),
    when: sending,
    ends: ['sent', 'unknown-delivery'],
  },
  {
    name: 'sending, the answer lost',
    who: 'consumer',
    before: ({ telegram }) => void telegram.fault({ method: 'sendMessage', times: 1 }, { stall: 'after' }),
    when: sending,
    ends: ['unknown-delivery'],
  },
  {
    name: 'waiting for the network, to send',
    who: 'consumer',
    when: async (world) => {
      await running(world);
      await world.telegram.goOffline();
      await world.receiptWhen(41, ({ state }) => state === 'sending', 60_000);
      await pause(300);
    },
    meanwhile: ({ telegram }) => telegram.goOnline(),
  },
  {
    name: 'sent',
    who: 'consumer',
    at: { when: 'after', call: 'renameSync', to: receiptFile, holding: '^\\{[^[]*"state": "sent"' },
  },
  { name: 'settling', who: 'consumer', at: { when: 'before', call: 'rmSync', to: '/pending/41\\.json$' } },
  { name: 'polling', who: 'bot', says: null, when: ({ telegram }) => telegram.waitFor(({ isPolled }) => isPolled) },
  { name: 'before the link', who: 'bot', at: { when: 'before', call: 'linkSync', to: '/requests/41\\.json$' } },
  {
    name: 'between link and pending name',
    who: 'bot',
    at: { when: 'after', call: 'linkSync', to: '/requests/41\\.json$' },
  },
  {
    name: 'between pending name and confirmation',
    who: 'bot',
    at: { when: 'after', call: 'renameSync', to: '/pending/41\\.json$' },
  },
  {
    name: 'with half an album',
    who: 'bot',
    says: 'album',
    at: { when: 'after', call: 'linkSync', to: '/parts/41\\.json$' },
  },
];

function running(world: World): Promise<unknown> {
  return world.eventually(() => (runsIn(world.home).length > 0 ? true : undefined), 'the run', 60_000);
}

function sending({ telegram }: World): Promise<unknown> {
  return telegram.waitFor(({ calls }) => calls.some(({ method }) => method === 'sendMessage'), 60_000);
}

function say(stage: Stage, kind: Moment['says'] = 'text'): void {
  const { telegram } = stage.world;
  // Slow: so that it can be stopped in the middle of its run.
  const text = '/blog slow, please';
  const sayings =
    kind === 'album'
      ? [
          { photo: png(4, 4), caption: text, mediaGroupId: '7' },
          { photo: png(5, 5), mediaGroupId: '7' },
        ]
      : kind === 'photo'
        ? [{ photo: png(6, 6), caption: text }]
        : [{ text }];
  const messageIds = sayings.map((saying) => telegram.say(saying).message_id);
  stage.asked.push({ messageIds, lastUpdate: telegram.updatesWaiting.at(-1)?.update_id ?? 0 });
}

function start(world: World, who: Moment['who'], at?: Moment['at']): Running {
  const extra =
    at === undefined
      ? {}
      : {
          NODE_OPTIONS: `--import=${CLOCK} --import=${KILL_AT}`,
          KILL_AT: JSON.stringify({ ...at, signal: 'SIGSTOP' }),
        };
  const started = new Running([who, '--home', world.home], { ...world.env, ...extra });
  world.started.push(started);
  return started;
}

function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}

async function tryMoment(moment: Moment): Promise<{ faults: string[]; end: string }> {
  const { who, at, when, withAgent = false } = moment;
  const agent = { kind: 'command', command: ['./agent'], cwd: '.', timeoutSeconds: RUN_SECONDS };
  const env = { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_SPEED: String(SPEED) };
  const stage = await openStage({ env, config: { agent } });
  const { world } = stage;
  const faults: string[] = [];
  try {
    moment.before?.(world);
    const stopped = start(world, who, at);
    const other = start(world, who === 'bot' ? 'consumer' : 'bot');
    await Promise.all([stopped, other].map((one) => one.printed(/"event":"(?:bot|consumer) ready"/u, 60_000)));
    if (moment.says !== null) say(stage, moment.says);
    if (when !== undefined) {
      await when(world);
      stopped.child.kill('SIGSTOP');
    }
    await world.eventually(() => (isStopped(stopped.pid) ? true : undefined), `${who} stopped`, 60_000);
    const group = withAgent ? (world.receipt(41)?.agent?.pid ?? 0) : 0;
    if (group > 0) process.kill(-group, 'SIGSTOP');
    if (moment.says === null) say(stage);

    const began = performance.now();
    const competitor = start(world, who);
    const exit = await competitor.exited;
    if (exit.code !== 75) faults.push(`the competitor ended with ${exit.code ?? exit.signal}`);
    if (!new RegExp(`process ${stopped.pid} since \\d{4}-`, 'u').test(competitor.stderr))
      faults.push(`the competitor does not name the holder: ${competitor.stderr}`);
    await pause(Math.max(0, STOPPED_MS - (performance.now() - began)));
    await moment.meanwhile?.(world);
    if (group > 0) process.kill(-group, 'SIGCONT');
    stopped.child.kill('SIGCONT');

    await atRest(stage, 120_000);
    faults.push(...faultsAtRest(stage));
    const receipt = world.receipt(41) as Receipt;
    const end = receipt.attention ?? `${receipt.state}${receipt.error === null ? '' : ` ${receipt.error.code}`}`;
    if (!(moment.ends ?? SENT).includes(end)) faults.push(`it ended as ${end}`);
    if (runsIn(world.home).length !== 1) faults.push(`${runsIn(world.home).length} runs`);
    const deliveries = deliveriesOf(world.telegram.calls).length;
    if (deliveries > 1 || (end === 'sent' && deliveries === 0)) faults.push(`${deliveries} deliveries, ${end}`);
    for (const { file } of receipt.attachments ?? [])
      if (file === null || !existsSync(world.path('state/files/41', file))) faults.push('an attachment is missing');
    for (const one of [stopped, other])
      if ((await one.kill('SIGTERM')).code !== 0) faults.push(`a process ended by itself: ${one.stderr.slice(-300)}`);
    return { faults: faults.map((fault) => `${who} ${moment.name}: ${fault}`), end };
  } catch (error) {
    return { faults: [`${who} ${moment.name}: ${String(error)}`], end: 'unknown' };
  } finally {
    await stage.close();
  }
}

test.runIf(isFull)(
  'whoever is stopped in any state for longer than every limit is not robbed, and ends it rightly',
  async () => {
    const began = performance.now();
    const faults: string[] = [];
    const ends: Record<string, string> = {};
    await inParallel(MOMENTS, 4, async (moment) => {
      const result = await tryMoment(moment);
      faults.push(...result.faults);
      ends[`${moment.who} ${moment.name}`] = result.end;
    });
    hand({
      part: 'sleep',
      cases: MOMENTS.length,
      faults,
      notRun: 0,
      seconds: (performance.now() - began) / 1000,
      details: { stoppedMs: STOPPED_MS * SPEED, ends },
    });
    expect(faults).toEqual([]);
  },
  3_600_000,
);
