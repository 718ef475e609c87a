/**
 * What blog-bridge promises, as rules over a whole history. Read the names: they are the specification. Each function names
 * every breach that it finds, and is written from contract and state tables alone; it knows nothing of how `src/` works.
 */
import type { Receipt } from '../../src/core/receipt.ts';
import type { ReceiptVersion, Rest, Story } from './story.ts';

type Rule = (story: Story, rest: Rest) => string[];

export const RULES: Record<string, Rule> = {
  'Telegram is told that a message is dealt with only after it is on disk': (story) =>
    story.confirmedTooEarly.map((id) => `message ${id} was confirmed with nothing on disk`),

  'one message, one request: whatever is delivered again, in whatever order, after whatever crash': (story) =>
    story.said.flatMap(({ is, messageIds }) => {
      const holders = requestsWith(story, messageIds);
      const name = `${is} ${messageIds.join('+')}`;
      if (is === 'talk') return story.requests.has(String(messageIds[0])) ? [`${name} became a request`] : [];
      const twice = messageIds.filter((id) => requestsWith(story, [id]).length > 1);
      if (twice.length > 0) return [`${twice.join(', ')} of ${name} is in more than one request`];
      if (is !== 'perhaps' && holders.length > 1)
        return [`${name} became ${holders.length} requests: ${holders.join(', ')}`];
      const isOwed = is === 'order' || is === 'group';
      return isOwed && holders.length === 0 ? [`${name} became no request`] : [];
    }),

  'an album or a long paste that came together is one request with every part, in message order': (story) =>
    story.said.flatMap(({ is, messageIds }) => {
      if (is !== 'group') return [];
      const [request] = story.requests.get(String(Math.min(...messageIds))) ?? [];
      // What a person wrote right behind a long paste may belong to it.
      const own = request?.messageIds.filter((id) => messageIds.includes(id)) ?? [];
      return isSame(
        own,
        [...messageIds].sort((a, b) => a - b),
      )
        ? []
        : [`${messageIds.join('+')} became ${own.join('+')}`];
    }),

  'a reply goes on with the conversation of the message that it answers': (story) =>
    story.said.flatMap(({ is, messageIds, conversation }) => {
      const [request] = story.requests.get(String(messageIds[0])) ?? [];
      if (is !== 'order' || conversation === null || request === undefined) return [];
      return request.conversation === conversation ? [] : [`${request.id} went on with ${request.conversation}`];
    }),

  'a request is written once and never changed': (story) =>
    [...story.requests].flatMap(([id, versions]) => (versions.length > 1 ? [`request ${id} was written again`] : [])),

  'nothing is deleted': (story, rest) => [
    ...missing(story.requests.keys(), rest.requestIds, 'request'),
    ...missing(story.receipts.keys(), rest.receiptIds, 'receipt'),
  ],

  'an agent is let go only once its claim is on disk, and never twice for one claim': (story) => [
    ...story.runs.flatMap(({ requestId, run, receipt }) =>
      receipt?.state === 'submitted' && receipt.run === run && receipt.attention === null
        ? []
        : [`run ${run} of ${requestId} began at "${receipt?.state ?? 'no receipt'}", run ${receipt?.run}`],
    ),
    ...repeated(story.runs.map(({ requestId, run }) => `run ${run} of ${requestId}`)),
  ],

  'one request, at most one agent run, and one more for each rerun that a person ordered': (story) =>
    [...story.requests.keys()].flatMap((id) => {
      const runs = story.runs.filter(({ requestId }) => requestId === id).length;
      const allowed = 1 + ordersCarriedOut(story, id, 'rerun');
      return runs > allowed ? [`${id} ran ${runs} times, ${allowed} were ordered`] : [];
    }),

  'a part is sent only from a receipt that already says so': (story) =>
    story.sends.flatMap(({ what, marks, receipt, requestId }) => {
      if (what !== 'part') return [];
      const isSaid =
        receipt?.state === 'sending' && receipt.attention === null && marks.every((mark) => says(receipt, mark));
      return isSaid ? [] : [`${marks.join(' ')} of ${requestId} left at "${receipt?.state ?? 'no receipt'}"`];
    }),

  'each part of a reply arrives at most once, and once more for each resend that a person ordered': (story) =>
    [...new Set(story.sends.flatMap(({ marks }) => marks))].flatMap((mark) => {
      const arrivals = story.sends.filter(({ arrived, marks }) => arrived && marks.includes(mark)).length;
      const allowed = 1 + ordersCarriedOut(story, mark.split('-')[1] ?? '', 'resend');
      return arrivals > allowed ? [`${mark} arrived ${arrivals} times, ${allowed} were ordered`] : [];
    }),

  'a receipt never says more than happened: no part is `sent` that Telegram did not accept, unless a person said so': (
    story,
  ) =>
    allReceipts(story).flatMap((receipt) =>
      (receipt.reply?.parts ?? []).flatMap(({ state, messageIds }, index) => {
        const isReal = messageIds.every((id) =>
          story.sends.some((send) => send.arrived && send.messageIds.includes(id)),
        );
        const isByWord = messageIds.length === 0 && receipt.history.some(({ order }) => order?.verb === 'arrived');
        return state !== 'sent' || (messageIds.length > 0 && isReal) || isByWord
          ? []
          : [`part ${index} of ${receipt.id}`];
      }),
    ),

  'a receipt never says less than happened: what failed for certain has not arrived': (story) =>
    [...story.receipts.keys()].flatMap((id) => {
      const receipt = latest(story, id);
      if (receipt === null) return [];
      const isCertain = receipt.error?.code === 'send-refused' || receipt.error?.code === 'send-not-arrived';
      if (!isCertain || receipt.history.some(({ order }) => order?.verb === 'resend')) return [];
      const failed = (receipt.reply?.parts ?? [])
        .filter(({ state }) => state === 'failed')
        .map((part) => JSON.stringify(part));
      return story.sends
        .filter(({ arrived, marks }) => arrived && marks.some((mark) => failed.some((part) => part.includes(mark))))
        .map(({ marks }) => `${marks.join(' ')} arrived, and ${receipt.id} says failed`);
    }),

  'receipts move only as the state table says, and their history only grows': (story) =>
    [...story.receipts].flatMap(([id, versions]) =>
      versions.flatMap((next, index) => {
        const wrong = next === 'damaged' ? null : wrongStep(versions[index - 1] ?? null, next);
        return wrong === null ? [] : [`${id}, version ${index}: ${wrong}`];
      }),
    ),

  'an order has at most one effect, on the receipt that the person saw': (story) =>
    story.orders.flatMap((order) => {
      const effects = effectsOf(story, order.id);
      if (effects.length > 1) return [`${order.id} had ${effects.length} effects`];
      const [effect] = effects;
      if (effect === undefined || order.run === null) return [];
      const seen = effect.before;
      const isSeen = order.run === (seen?.run ?? 0) && order.historyLength === (seen?.history.length ?? 0);
      return isSeen ? [] : [`${order.id} (${order.verb}) was carried out on a receipt that had moved on`];
    }),

  'an order is carried out where the state table has it, and refused where it has not': (story) =>
    story.orders.flatMap((order) =>
      effectsOf(story, order.id).flatMap(({ before }) =>
        mayOrder(order.verb, before) ? [] : [`${order.verb} ${order.id} at "${before?.state}", ${before?.attention}`],
      ),
    ),

  'every order has its outcome, and the outcome is true': (story, rest) => [
    ...rest.openOrders.map((id) => `${id} is still open`),
    ...story.orders.flatMap(({ id, requestId, verb }) => {
      const outcome = rest.outcomes.get(id);
      if (outcome == null) return [`${verb} ${id} has no outcome`];
      const hasEffect = effectsOf(story, id).length > 0;
      // Of a receipt that a hand has damaged nobody can tell any more what was done to it.
      if (requestId === null || story.damaged.has(requestId)) return [];
      return hasEffect === (outcome.result === 'applied') ? [] : [`${verb} ${id} is said to be ${outcome.result}`];
    }),
  ],

  'a person is told at most once of each end, and exactly once unless nobody can know': (story) =>
    [...story.receipts].flatMap(([id, versions]) =>
      endsOf(versions).flatMap(({ from, to, last }) => {
        const notices = story.sends.filter(
          ({ what, requestId, version }) => what === 'notice' && requestId === id && version > from && version <= to,
        );
        const arrived = notices.filter((notice) => notice.arrived).length;
        if (arrived > 1) return [`${arrived} notices of ${id}, version ${from}`];
        return last.notice?.state === 'sent' && arrived === 0 ? [`the notice of ${id} is said to be sent`] : [];
      }),
    ),

  'every request ends: in a final state or visibly with a person, who has been told': (story, rest) =>
    [...story.requests.keys()].flatMap((id) => {
      if (story.fromTheFuture.has(id)) return [];
      const receipt = latest(story, id);
      if (receipt === null) return [`${id} has no receipt`];
      const isFinal = receipt.state === 'sent' || receipt.state === 'failed' || receipt.state === 'rejected';
      if (!isFinal && receipt.attention === null) return [`${id} stays "${receipt.state}"`];
      if (receipt.notice !== null && receipt.notice.state !== 'sent' && receipt.notice.state !== 'unknown')
        return [`nobody was told of ${id}`];
      if (receipt.attention !== null && receipt.notice === null) return [`${id} needs a person without a notice`];
      const isPending = rest.pendingIds.includes(id);
      return isPending === (receipt.attention !== null) ? [] : [`${id} is ${isPending ? '' : 'not '}pending`];
    }),

  'a notice is doubtful only after a death or an answer that got lost': (story) =>
    allReceipts(story).flatMap(({ id, notice }) => {
      const isExplained = story.deaths > 0 || story.sends.some(({ told }) => told === 'unknown');
      return notice?.state === 'unknown' && !isExplained ? [`${id} gave up its notice`] : [];
    }),

  'no part of a group stays behind': (story, rest) =>
    rest.partIds.filter((id) => !story.damaged.has(id)).map((id) => `part ${id} is still there`),

  'no process ends by itself': (story) => story.surprises,
};

