/** Wrong bridges, each by one piece that was changed on purpose: what the rules must see. */
import type { Around, Stores } from './bridge.ts';

type Mutate = Around['mutate'];

export interface Mutant {
  /** The rule that it breaks. */
  breaks: string;
  mutate: Mutate;
}

/** The piece with some of its methods replaced. */
function changed<T extends object>(piece: T, changes: Partial<T>): T {
  return new Proxy(piece, {
    get(target, name) {
      const value: unknown = name in changes ? changes[name as keyof T] : target[name as keyof T];
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

export const MUTANTS: Record<string, Mutant> = {
  'a consumer that runs again what its dead predecessor ran': {
    breaks: 'one request, at most one agent run, and one more for each rerun that a person ordered',
    mutate: (stores) => {
      const { receipts, requests } = stores;
      const left = new Set(requests.pendingIds().filter((id) => stateOf(stores, id) === 'submitted'));
      return {
        ...stores,
        receipts: changed(receipts, {
          read: (id) => (left.has(id) ? { kind: 'none' } : receipts.read(id)),
          create: (receipt) => {
            if (!left.delete(receipt.id)) return receipts.create(receipt);
            receipts.replace(receipt);
            return 'created';
          },
        }),
      };
    },
  },
  'a consumer that tells again what its dead predecessor may have told': {
    breaks: 'a person is told at most once of each end, and exactly once unless nobody can know',
    mutate: (stores) => {
      const { receipts, requests } = stores;
      const left = new Set(requests.pendingIds());
      return {
        ...stores,
        receipts: changed(receipts, {
          read: (id) => {
            const stored = receipts.read(id);
            if (stored.kind !== 'receipt' || stored.receipt.notice === null || !left.has(id)) return stored;
            return {
              kind: 'receipt',
              receipt: { ...stored.receipt, notice: { ...stored.receipt.notice, state: 'waiting' } },
            };
          },
          replace: (receipt) => {
            left.delete(receipt.id);
            receipts.replace(receipt);
          },
        }),
      };
    },
  },
  'a bot that makes a second request of a message that comes again': {
    breaks: 'one message, one request: whatever is delivered again, in whatever order, after whatever crash',
    mutate: (stores) => ({
      ...stores,
      requests: changed(stores.requests, {
        place: (request, draft) => {
          if (stores.requests.place(request, draft) === 'created') return 'created';
          const id = String(request.messageId + 100_000);
          return stores.requests.place({ ...request, id, messageId: Number(id), conversation: id });
        },
      }),
    }),
  },
  'a bot that confirms what it did not store': {
    breaks: 'Telegram is told that a message is dealt with only after it is on disk',
    mutate: (stores) => ({ ...stores, requests: changed(stores.requests, { place: () => 'created' }) }),
  },
  'a sender that takes a lost answer for no arrival': {
    breaks: 'each part of a reply arrives at most once, and once more for each resend that a person ordered',
    mutate: (stores) => ({
      ...stores,
      sender: changed(stores.sender, {
        sendText: async (...args) => {
          const outcome = await stores.sender.sendText(...args);
          return outcome.kind === 'unknown' ? { kind: 'not-arrived', reason: 'timeout', retryAfterMs: null } : outcome;
        },
      }),
    }),
  },
  'a sender that takes a refusal for an acceptance': {
    breaks:
      'a receipt never says more than happened: no part is `sent` that Telegram did not accept, unless a person said so',
    mutate: (stores) => ({
      ...stores,
      sender: changed(stores.sender, {
        sendText: async (...args) => {
          const outcome = await stores.sender.sendText(...args);
          return outcome.kind === 'refused' ? { kind: 'accepted', messageIds: [999_999] } : outcome;
        },
      }),
    }),
  },
  'an agent that begins before its claim': {
    breaks: 'an agent is let go only once its claim is on disk, and never twice for one claim',
    mutate: (stores) => ({
      ...stores,
      agent: changed(stores.agent, {
        hold: async (spec) => {
          const held = await stores.agent.hold(spec);
          if (held.kind !== 'held') return held;
          held.run.letGo();
          return { kind: 'held', run: { ...held.run, letGo: () => undefined } };
        },
      }),
    }),
  },
  'a consumer that ends in silence': {
    breaks: 'every request ends: in a final state or visibly with a person, who has been told',
    mutate: (stores) => ({
      ...stores,
      receipts: changed(stores.receipts, {
        replace: (receipt) => stores.receipts.replace({ ...receipt, notice: null }),
      }),
    }),
  },
  'a consumer that carries out an order on a receipt that the person did not see': {
    breaks: 'an order has at most one effect, on the receipt that the person saw',
    mutate: (stores) => ({
      ...stores,
      receipts: changed(stores.receipts, {
        read: (id) => {
          const stored = stores.receipts.read(id);
          const last = stored.kind === 'receipt' ? stored.receipt.history.at(-1) : undefined;
          if (stored.kind !== 'receipt' || last === undefined || stored.receipt.attention === null) return stored;
          // It takes the receipt for one that is a step older than it is.
          return { kind: 'receipt', receipt: { ...stored.receipt, history: [...stored.receipt.history, last] } };
        },
      }),
    }),
  },
};

function stateOf({ receipts }: Stores, id: string): string | null {
  const stored = receipts.read(id);
  return stored.kind === 'receipt' ? stored.receipt.state : null;
}
