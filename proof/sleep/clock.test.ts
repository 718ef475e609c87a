/** The time of day set forth and back by a day, under running processes and between them: nothing is decided by it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Running, World } from '../../test/harness/bridge.ts';
import { png } from '../../test/stand-in/bot-client.ts';
import { chance, isFull } from '../budget.ts';
import { type Stage, atRest, faultsAtRest, openStage, tell } from '../scenario.ts';
import { hand } from '../tally.ts';

/** Debian's package `faketime`. */
const LIBRARY = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find(existsSync);
const CLOCK = fileURLToPath(new URL('../fast-clock.mjs', import.meta.url));
const SPEED = 60;
const OFFSETS = ['+1d', '-1d', '+0'];
const TURNS = 4;
/** A machine that has much to do starts a process in its own time. */
const PATIENCE_MS = 120_000;

let folder: string;
let times: string;
const faults: string[] = [];
let cases = 0;
let seconds = 0;
const details: Record<string, unknown> = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clock-proof-'));
  times = join(folder, 'time');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  const notRun = LIBRARY === undefined ? 1 : 0;
  if (isFull) hand({ part: 'clock', cases, faults, notRun, seconds, details });
});

/** What the time of day is off by, for each process that was started with this environment. */
function set(offset: string): void {
  writeFileSync(times, `${offset}\n`);
}

async function ready(world: World, who: 'bot' | 'consumer'): Promise<Running> {
  const running = world.run(who);
  await running.logged(`${who} ready`, {}, PATIENCE_MS);
  return running;
}

function both(world: World): Promise<Running[]> {
  return Promise.all([ready(world, 'bot'), ready(world, 'consumer')]);
}

/** The library leaves these behind for each process that is killed. */
function sweep({ started }: World): void {
  for (const { pid } of started)
    for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
      rmSync(join('/dev/shm', name), { force: true });
}

function environment(speed = 1): NodeJS.ProcessEnv {
  set('+0');
  return {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: times,
    FAKETIME_NO_CACHE: '1',
    // What the kernel counts since the boot is no time of day, and nobody sets it.
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
    ...(speed === 1 ? {} : { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_SPEED: String(speed) }),
  };
}

const describeCase = (name: string, work: (stage: Stage) => Promise<string[]>, speed = 1): void => {
  test.runIf(isFull && LIBRARY !== undefined)(
    name,
    async () => {
      const began = performance.now();
      const stage = await openStage({ env: environment(speed) });
      let found: string[];
      try {
        found = [...(await work(stage)), ...faultsAtRest(stage)];
      } finally {
        await stage.close();
        sweep(stage.world);
      }
      cases += 1;
      seconds += (performance.now() - began) / 1000;
      faults.push(...found);
      expect(found).toEqual([]);
    },
    600_000,
  );
};

test.runIf(isFull && LIBRARY !== undefined)('the processes of this proof do see another time of day', async () => {
  const { home, run, close } = await openStage({ env: environment() }).then(({ world, close: end }) => ({
    home: world.path('state', 'bot.json'),
    run: () => ready(world, 'bot'),
    close: end,
  }));
  try {
    set('+1d');
    await run();
    const { since } = JSON.parse(readFileSync(home, 'utf8')) as { since: string };
    expect(Date.parse(since) - Date.now()).toBeGreaterThan(80_000_000);
  } finally {
    await close();
  }
});

for (let turn = 0; turn < TURNS; turn += 1) {
  describeCase(`the story, its time set at every step (${turn + 1})`, async (stage) => {
    const { world } = stage;
    const draw = chance(`clock ${turn}`);
    await both(world);
    const over = new AbortController();
    const setting = (async () => {
      for (let step = turn; !over.signal.aborted; step += 1) {
        set(OFFSETS[step % OFFSETS.length] ?? '+0');
        await pause(100 + draw() * 700, undefined, { signal: over.signal }).catch(() => undefined);
      }
    })();
    await tell(stage, PATIENCE_MS);
    await atRest(stage, PATIENCE_MS);
    over.abort();
    await setting;
    return [];
  });

  describeCase(`the story, its time set between restarts (${turn + 1})`, async (stage) => {
    const { world } = stage;
    const draw = chance(`restarts ${turn}`);
    let processes: Running[] = [];
    const restart = async (): Promise<void> => {
      set(OFFSETS[Math.floor(draw() * OFFSETS.length)] ?? '+0');
      const signal = draw() < 0.5 ? 'SIGKILL' : 'SIGTERM';
      await Promise.all(processes.map((one) => one.kill(signal)));
      processes = await both(world);
    };
    await restart();
    const over = new AbortController();
    const restarting = (async () => {
      for (let turns = 0; turns < 4 && !over.signal.aborted; turns += 1) {
        await pause(500 + draw() * 1_500);
        await restart();
      }
    })();
    const telling = tell(stage, PATIENCE_MS).finally(() => over.abort());
    await Promise.all([telling, restarting]);
    await atRest(stage, PATIENCE_MS);
    return [];
  });
}

