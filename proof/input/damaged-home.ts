/**
 * A home in which a little of everything lies, and what bot and consumer do when one of its files, or an update, holds what
 * nobody expects: they live on, take what is said next to its end, and touch nothing outside of the home.
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { homeFolders } from '../../src/platform/home-folders.ts';
import { message, say, target } from '../model/commands.ts';
import { onTouched } from '../model/simulated-disk.ts';
import { isIn } from '../model/simulated-time.ts';
import { World } from '../model/world.ts';
import { type Mutation, mutatedText, writeMutated } from './mutation.ts';

const SECOND = 1_000;

export interface Template {
  root: string;
  /** Its JSON files, by their paths in it. */
  files: string[];
  /** Updates as Telegram sends them. */
  updates: Record<string, unknown>[];
}

/** Requests in each state, an open order, a sealed album and one that is still open. */
export async function makeTemplate(): Promise<Template> {
  const world = new World();
  const goOn = async (ms: number): Promise<void> => {
    world.start('bot');
    world.start('consumer');
    await world.poll();
    await world.pass(ms);
  };
  say(world, 'order', { text: '/blog plan file' });
  await goOn(5 * SECOND);
  say(world, 'order', { text: 'plan long', reply_to_message: target(world, 41) });
  await goOn(5 * SECOND);
  world.order('rerun', '41', true);
  say(world, 'order', { text: '/blog plan fail' });
  await goOn(5 * SECOND);
  for (const part of album(world, 'a1')) world.chat.push(part);
  await goOn(2 * SECOND);
  await goOn(5 * SECOND);
  world.fates = ['unknown-lost'];
  say(world, 'order', { text: '/blog plan answer' });
  await goOn(5 * SECOND);
  say(world, 'order', { text: '/blog plan hang' });
  await goOn(1 * SECOND);
  world.kill('consumer');
  say(world, 'order', { text: '/blog plan answer' });
  await world.poll();
  say(world, 'order', { text: `/blog plan answer ${'paste '.repeat(690)}` });
  for (const part of album(world, 'a2')) world.chat.push(part);
  await world.poll();
  world.kill('bot');
  const [failed] = [...world.story.receipts].flatMap(([id, versions]) => {
    const last = versions.at(-1);
    return last !== undefined && last !== 'damaged' && last.state === 'failed' ? [id] : [];
  });
  if (failed !== undefined) world.order('rerun', failed, false);
  const root = mkdtempSync(join(tmpdir(), 'bridge-template-'));
  cpSync(world.folders.root, root, { recursive: true });
  const updates = [...world.chat.confirmed, ...world.chat.waiting].map((update) => ({ ...update }));
  updates.push({ update_id: 9_001, callback_query: press(world, 'order:rerun:43:1:2') } as never);
  updates.push({ update_id: 9_002, edited_message: message(world, 41, { text: '/blog x' }) } as never);
  world.close();
  const files = jsonFilesIn(root);
  return { root, files, updates };
}

export function removeTemplate({ root }: Template): void {
  rmSync(root, { recursive: true, force: true });
}

/** What went wrong with this file changed so; empty where nothing did. */
export async function faultsOfFile(
  template: Template,
  file: string,
  mutations: readonly Mutation[],
): Promise<string[]> {
  const valid: unknown = JSON.parse(readFileSync(join(template.root, file), 'utf8'));
  return faultsIn(template, (world) => {
    rmSync(join(world.folders.root, file));
    writeMutated(join(world.folders.root, file), valid, mutations);
    // What was said before comes again, is answered, and ordered about.
    const id = Number(/(\d+)/u.exec(basename(file))?.[1] ?? 41);
    for (const update of template.updates) world.chat.push(update);
    for (const replied of [41, id])
      say(world, 'perhaps', { text: 'plan answer', reply_to_message: target(world, replied) });
    say(world, 'perhaps', { text: '/cancel', reply_to_message: target(world, id) });
    world.order('rerun', String(id), false);
    world.order('resend', String(id), false);
  });
}

export async function faultsOfUpdate(
  template: Template,
  update: Record<string, unknown>,
  mutations: readonly Mutation[],
): Promise<string[]> {
  const text = mutatedText(update, mutations);
  // What is no JSON at all is no update.
  if (!isJson(text)) return [];
  return faultsIn(template, (world) => {
    const mutated: unknown = JSON.parse(text);
    world.chat.waiting.push(mutated as never);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function faultsIn(template: Template, prepare: (world: World) => void): Promise<string[]> {
  const world = new World(undefined, template.root);
  const faults: string[] = [];
  const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  const unwatch = onTouched((path, toucher) => {
    // A case that was given up for its time may still be under way, in a time of its own.
    if (!isIn(toucher, world.time)) return;
    if (!`${resolve(path)}/`.startsWith(`${world.folders.root}/`)) faults.push(`touched ${path.slice(0, 200)}`);
  });
  const cpu = process.cpuUsage();
  try {
    world.chat.goOnFrom(20_000);
    prepare(world);
    say(world, 'order', { text: '/blog plan answer, said last' });
    const last = world.story.said.at(-1)?.messageIds[0] ?? 0;
    world.start('bot');
    world.start('consumer');
    for (let round = 0; round < 12; round += 1) {
      await world.poll();
      await world.pass(12 * SECOND);
      if (world.receiptOf(String(last)).receipt?.state === 'sent') break;
    }
    const end = world.receiptOf(String(last)).receipt?.state;
    if (end !== 'sent') faults.push(`what was said last is "${end ?? 'without a receipt'}"`);
    if (world.chat.waiting.length > 0) faults.push(`${world.chat.waiting.length} updates stay with Telegram`);
    faults.push(...world.story.surprises.map((words) => words.slice(0, 600)));
  } finally {
    unwatch();
    world.close();
  }
  const { user, system } = process.cpuUsage(cpu);
  if (user + system > 20_000_000) faults.push(`took ${Math.round((user + system) / 1e6)} s of processor time`);
  if (prototype !== JSON.stringify(Object.getOwnPropertyNames(Object.prototype)))
    faults.push('Object.prototype was changed');
  if ('polluted' in {}) faults.push('every object is polluted');
  return [...new Set(faults)];
}

function album(world: World, group: string): Record<string, unknown>[] {
  return [0, 1].map((index) => {
    const id = world.chat.nextMessageId();
    return {
      message: message(world, id, {
        media_group_id: group,
        photo: [{ file_id: `f${id}`, file_unique_id: `u${id}`, width: 1, height: 1, file_size: 10 }],
        ...(index === 0 ? { caption: '/blog plan answer' } : {}),
      }),
    };
  });
}

function press(world: World, data: string): object {
  return {
    id: '777',
    from: { id: 7001, is_bot: false, first_name: 'Owner' },
    message: message(world, 43, {}),
    chat_instance: '1',
    data,
  };
}

function jsonFilesIn(root: string): string[] {
  const { spool, state } = homeFolders(root);
  return [spool, state]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name).slice(root.length + 1),
      ),
    )
    .filter((name) => name.endsWith('.json') && !name.includes('/tmp/'))
    .sort();
}
