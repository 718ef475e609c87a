/**
 * The story that every part of the proof tells: a photo with an order, whose answer is two texts and a picture; an album;
 * a request whose agent fails, and which a person lets run again; a follow-up. A process may die or be late anywhere in it:
 * each step of the person waits for what it needs, and `atRest` for the end of everything.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { type World, type WorldOptions, openClosableWorld } from '../test/harness/bridge.ts';
import { png } from '../test/stand-in/bot-client.ts';
import type { Receipt } from '../src/core/receipt.ts';
import { type Witnessed, faultsOf } from './history-checker.ts';
import { MARKING_AGENT, runsIn } from './marking-agent.ts';

export interface Stage {
  world: World;
  /** What persons said that must be a request, each with the update that ends it. */
  asked: { messageIds: number[]; lastUpdate: number }[];
  close: () => Promise<void>;
}

/** A home whose agent is the marking one. */
export async function openStage(options: WorldOptions = {}): Promise<Stage> {
  const { world, close } = await openClosableWorld({
    ...options,
    agent: { kind: 'command', command: ['./agent'], cwd: '.' },
    config: { gatherSeconds: 0.2, ...options.config },
  });
  world.program('agent', MARKING_AGENT);
  writeFileSync(world.path('picture.png'), png(8, 8));
  return { world, close, asked: [] };
}

/** The person's side, told whole; rejects where what it waits for does not come in time. */
export async function tell(stage: Stage, patienceMs = 60_000): Promise<void> {
  const { world } = stage;
  const { telegram } = world;
  const photo = say(stage, { photo: png(6, 6), caption: '/blog long, about the sea' });
  const fails = say(stage, { text: '/blog fail at first' });
  sayAlbum(stage, ['/blog trip', 'sea']);
  const notice = await noticeOf(world, fails, patienceMs);
  const again = notice?.buttons.flat().find(({ callback_data: data = '' }) => data.startsWith('order:rerun:'));
  if (notice !== undefined && again !== undefined) telegram.press(notice.id, again.callback_data ?? '');
  await over(world, photo, patienceMs);
  // A part of its answer, or, where none arrived, the person's own message: both belong to the request. Other words of the
  // bot, such as that a full disk makes it wait, do not.
  const answer = telegram.botMessages.find(({ text, replyTo }) => replyTo === photo && text.includes(`${photo}-run`));
  say(stage, { text: 'and what of the wind?', replyTo: answer?.id ?? photo });
}

/** When every request has come to its end, or to a person, and all orders are taken up. */
export async function atRest({ world, asked }: Stage, patienceMs = 60_000): Promise<void> {
  const isOver = (): true | undefined => {
    if (world.telegram.updatesWaiting.length > 0 || world.names('spool', 'decisions').length > 0) return undefined;
    for (const { messageIds } of asked) {
      const receipt = world.receipt(Math.min(...messageIds));
      if (receipt === null || !isQuiet(receipt)) return undefined;
      if ((receipt.attention === null) === world.names('spool', 'pending').includes(`${receipt.id}.json`))
        return undefined;
    }
    return world.names('spool', 'parts').length === 0 ? true : undefined;
  };
  await world.eventually(isOver, 'rest', patienceMs, () => dump(world));
}

export function witnessed({ world, asked }: Stage, isAtRest: boolean): Witnessed {
  const confirmed = world.telegram.confirmedOffset ?? 0;
  return {
    home: world.home,
    calls: world.telegram.calls,
    runs: runsIn(world.home),
    asked: asked.map(({ messageIds, lastUpdate }) => ({ messageIds, isConfirmed: lastUpdate < confirmed })),
    isAtRest,
  };
}

export function faultsAtRest(stage: Stage): string[] {
  return faultsOf(witnessed(stage, true));
}

/** Final, or waiting for a person who has been told as far as one can know. */
export function isQuiet({ state, attention, notice }: Receipt): boolean {
  const isTold = notice === null || notice.state === 'sent' || notice.state === 'unknown';
  return isTold && (attention !== null || state === 'sent' || state === 'failed' || state === 'rejected');
}

type Saying = Exclude<Parameters<World['telegram']['say']>[0], string>;

function say(stage: Stage, saying: Saying): number {
  const { telegram } = stage.world;
  const { message_id: id } = telegram.say(saying);
  stage.asked.push({ messageIds: [id], lastUpdate: telegram.updatesWaiting.at(-1)?.update_id ?? 0 });
  return id;
}

function sayAlbum(stage: Stage, captions: readonly string[]): void {
  const { telegram } = stage.world;
  const messageIds = captions.map(
    (caption) => telegram.say({ photo: png(4, 4), caption, mediaGroupId: '77' }).message_id,
  );
  stage.asked.push({ messageIds, lastUpdate: telegram.updatesWaiting.at(-1)?.update_id ?? 0 });
}

async function over(world: World, id: number, patienceMs: number): Promise<Receipt> {
  return world.receiptWhen(id, isQuiet, patienceMs);
}

/** The notice of its failure, or of its interruption; undefined where it was doubtful and never came. */
async function noticeOf(world: World, id: number, patienceMs: number) {
  const receipt = await over(world, id, patienceMs);
  return world.telegram.botMessages.find((message) => message.id === receipt.notice?.messageId);
}

function dump(world: World): string {
  const ids = world.names('spool', 'requests').map((name) => name.replace('.json', ''));
  const receipts = ids.map((id) => {
    const receipt = existsSync(world.path('state', `${id}.json`)) ? world.receipt(id) : null;
    return `${id}: ${receipt?.state} ${receipt?.attention} notice ${receipt?.notice?.state}`;
  });
  return `waiting updates ${world.telegram.updatesWaiting.length}; ${receipts.join('; ')}; pending ${world.names('spool', 'pending').join(' ')}`;
}
