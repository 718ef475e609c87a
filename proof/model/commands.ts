/** What can happen, in any order: what persons do, what Telegram does, and what goes wrong. */
import * as fc from 'fast-check';
import { ordersFor } from '../../src/core/order.ts';
import { ORDER_VERBS } from '../../src/core/receipt.ts';
import { CHAT_ID, BOT_ID, FATES, type Fate } from './chat.ts';
import { OWNER } from './bridge.ts';
import { PLANS, type Plan } from './scripted-agent.ts';
import { rawDisk } from './simulated-disk.ts';
import type { DiskFault, ProcessName } from './simulated-process.ts';
import type { Said } from './story.ts';
import type { World } from './world.ts';

/** One command; `fields` is shown with a counterexample. */
class Command implements fc.AsyncCommand<object, World> {
  readonly #name: string;
  readonly #fields: object;
  readonly #act: (world: World) => void | Promise<void>;

  constructor(name: string, fields: object, act: (world: World) => void | Promise<void>) {
    this.#name = name;
    this.#fields = fields;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, world: World): Promise<void> {
    await this.#act(world);
  }

  toString(): string {
    return `${this.#name}(${Object.values(this.#fields)
      .map((value) => JSON.stringify(value))
      .join(', ')})`;
  }
}

function command<Fields extends object>(
  name: string,
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
  act: (world: World, fields: Fields) => void | Promise<void>,
): fc.Arbitrary<Command> {
  return fc.record(fields).map((given) => new Command(name, given, (world) => act(world, given)));
}

const which = fc.nat(30);
const process = fc.constantFrom<ProcessName>('bot', 'consumer');
const plan = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Plan>('answer') },
  { weight: 6, arbitrary: fc.constantFrom(...PLANS) },
);

const VERBS = ORDER_VERBS.filter((verb) => verb !== 'permit' && verb !== 'deny');

const PEOPLE = [
  command<{ plan: Plan }>('says /blog', { plan }, (world, fields) =>
    say(world, 'order', { text: `/blog plan ${fields.plan}` }),
  ),
  command<{ text: string }>(
    'says something else',
    { text: fc.constantFrom('hello', '/help', '/status', '/blog', '/blogger x', '/blog@other x') },
    (world, { text }) => say(world, 'talk', { text }),
  ),
  command('forwards a /blog', {}, (world) => say(world, 'talk', { text: '/blog x', forward_origin: { type: 'user' } })),
  command('a stranger says /blog', {}, (world) =>
    say(world, 'talk', { text: '/blog x', from: { id: 5, is_bot: false, first_name: 'S' } }),
  ),
  command<{ sizes: number[]; caption: number; cut: number | null; order: number }>(
    'sends an album',
    {
      sizes: fc.array(fc.constant(1), { minLength: 2, maxLength: 4 }),
      caption: fc.nat(3),
      cut: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 }),
      order: fc.nat(5),
    },
    sendAlbum,
  ),
  command<{ pieces: number; tail: boolean }>(
    'pastes a long text',
    { pieces: fc.integer({ min: 1, max: 3 }), tail: fc.boolean() },
    paste,
  ),
  command<{ which: number; plan: Plan }>('replies', { which, plan }, reply),
  command<{ which: number }>('edits', { which }, (world, { which: index }) => {
    const said = pick(world.story.said, index);
    if (said !== undefined)
      world.chat.push({ edited_message: message(world, said.messageIds[0] ?? 0, { text: '/blog edited' }) });
  }),
  command<{ which: number; button: number; times: number }>(
    'presses a button',
    { which, button: fc.nat(4), times: fc.integer({ min: 1, max: 2 }) },
    press,
  ),
  command<{ which: number | null }>('says /cancel', { which: fc.option(which) }, (world, { which: index }) => {
    const said = index === null ? undefined : pick(world.story.said, index);
    say(world, 'talk', {
      text: '/cancel',
      ...(said === undefined ? {} : { reply_to_message: target(world, said.messageIds[0] ?? 0) }),
    });
  }),
  command<{ verb: (typeof VERBS)[number]; which: number; stale: boolean }>(
    'orders by command line',
    { verb: fc.constantFrom(...VERBS), which, stale: fc.boolean() },
    (world, { verb, which: index, stale }) => {
      const id = pick([...world.story.requests.keys()], index);
      if (id !== undefined) world.order(verb, id, stale);
    },
  ),
];