/** Every breach of every rule, each with the rule's name. */
export function breachesOf(story: Story, rest: Rest): string[] {
  return Object.entries(RULES).flatMap(([name, rule]) => rule(story, rest).map((breach) => `${name}: ${breach}`));
}

/** The state table of `state/README.md`: where a receipt may go from each state, and by whose word. */
const STEPS: Record<Receipt['state'] | 'none', Partial<Record<Receipt['state'], readonly string[]>>> = {
  none: { submitted: ['itself'], failed: ['itself', 'cancel'], rejected: ['itself'] },
  submitted: { sending: ['itself'], failed: ['itself', 'cancel', 'dismiss'], sent: ['arrived'], submitted: ['rerun'] },
  sending: {
    sent: ['itself', 'arrived'],
    failed: ['itself', 'dismiss'],
    sending: ['resend', 'arrived'],
    submitted: ['rerun'],
  },
  sent: {},
  failed: { submitted: ['rerun'], sending: ['resend'], failed: ['dismiss'] },
  rejected: {},
};

/** Null where `next` may follow. */
function wrongStep(before: ReceiptVersion | null, next: Receipt): string | null {
  if (before === 'damaged')
    return next.history.at(-1)?.code === 'damaged-receipt' ? null : `${next.state} in the place of a damaged receipt`;
  const former = before?.history ?? [];
  const added = next.history.slice(former.length);
  if (!isSame(next.history.slice(0, former.length), former)) return 'its history was changed';
  if (added.length > 1) return `${added.length} steps at once`;
  if (next.history.at(-1)?.state !== next.state) return `"${next.state}" is not what its history says`;
  const [entry] = added;
  if (entry === undefined) return before === null ? 'no history' : withinState(before, next);
  const by = entry.order?.verb ?? 'itself';
  const from = before?.state ?? 'none';
  if (STEPS[from][next.state]?.includes(by) !== true) return `${from} → ${next.state} by ${by}`;
  const isRun = next.state === 'submitted';
  const runs = next.run - (before?.run ?? 0);
  return runs === (isRun ? 1 : 0) ? null : `run ${before?.run ?? 0} → ${next.run} in ${from} → ${next.state}`;
}

