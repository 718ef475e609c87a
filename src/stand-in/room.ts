/** One chat: its messages in order of their ids, its topics and its members. */
import { type Chat, defined, type Message, type User } from './bot-api.ts';
import { type ChatMessage, chatMessage, type Entry } from './chat-message.ts';

export interface Topic {
  id: number;
  name: string;
  state: 'open' | 'closed' | 'deleted';
}

/** `anonymous`: an administrator who remains anonymous. */
export type MemberStatus = 'creator' | 'administrator' | 'anonymous' | 'member' | 'restricted' | 'left' | 'kicked';

/** What a new message is made of; id, date and chat are the room's to give, unless a test insists. */
export type NewMessage = Omit<Message, 'message_id' | 'date' | 'chat' | 'reply_to_message'> & {
  message_id?: number | undefined;
  date?: number | undefined;
  replyTo?: Entry | undefined;
};

export class Room {
  readonly chat: Chat;
  readonly members = new Map<number, { user: User; status: MemberStatus }>();
  readonly topics = new Map<number, Topic>();
  /** The supergroup that this group became; undefined while it is what it is. */
  upgradedTo: number | undefined;
  readonly #entries = new Map<number, Entry>();
  readonly #now: () => number;
  #nextId: number;

  constructor(chat: Chat, firstMessageId: number, now: () => number) {
    this.chat = chat;
    this.#nextId = firstMessageId;
    this.#now = now;
  }

  get isSupergroup(): boolean {
    return this.chat.type === 'supergroup';
  }

  put({ replyTo, message_id, date, ...fields }: NewMessage, fromBot: boolean): Message {
    const id = message_id ?? this.#nextId;
    if (this.#entries.has(id)) throw new Error(`message ${id} exists in chat ${this.chat.id}`);
    this.#nextId = Math.max(this.#nextId, id + 1);
    const message: Message = {
      message_id: id,
      date: date ?? this.#now(),
      chat: this.chat,
      ...fields,
      ...this.#thread(fields, replyTo),
    };
    this.#entries.set(id, { message, fromBot, edits: [], reactions: [], deleted: false });
    if (message.from !== undefined && !this.members.has(message.from.id)) this.join(message.from, 'member');
    return message;
  }

  /** The message with this id, unless it was deleted. */
  find(id: number | undefined): Entry | undefined {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    return entry?.deleted === false ? entry : undefined;
  }

  join(user: User, status: MemberStatus): void {
    this.members.set(user.id, { user, status });
  }

  deleteMessage(id: number): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.deleted = true;
  }

  deleteTopic(topicId: number): void {
    const topic = this.topics.get(topicId);
    if (topic === undefined) throw new Error(`no topic ${topicId}`);
    topic.state = 'deleted';
    for (const entry of this.#entries.values()) {
      if (entry.message.message_thread_id === topic.id && entry.message.is_topic_message) entry.deleted = true;
    }
  }

  list(): ChatMessage[] {
    return [...this.#entries.values()].map(chatMessage).toSorted((a, b) => a.id - b.id);
  }

  /**
   * In a topic each message that answers nothing is given as an answer to the topic's creation message; in other
   * supergroups an answer carries the id of the first message of its thread, with no `is_topic_message`.
   */
  #thread(fields: Pick<Message, 'message_thread_id'>, replyTo: Entry | undefined): Partial<Message> {
    const answered = replyTo?.message;
    const threadId = fields.message_thread_id ?? (answered?.is_topic_message ? answered.message_thread_id : undefined);
    const topic = threadId === undefined ? undefined : this.topics.get(threadId);
    if (topic !== undefined) {
      const target = answered ?? this.#entries.get(topic.id)?.message;
      return { message_thread_id: topic.id, is_topic_message: true, ...shallowReply(target) };
    }
    const root = this.isSupergroup ? (answered?.message_thread_id ?? answered?.message_id) : undefined;
    return defined<Partial<Message>>({ message_thread_id: threadId ?? root, ...shallowReply(answered) });
  }
}

/** An answered message is given without the message that it answers itself. */
function shallowReply(target: Message | undefined): { reply_to_message?: Message } {
  if (target === undefined) return {};
  const { reply_to_message: _, ...shallow } = target;
  return { reply_to_message: shallow };
}