const TELEGRAM = [
  command('the bot polls', {}, (world) => world.poll()),
  command<{ which: number }>('Telegram delivers again', { which }, (world, fields) =>
    world.chat.deliverAgain(fields.which),
  ),
  command<{ fates: Fate[] }>(
    'the line will',
    { fates: fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 }) },
    (world, { fates }) => {
      world.fates = [...fates];
    },
  ),
  command<{ which: number }>('Telegram delivers in another order', { which }, (world, fields) => {
    const first = world.chat.waiting.splice(fields.which % Math.max(1, world.chat.waiting.length), 1);
    world.chat.waiting.push(...first);
    for (const said of world.story.said) {
      const isTorn = first.some(({ message: moved }) => said.messageIds.includes(moved?.message_id ?? 0));
      if (said.is === 'group' && isTorn)
        said.is = first[0]?.message?.media_group_id === undefined ? 'perhaps' : 'torn-group';
    }
  }),
];

const MACHINE = [
  command<{ ms: number }>('time passes', { ms: fc.constantFrom(50, 500, 3_000, 15_000, 90_000) }, (world, { ms }) =>
    world.pass(ms),
  ),
  command<{ process: ProcessName }>('starts', { process }, (world, fields) => world.start(fields.process)),
  command<{ process: ProcessName }>('is killed', { process }, (world, fields) => world.kill(fields.process)),
  command<{ process: ProcessName }>('is stopped', { process }, (world, fields) => world.stop(fields.process)),
  command<{ process: ProcessName; steps: number }>(
    'will be killed after steps',
    { process, steps: fc.nat(60) },
    (world, fields) => world.killAfter(fields.process, fields.steps),
  ),
  command<{ process: ProcessName; fault: DiskFault }>(
    'its disk will fail',
    {
      process,
      fault: fc.record({
        after: fc.nat(20),
        times: fc.integer({ min: 1, max: 4 }),
        code: fc.constantFrom('EIO', 'ENOSPC', 'EMFILE', 'EACCES'),
      }),
    },
    (world, fields) => world.diskFails(fields.process, fields.fault),
  ),
  command<{ which: number; what: 'receipt' | 'request' | 'future' | 'link'; content: string }>(
    'a hand damages',
    {
      which,
      what: fc.constantFrom('receipt', 'request', 'future', 'link'),
      content: fc.constantFrom('', '{"version":1', '[]', '\u0000', '{"version":1,"id":"41"}'),
    },
    damage,
  ),
];

/** What makes most happen, and so comes most often. */
const GOES_ON = command<{ ms: number }>(
  'all goes on',
  { ms: fc.constantFrom(500, 5_000, 5_000, 70_000) },
  async (world, { ms }) => {
    world.start('bot');
    world.start('consumer');
    await world.poll();
    await world.pass(ms);
  },
);
/** Somebody decides about a request that needs it, by an order that may be carried out. */
const DECIDES = command<{ which: number; order: number }>('decides', { which, order: fc.nat(3) }, (world, fields) => {
  const open = [...world.story.requests.keys()].flatMap((id) => world.receiptOf(id).receipt ?? []);
  const receipt = pick(
    open.filter(({ state, attention }) => attention !== null || state === 'failed'),
    fields.which,
  );
  const verb = receipt === undefined ? undefined : pick(ordersFor(receipt), fields.order);
  if (receipt !== undefined && verb !== undefined) world.order(verb, receipt.id, false);
});
const FATES_TO_COME = TELEGRAM[2] ?? GOES_ON;

/** Any history; it begins with both processes at work. */
export function histories(maxCommands: number): fc.Arbitrary<Iterable<fc.AsyncCommand<object, World>>> {
  const says = PEOPLE[0] ?? GOES_ON;
  const often = [
    says,
    says,
    DECIDES,
    DECIDES,
    DECIDES,
    DECIDES,
    GOES_ON,
    GOES_ON,
    GOES_ON,
    GOES_ON,
    GOES_ON,
    FATES_TO_COME,
  ];
  return fc.commands([...often, ...often, ...PEOPLE, ...TELEGRAM, ...MACHINE], { maxCommands, size: 'max' });
}

function pick<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length];
}

export function message(world: World, messageId: number, fields: object): Record<string, unknown> {
  return {
    message_id: messageId,
    date: world.time.seconds(),
    chat: { id: CHAT_ID, type: 'private', first_name: 'Owner' },
    from: { id: OWNER, is_bot: false, first_name: 'Owner', language_code: 'en' },
    ...fields,
  };
}

/** The message that is answered, as Telegram shows it in a reply. */
export function target(world: World, messageId: number): object {
  const isBots = world.chat.sends.some(({ messageIds }) => messageIds.includes(messageId));
  return message(world, messageId, {
    text: 'before',
    ...(isBots ? { from: { id: BOT_ID, is_bot: true, first_name: 'Bot' } } : {}),
  });
}