/** A receipt that stays in its state: what needs a person is marked once, parts and notices only go forward. */
function withinState(before: Receipt, next: Receipt): string | null {
  if (before.attention !== null && next.attention !== before.attention)
    return `attention ${before.attention} went by itself`;
  const order = ['waiting', 'sending', 'sent'];
  const parts = before.reply?.parts ?? [];
  const backwards = parts.findIndex(
    ({ state }, index) => order.indexOf(next.reply?.parts[index]?.state ?? '') < order.indexOf(state),
  );
  if (backwards >= 0) return `part ${backwards} went back`;
  const over = before.notice?.state === 'sent' || before.notice?.state === 'unknown';
  return over && !isSame(before.notice, next.notice) ? 'a notice that was out went back' : null;
}

/** Contract §6. */
function mayOrder(verb: string, receipt: Receipt | null): boolean {
  if (verb === 'cancel') return receipt === null || receipt.state === 'submitted';
  if (receipt === null) return false;
  const isDoubtful = receipt.attention === 'unknown-delivery';
  if (verb === 'rerun') return receipt.state === 'failed' || receipt.attention !== null;
  if (verb === 'resend') return isDoubtful || (receipt.state === 'failed' && receipt.error?.stage === 'send');
  if (verb === 'arrived') return isDoubtful || receipt.attention === 'interrupted-run';
  return verb === 'dismiss' && receipt.attention !== null;
}