for (const offset of ['+1d', '-1d']) {
  describeCase(
    `a reply that cannot be sent is tried for 15 waking minutes, whatever the time of day does (${offset})`,
    async (stage) => {
      const { world } = stage;
      const consumer = await ready(world, 'consumer');
      const bot = await ready(world, 'bot');
      const { message_id: id } = world.telegram.say('/blog slow');
      stage.asked.push({ messageIds: [id], lastUpdate: world.telegram.updatesWaiting.at(-1)?.update_id ?? 0 });
      await world.receiptWhen(id, ({ state }) => state === 'submitted', 60_000);
      await world.telegram.goOffline();
      await world.receiptWhen(id, ({ state }) => state === 'sending', 60_000);
      const began = performance.now();
      const back = new AbortController();
      const stepping = (async () => {
        while (!back.signal.aborted) {
          set(Math.floor(performance.now() / 700) % 2 === 0 ? offset : '+0');
          await pause(350);
        }
      })();
      const failed = await world.receiptWhen(id, ({ state }) => state === 'failed', 180_000);
      const minutes = ((performance.now() - began) * SPEED) / 60_000;
      details[`minutes until failed, ${offset}`] = Number(minutes.toFixed(1));
      back.abort();
      await stepping;
      await world.telegram.goOnline();
      await atRest(stage, PATIENCE_MS);
      return [
        ...(minutes < 14 ? [`given up after ${minutes} min`] : []),
        ...(failed.error?.code === 'send-not-arrived' ? [] : [`failed with ${failed.error?.code}`]),
        ...[bot, consumer].filter(({ child }) => child.exitCode !== null).map(() => 'a process ended'),
      ];
    },
    SPEED,
  );

  describeCase(`an album gathered over a step of the time is one request (${offset})`, async (stage) => {
    const { world } = stage;
    const config = JSON.parse(readFileSync(world.path('config.json'), 'utf8')) as object;
    writeFileSync(world.path('config.json'), JSON.stringify({ ...config, gatherSeconds: 3 }));
    await both(world);
    const said = (photo: Buffer, caption?: string): number =>
      world.telegram.say({ photo, mediaGroupId: '5', ...(caption === undefined ? {} : { caption }) }).message_id;
    const first = said(png(4, 4), '/blog trip');
    await world.eventually(() => (world.names('spool', 'parts').length > 0 ? true : undefined), 'the first part');
    const sealedAfter = performance.now();
    set(offset);
    await pause(1_000);
    const isEarly = world.names('spool', 'requests').length > 0;
    const second = said(png(5, 5));
    stage.asked.push({
      messageIds: [first, second],
      lastUpdate: world.telegram.updatesWaiting.at(-1)?.update_id ?? 0,
    });
    await world.eventually(
      () => (world.names('spool', 'requests').length > 0 ? true : undefined),
      'the request',
      60_000,
    );
    details[`gathered in ms, ${offset}`] = Math.round(performance.now() - sealedAfter);
    await atRest(stage, PATIENCE_MS);
    return isEarly ? ['sealed at the step'] : [];
  });

  describeCase(`a lock of another day is held by the living and free after the dead (${offset})`, async (stage) => {
    const { world } = stage;
    const owner = await ready(world, 'consumer');
    set(offset);
    const second = world.run('consumer');
    const found: string[] = [];
    if ((await second.exited).code !== 75 || !second.stderr.includes(`process ${owner.pid} since`))
      found.push(`the second ended with ${second.child.exitCode}: ${second.stderr}`);
    await owner.kill();
    await ready(world, 'consumer');
    set('+0');
    const third = world.run('consumer');
    if ((await third.exited).code !== 75) found.push(`the third ended with ${third.child.exitCode}`);
    await ready(world, 'bot');
    const { message_id: id } = world.telegram.say('/blog fail');
    stage.asked.push({ messageIds: [id], lastUpdate: world.telegram.updatesWaiting.at(-1)?.update_id ?? 0 });
    await atRest(stage, PATIENCE_MS);
    set(offset);
    await pause(3_000);
    return found;
  });
}
