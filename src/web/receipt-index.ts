/**
 * What is known of every request, in columns of numbers: some 40 bytes each, so that a hundred thousand are nothing. It holds
 * no files: what a page shows is read from disk.
 */
import { TextArena, searchForm } from './text-arena.ts';

/** `unknown`: its name was seen, its files were not read yet. */
export const ROW_STATES = [
  'unknown',
  'waiting',
  'submitted',
  'sending',
  'sent',
  'failed',
  'rejected',
  'unreadable',
] as const;
export type RowState = (typeof ROW_STATES)[number];

export const STATE_FILTERS = ['all', 'open', 'attention', 'sent', 'failed'] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

export interface Row {
  id: number;
  conversation: number;
  state: RowState;
  needsPerson: boolean;
  /** Instant of acceptance, in ms; NaN where nothing tells it. */
  acceptedMs: number;
  /** How long the agent worked at last, in ms; NaN where it did not come to an end. */
  agentMs: number;
  /** What a search looks at. */
  text: string;
}

/** All of a row but its text. */
export type RowFacts = Omit<Row, 'text'>;

const FIRST_CAPACITY = 1024;
const MAX_TEXT_BYTES = 720;
const TEXT_BUDGET_BYTES = 64 * 1024 * 1024;

export class ReceiptIndex {
  readonly #slots = new Map<number, number>();
  readonly #texts: TextArena;
  #columns = columnsFor(FIRST_CAPACITY);
  #read = 0;
  /** Slots by id, the highest first; null after a new id. */
  #order: Uint32Array | null = null;

  constructor(textBudgetBytes = TEXT_BUDGET_BYTES) {
    this.#texts = new TextArena(textBudgetBytes);
  }

  /** How many requests there are, and of how many the files were read. */
  get progress(): { read: number; total: number } {
    return { read: this.#read, total: this.#slots.size };
  }

  has(id: number): boolean {
    return this.#slots.has(id);
  }

  /** Notes that a request of this id exists. */
  addName(id: number): boolean {
    if (this.#slots.has(id)) return false;
    const slot = this.#slots.size;
    if (slot === this.#columns.id.length) this.#columns = grown(this.#columns);
    this.#slots.set(id, slot);
    this.#columns.id[slot] = id;
    this.#order = null;
    return true;
  }

  set(row: Row): void {
    this.addName(row.id);
    const slot = this.#slots.get(row.id) as number;
    const columns = this.#columns;
    if (columns.state[slot] === 0 && row.state !== 'unknown') this.#read += 1;
    columns.state[slot] = ROW_STATES.indexOf(row.state);
    columns.conversation[slot] = row.conversation;
    columns.needsPerson[slot] = row.needsPerson ? 1 : 0;
    columns.acceptedMs[slot] = row.acceptedMs;
    columns.agentMs[slot] = row.agentMs;
    const bytes = Buffer.from(searchForm(row.text)).subarray(0, MAX_TEXT_BYTES);
    const former = { offset: columns.textOffset[slot] ?? 0, length: columns.textLength[slot] ?? 0 };
    const place = this.#texts.put(bytes, former);
    columns.textOffset[slot] = place?.offset ?? 0;
    columns.textLength[slot] = place?.length ?? 0;
  }

  /** Ids from the highest down, no file of which was read yet. */
  *unreadIds(): Generator<number> {
    for (const slot of this.#sorted()) if (this.#columns.state[slot] === 0) yield this.#columns.id[slot] as number;
  }

  /** The `count` ids after the first `skip` that match, the newest first; and how many match at all. */
  find(query: string, filter: StateFilter, skip: number, count: number): { ids: number[]; total: number } {
    const words = searchForm(query).split(/\s+/u).filter(Boolean);
    const needles = words.map((word) => Buffer.from(word));
    const ids: number[] = [];
    let total = 0;
    for (const slot of this.#sorted()) {
      if (!this.#passes(slot, filter)) continue;
      const id = this.#columns.id[slot] as number;
      if (needles.length > 0 && !(words.length === 1 && words[0] === String(id)) && !this.#holds(slot, needles))
        continue;
      total += 1;
      if (total > skip && ids.length < count) ids.push(id);
    }
    return { ids, total };
  }

  /** The requests of one conversation, the first one first. */
  idsOfConversation(conversation: number): number[] {
    const ids: number[] = [];
    for (let slot = 0; slot < this.#slots.size; slot += 1) {
      if (this.#columns.conversation[slot] === conversation) ids.push(this.#columns.id[slot] as number);
    }
    return ids.sort((a, b) => a - b);
  }

  /** Every request whose files were read, in no order. */
  *facts(): Generator<RowFacts> {
    const columns = this.#columns;
    for (let slot = 0; slot < this.#slots.size; slot += 1) {
      const state = ROW_STATES[columns.state[slot] ?? 0] ?? 'unknown';
      if (state === 'unknown') continue;
      yield {
        id: columns.id[slot] as number,
        conversation: columns.conversation[slot] as number,
        state,
        needsPerson: columns.needsPerson[slot] === 1,
        acceptedMs: columns.acceptedMs[slot] as number,
        agentMs: columns.agentMs[slot] as number,
      };
    }
  }

  #passes(slot: number, filter: StateFilter): boolean {
    if (filter === 'all') return true;
    const needsPerson = this.#columns.needsPerson[slot] === 1;
    if (filter === 'attention') return needsPerson;
    const state = ROW_STATES[this.#columns.state[slot] ?? 0];
    if (filter === 'sent') return state === 'sent';
    if (filter === 'failed') return state === 'failed' || state === 'rejected';
    return !needsPerson && (state === 'waiting' || state === 'submitted' || state === 'sending');
  }

  #holds(slot: number, needles: readonly Buffer[]): boolean {
    const offset = this.#columns.textOffset[slot] ?? 0;
    const length = this.#columns.textLength[slot] ?? 0;
    return length > 0 && needles.every((needle) => this.#texts.has(needle, offset, length));
  }

  #sorted(): Uint32Array {
    const { id } = this.#columns;
    this.#order ??= Uint32Array.from({ length: this.#slots.size }, (_, slot) => slot).sort(
      (a, b) => (id[b] as number) - (id[a] as number),
    );
    return this.#order;
  }
}

type Columns = ReturnType<typeof columnsFor>;

function columnsFor(capacity: number) {
  return {
    id: new Float64Array(capacity),
    conversation: new Float64Array(capacity),
    acceptedMs: new Float64Array(capacity),
    agentMs: new Float32Array(capacity),
    textOffset: new Uint32Array(capacity),
    textLength: new Uint16Array(capacity),
    state: new Uint8Array(capacity),
    needsPerson: new Uint8Array(capacity),
  };
}

function grown(columns: Columns): Columns {
  const larger = columnsFor(columns.id.length * 2);
  larger.id.set(columns.id);
  larger.conversation.set(columns.conversation);
  larger.acceptedMs.set(columns.acceptedMs);
  larger.agentMs.set(columns.agentMs);
  larger.textOffset.set(columns.textOffset);
  larger.textLength.set(columns.textLength);
  larger.state.set(columns.state);
  larger.needsPerson.set(columns.needsPerson);
  return larger;
}