function requestsWith(story: Story, messageIds: readonly number[]): string[] {
  return [...story.requests]
    .filter(([, [request]]) => request?.messageIds.some((id) => messageIds.includes(id)) === true)
    .map(([id]) => id);
}

function readable(versions: readonly ReceiptVersion[]): Receipt[] {
  return versions.filter((version) => version !== 'damaged');
}

function allReceipts(story: Story): Receipt[] {
  return [...story.receipts.values()].flatMap(readable);
}

function latest(story: Story, id: string): Receipt | null {
  const version = story.receipts.get(id)?.at(-1);
  return version === undefined || version === 'damaged' ? null : version;
}

/** How many orders of this kind ever led to a step of the request's receipt. */
function ordersCarriedOut(story: Story, id: string, verb: string): number {
  const entries = readable(story.receipts.get(id) ?? []).flatMap(({ history }) => history);
  return new Set(entries.flatMap(({ order }) => (order?.verb === verb ? [order.id] : []))).size;
}

/** Each step that an order led to, with the receipt as it was before. */
function effectsOf(story: Story, orderId: string): { before: Receipt | null }[] {
  return [...story.receipts.values()].flatMap((versions) =>
    versions.flatMap((next, index) => {
      const before = versions[index - 1] ?? null;
      if (next === 'damaged' || before === 'damaged') return [];
      const added = next.history.slice(before?.history.length ?? 0);
      return added.some(({ order }) => order?.id === orderId) ? [{ before }] : [];
    }),
  );
}

/** Stretches of versions in which one and the same end was to be told, and the last receipt of each. */
function endsOf(versions: readonly ReceiptVersion[]): { from: number; to: number; last: Receipt }[] {
  const ends: { from: number; to: number; last: Receipt }[] = [];
  versions.forEach((version, index) => {
    const before = versions[index - 1];
    if (version === 'damaged' || version.notice === null) return;
    const end = ends.at(-1);
    const goesOn =
      before !== undefined &&
      before !== 'damaged' &&
      before.notice !== null &&
      before.notice.for === version.notice.for &&
      before.history.length === version.history.length;
    if (goesOn && end !== undefined) Object.assign(end, { to: index + 1, last: version });
    else ends.push({ from: index, to: index + 1, last: version });
  });
  return ends;
}

function says(receipt: Receipt, mark: string): boolean {
  return (receipt.reply?.parts ?? []).some((part) => part.state === 'sending' && JSON.stringify(part).includes(mark));
}

function missing(owed: Iterable<string>, found: readonly string[], what: string): string[] {
  return [...owed].filter((id) => !found.includes(id)).map((id) => `${what} ${id} is gone`);
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} began twice`);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
