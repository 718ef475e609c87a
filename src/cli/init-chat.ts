/** The question of `init` for chat and users: given, standing, typed, or learned from a message to the bot. */
import type { InitWords } from '../core/init-words.ts';
import { isGroup, isShared, parseIds } from '../core/introduction.ts';
import { readLock } from '../platform/lock-record.ts';
import { ownerState } from '../platform/process-identity.ts';
import { chatKnownAs } from '../telegram/waiting-messages.ts';
import { type Dialog, fault } from './init-dialog.ts';
import type { Standing } from './init-files.ts';
import { type Learned, learnFromMessages } from './init-introduction.ts';
import { type KnownBot, reached } from './init-token.ts';

export interface ChatOptions {
  chatId?: string;
  userId?: string[];
}

export async function learnChat(
  dialog: Dialog,
  words: InitWords,
  standing: Standing,
  known: KnownBot,
  options: ChatOptions,
): Promise<Learned> {
  const learned = givenIds(words, options) ?? (await askWho(dialog, words, standing, known, options));
  await tellOfChat(dialog, words, known, learned);
  return learned;
}

/** In a private chat both have the same number, so that one of the two options is enough. */
function givenIds(words: InitWords, { chatId, userId = [] }: ChatOptions): Learned | null {
  const chats = chatId === undefined ? undefined : idsOf('--chat-id', chatId, words);
  const users = userId.length === 0 ? undefined : idsOf('--user-id', userId.join(','), words);
  if (chats !== undefined && chats.length !== 1) throw fault('usage', [`--chat-id: ${words.idsExpected}`, '']);
  const chat = chats?.[0] ?? (users?.length === 1 ? users[0] : undefined);
  const persons = users ?? (chat !== undefined && !isGroup(chat) ? [chat] : undefined);
  if (chat === undefined || persons === undefined) return null;
  const wrong = userTrouble(persons, chat, words);
  if (wrong !== undefined) throw fault('usage', [`--user-id: ${wrong}`, '']);
  return { chatId: chat, userIds: persons };
}

function idsOf(option: string, text: string, words: InitWords): number[] {
  const ids = parseIds(text);
  if (ids === null) throw fault('usage', [`${option}: ${words.idsExpected}`, '']);
  return ids;
}

function userTrouble(ids: readonly number[], chatId: number, words: InitWords): string | undefined {
  const shared = ids.find(isShared);
  if (shared !== undefined) return words.sharedId(shared);
  const nobody = ids.find(isGroup);
  if (nobody !== undefined) return words.personIdExpected(nobody);
  return isGroup(chatId) || ids.includes(chatId) ? undefined : words.notInPrivateChat(chatId);
}

async function askWho(
  dialog: Dialog,
  words: InitWords,
  { config, folders }: Standing,
  known: KnownBot,
  options: ChatOptions,
): Promise<Learned> {
  const stands = config.settings?.telegram;
  const botPid = livePid(folders.botLock);
  if (botPid !== null) dialog.warn(words.botRuns(botPid));
  const choices = [
    ...(stands === undefined
      ? []
      : [{ value: 'keep' as const, label: words.whoStands(stands.chatId, stands.userIds.join(', ')) }]),
    ...(botPid === null ? [{ value: 'message' as const, label: words.byMessage }] : []),
    { value: 'ids' as const, label: words.byIds },
  ];
  const option = options.chatId === undefined ? '--chat-id' : '--user-id';
  const proposal = stands === undefined ? undefined : ('keep' as const);
  const question = { message: words.askWho, option, choices, ...(proposal === undefined ? {} : { proposal }) };
  const answer = await dialog.choose<'keep' | 'message' | 'ids'>(question);
  if (answer === 'keep' && stands !== undefined) return { chatId: stands.chatId, userIds: stands.userIds };
  const learned = answer === 'message' ? await learnFromMessages(dialog, words, known) : null;
  return learned ?? typedIds(dialog, words);
}

/** Who reads the bot's messages already; null where nobody of this home does. */
export function livePid(lockPath: string): number | null {
  try {
    const lock = readLock(lockPath);
    return lock !== null && ownerState(lock) === 'alive' ? lock.pid : null;
  } catch {
    // A damaged lock is for `doctor` to tell of.
    return null;
  }
}

async function typedIds(dialog: Dialog, words: InitWords): Promise<Learned> {
  const single = (answer: string): number | undefined => {
    const ids = parseIds(answer);
    return ids?.length === 1 ? ids[0] : undefined;
  };
  const chatText = await dialog.text({
    message: words.askChatId,
    option: '--chat-id',
    check(answer) {
      const id = single(answer);
      if (id === undefined) return words.idsExpected;
      return isShared(id) ? words.sharedId(id) : undefined;
    },
  });
  const chatId = single(chatText) ?? 0;
  const usersText = await dialog.text({
    message: words.askUserIds,
    option: '--user-id',
    ...(isGroup(chatId) ? {} : { proposal: String(chatId) }),
    check(answer) {
      const ids = parseIds(answer);
      return ids === null ? words.idsExpected : userTrouble(ids, chatId, words);
    },
  });
  return { chatId, userIds: parseIds(usersText) ?? [] };
}

async function tellOfChat(dialog: Dialog, words: InitWords, known: KnownBot, learned: Learned): Promise<void> {
  const { access, bot } = known;
  const { chatId, userIds } = learned;
  dialog.say(words.learned(chatId, userIds.join(', ')));
  const chat = await reached(words, access, () => chatKnownAs(access, chatId));
  if (chat === null) dialog.warn(words.chatUnknown(chatId, bot.username));
  if (!isGroup(chatId)) return;
  if (!bot.seesAllGroupMessages) dialog.warn(words.privacyOn);
  if (chat?.type === 'group') dialog.say(words.groupMayMove);
}