export function say(world: World, is: Said['is'], fields: object, conversation: string | null = null): void {
  const id = world.chat.nextMessageId();
  world.story.said.push({ messageIds: [id], is, conversation });
  world.chat.push({ message: message(world, id, fields) });
}

/** @param cut after how many parts the rest comes later, and in another poll */
async function sendAlbum(
  world: World,
  { sizes, caption, cut, order }: { sizes: number[]; caption: number; cut: number | null; order: number },
): Promise<void> {
  const group = `g${world.chat.nextMessageId()}`;
  const ids = sizes.map(() => world.chat.nextMessageId());
  const updates = ids.map((id, index) => ({
    message: message(world, id, {
      media_group_id: group,
      photo: [{ file_id: `f${id}`, file_unique_id: `u${id}`, width: 1, height: 1, file_size: 10 }],
      ...(index === caption % ids.length ? { caption: '/blog plan answer' } : {}),
    }),
  }));
  const shuffled = updates.map((_, index) => updates[(index + order) % updates.length]);
  const isTorn = cut !== null && cut < ids.length;
  world.story.said.push({ messageIds: ids, is: isTorn ? 'torn-group' : 'group', conversation: null });
  for (const [index, update] of shuffled.entries()) {
    if (index === cut) {
      await world.poll();
      await world.pass(1_000);
    }
    world.chat.push(update as Record<string, unknown>);
  }
}

function paste(world: World, { pieces, tail }: { pieces: number; tail: boolean }): void {
  const texts = Array.from(
    { length: pieces },
    (_, index) => `${index === 0 ? '/blog plan answer ' : ''}${'paste '.repeat(680)}`,
  );
  if (tail) texts.push('the end of the paste');
  const ids = texts.map(() => world.chat.nextMessageId());
  world.story.said.push({ messageIds: ids, is: 'group', conversation: null });
  for (const [index, text] of texts.entries())
    world.chat.push({ message: message(world, ids[index] as number, { text }) });
}

function reply(world: World, { which: index, plan: wanted }: { which: number; plan: Plan }): void {
  const ids = [
    ...world.story.said.flatMap(({ messageIds }) => messageIds),
    ...world.chat.arrived.flatMap(({ messageIds }) => messageIds),
  ];
  const id = pick(ids, index);
  if (id === undefined) return;
  const known = conversationOf(world, id);
  say(
    world,
    known === null ? 'perhaps' : 'order',
    { text: `plan ${wanted}`, reply_to_message: target(world, id) },
    known,
  );
}

/** The conversation that the message belongs to, as far as the disk shows it by now. */
function conversationOf(world: World, messageId: number): string | null {
  if (world.story.damaged.size > 0) return null;
  const [request] = world.story.requests.get(String(messageId)) ?? [];
  if (request !== undefined) return request.conversation;
  try {
    const link: unknown = JSON.parse(rawDisk.readFileSync(`${world.folders.links}/${messageId}.json`, 'utf8'));
    return (link as { conversation: string }).conversation;
  } catch {
    return null;
  }
}

function press(world: World, { which: index, button, times }: { which: number; button: number; times: number }): void {
  const notice = pick(
    world.chat.arrived.filter(({ buttons }) => buttons.length > 0),
    index,
  );
  const data = notice === undefined ? undefined : pick(notice.buttons, button);
  if (notice === undefined || data === undefined) return;
  for (let count = 0; count < times; count += 1) {
    world.chat.push({
      callback_query: {
        id: `${world.chat.nextMessageId()}`,
        from: { id: OWNER, is_bot: false, first_name: 'Owner' },
        message: message(world, notice.messageIds[0] ?? 0, {}),
        chat_instance: '1',
        data,
      },
    });
  }
}

function damage(
  world: World,
  { which: index, what, content }: { which: number; what: 'receipt' | 'request' | 'future' | 'link'; content: string },
): void {
  const { folders, story } = world;
  const id = pick(what === 'request' ? [...story.requests.keys()] : [...story.receipts.keys()], index);
  if (id === undefined) return;
  const folder = { receipt: folders.state, future: folders.state, request: folders.requests, link: folders.links }[
    what
  ];
  const name = what === 'link' ? pick(rawDisk.readdirSync(folders.links), index) : `${id}.json`;
  if (name === undefined) return;
  const isDone = world.damage(folder, name, what === 'future' ? `{"version":2,"id":"${id}"}` : content);
  if (!isDone) return;
  // A reply that was not taken yet may find nothing any more that tells whose it is (contract §4).
  for (const said of story.said) {
    const isTaken = said.messageIds.some((messageId) => story.requests.has(String(messageId)));
    if (said.is === 'order' && said.conversation !== null && !isTaken) said.is = 'perhaps';
  }
  story.damaged.add(id);
  if (what === 'future') story.fromTheFuture.add(id);
}
