/** What a message is: a request, an order, ordinary talk, or nothing of ours (contract §4). Pure. */
import type { Attachment } from './request.ts';

/** A Telegram message as far as it matters here; made by `telegram/decode`. */
export interface IncomingMessage {
  chatId: number;
  /** In a private chat every line is meant for the bot; in a group most are not. */
  isPrivate: boolean;
  messageId: number;
  /** Set only for a message inside a forum topic. */
  threadId: number | null;
  from: { id: number; name: string; language: string | null; isBot: boolean } | null;
  /** A channel or an anonymous admin spoke: nobody whose id could be allowed. */
  onBehalfOfChat: boolean;
  isForwarded: boolean;
  text: string;
  /** The command that the text opens with: `/name`, or `/name@mention`. */
  command: { name: string; mention: string | null; rest: string } | null;
  replyTo: { messageId: number; fromThisBot: boolean; text: string; attachments: Attachment[] } | null;
  attachments: Attachment[];
  /** Album to which the message belongs. */
  mediaGroupId: string | null;
  /** Names a content that cannot be passed on (`contact`, `poll`, …); null for text and files. */
  unsupported: string | null;
  /** Telegram's `date`, seconds since 1970. */
  date: number;
}

/** The request that a message (of the bot or of a person) belongs to. */
export interface ConversationLink {
  requestId: string;
  conversation: string;
}

export interface AdmissionRules {
  chatId: number;
  userIds: readonly number[];
  botUsername: string;
}

export type OrdinaryAnswer =
  | 'help'
  | 'status'
  | 'usage'
  | 'hint'
  | 'forward-is-material'
  | 'edit-changes-nothing'
  | 'unknown-request'
  | 'unsupported';

export type Admission =
  | { kind: 'request'; request: 'blog' | 'reply'; text: string; link: ConversationLink | null }
  | { kind: 'cancel'; link: ConversationLink | null }
  | { kind: 'ordinary'; answer: OrdinaryAnswer }
  | { kind: 'stranger'; userId: number | null }
  | { kind: 'ignored'; why: string };

/**
 * @param message a new message, never an edited one
 * @param link the request that the replied-to message belongs to; null where there is none, or no reply
 */
export function decideAdmission(
  message: IncomingMessage,
  link: ConversationLink | null,
  rules: AdmissionRules,
): Admission {
  const stranger = strangerOf(message, rules);
  if (stranger !== null) return stranger;

  const command = message.command;
  if (command !== null && !isForThisBot(command.mention, rules))
    return { kind: 'ignored', why: 'command for another bot' };
  if (command !== null) return decideCommand(command, message, link);
  if (message.isForwarded) return ordinaryIn(message, 'forward-is-material');
  if (link !== null) return decideReply(message, link);
  return ordinaryIn(message, message.unsupported === null ? 'hint' : 'unsupported');
}

/** Whether it matters to which request the replied-to message belongs; where it does not, nobody need look. */
export function dependsOnLink(message: IncomingMessage, rules: AdmissionRules): boolean {
  if (message.replyTo === null) return false;
  const admission = decideAdmission(message, { requestId: '1', conversation: '1' }, rules);
  return (admission.kind === 'request' || admission.kind === 'cancel') && admission.link !== null;
}

/** An edit is told, never obeyed: only where the words were or would be an order does the person hear of it. */
export function decideEdit(message: IncomingMessage, isRequest: boolean, rules: AdmissionRules): Admission {
  const stranger = strangerOf(message, rules);
  if (stranger !== null) return stranger;
  const becomesCommand = message.command?.name === 'blog' && isForThisBot(message.command.mention, rules);
  if (isRequest || becomesCommand) return { kind: 'ordinary', answer: 'edit-changes-nothing' };
  return { kind: 'ignored', why: 'edited message' };
}

function strangerOf(message: IncomingMessage, rules: AdmissionRules): Admission | null {
  const { from } = message;
  if (from === null || message.onBehalfOfChat) return { kind: 'stranger', userId: null };
  if (from.isBot) return { kind: 'ignored', why: 'written by a bot' };
  if (message.chatId !== rules.chatId || !rules.userIds.includes(from.id)) return { kind: 'stranger', userId: from.id };
  return null;
}

function isForThisBot(mention: string | null, rules: AdmissionRules): boolean {
  return mention === null || mention.toLowerCase() === rules.botUsername.toLowerCase();
}

function decideCommand(
  command: { name: string; rest: string },
  message: IncomingMessage,
  link: ConversationLink | null,
): Admission {
  if (message.isForwarded) {
    return command.name === 'blog'
      ? { kind: 'ordinary', answer: 'forward-is-material' }
      : { kind: 'ignored', why: 'forwarded command' };
  }
  if (command.name === 'blog') return decideBlog(command.rest, message);
  // A reply names what is to stop. Where it names nothing, the running one must not be hit instead.
  if (command.name === 'cancel' && message.replyTo !== null && link === null)
    return { kind: 'ordinary', answer: 'unknown-request' };
  if (command.name === 'cancel') return { kind: 'cancel', link };
  if (command.name === 'status') return { kind: 'ordinary', answer: 'status' };
  if (command.name === 'help' || command.name === 'start') return { kind: 'ordinary', answer: 'help' };
  // `/etc/hosts` or a command of the agent's own, in reply to an answer, goes to the agent.
  if (link !== null) return decideReply(message, link);
  return { kind: 'ignored', why: 'unknown command' };
}

function decideBlog(rest: string, message: IncomingMessage): Admission {
  // Telegram ends a command at the first character that is no letter, digit or underscore: `/blog안녕` is no order.
  if (rest !== '' && !/^\s/u.test(rest) && !isInvisible(rest)) return { kind: 'ordinary', answer: 'usage' };
  if (isInvisible(rest) && !hasMaterial(message)) return { kind: 'ordinary', answer: 'usage' };
  const text = isInvisible(rest) ? '' : rest.trim();
  return { kind: 'request', request: 'blog', text, link: null };
}

/** Files of its own, or words or files of the message that it replies to. */
function hasMaterial({ attachments, replyTo }: IncomingMessage): boolean {
  return attachments.length > 0 || (replyTo !== null && (replyTo.attachments.length > 0 || !isInvisible(replyTo.text)));
}

function decideReply(message: IncomingMessage, link: ConversationLink): Admission {
  if (message.attachments.length === 0 && isInvisible(message.text)) {
    return { kind: 'ordinary', answer: message.unsupported === null ? 'hint' : 'unsupported' };
  }
  return { kind: 'request', request: 'reply', text: message.text.trim(), link };
}

/** In a group a line that is not for the bot gets no answer. */
function ordinaryIn(message: IncomingMessage, answer: OrdinaryAnswer): Admission {
  if (message.isPrivate || message.replyTo?.fromThisBot === true) return { kind: 'ordinary', answer };
  return { kind: 'ignored', why: 'talk in a group' };
}

/** Nothing that a person could see: white space, zero-width characters, joiners. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Cf}\p{Mn}\u115F\u1160\u3164\uFFA0]*$/u.test(text);
}
