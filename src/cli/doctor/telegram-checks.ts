/** What Telegram says about the bot, its webhook, its chat and the people in it, and about the time. */
import type { ChatMember, UserFromGetMe } from 'grammy/types';
import { livingOwner } from '../../bridge/overview.ts';
import { type Inspection, type Told, clockAheadMs, openInspection } from '../../telegram/inspection.ts';
import { durationWords } from '../words-for-terminal.ts';
import type { Examined } from './examined.ts';
import { type Finding, advice, fine, wrong } from './finding.ts';

/** A program whose question was ended asks again within a second or two. */
const OTHER_POLLER_SECONDS = 5;
/** More than that, and certificates and dates in receipts begin to go wrong. */
const CLOCK_MS = 60_000;

export async function telegram(examined: Examined): Promise<Finding[]> {
  const { access, settings } = examined;
  if (access === null) return [fine('Telegram', 'not asked, since there is no token')];
  const inspection = openInspection(access);
  const [me, ahead] = await Promise.all([inspection.me(), clockAheadMs(access.apiRoot)]);
  const clock = clockFinding(ahead);
  if (me.kind !== 'told') return [lineFinding(me, access.apiRoot), clock];
  const webhook = await inspection.webhook();
  const [chat, people, poller] = await Promise.all([
    chatFinding(inspection, settings.telegram.chatId),
    peopleFindings(inspection, examined, me.value),
    pollerFinding(inspection, examined, webhook),
  ]);
  const account = fine('Telegram takes the token', `@${me.value.username}`);
  return [account, webhookFinding(webhook), poller, chat, ...people, clock];
}

function lineFinding(me: Exclude<Told<never>, { kind: 'told' }>, apiRoot: string): Finding {
  if (me.kind === 'refused') {
    return wrong(
      'Telegram takes the token',
      `it is answered ${me.code} ${me.description}`,
      'Ask @BotFather for the current token and put it into .env.',
    );
  }
  const isDoubt = /CERT|TLS|SSL/u.test(me.reason);
  const mend = isDoubt
    ? 'Look at the clock of this machine, and at proxies that open TLS.'
    : 'Look at the network, and whether a firewall or proxy is in the way; then again: blog-bridge doctor';
  return { ...wrong('Telegram can be reached', `${new URL(apiRoot).host}: ${me.reason}`, mend), unreachable: true };
}

function webhookFinding(webhook: Told<{ url?: string }>): Finding {
  const what = 'no webhook is set';
  if (webhook.kind !== 'told') return unanswered(what, webhook);
  const { url = '' } = webhook.value;
  if (url === '') return fine(what);
  // Its path may hold a secret.
  const host = URL.canParse(url) ? new URL(url).host : 'another place';
  return wrong(
    what,
    `what people write goes to ${host} instead of here`,
    'The bot removes it when it starts, and drops nothing. If it comes back, another program uses this token.',
  );
}

async function pollerFinding(
  inspection: Inspection,
  { folders }: Examined,
  webhook: Told<{ url?: string }>,
): Promise<Finding> {
  const what = 'nobody else polls with this token';
  const owner = livingOwner(folders.botLock);
  if (owner !== null)
    return fine(what, `not asked, since this would disturb the bot (pid ${owner.pid}), which tells it itself`);
  if (webhook.kind === 'told' && (webhook.value.url ?? '') !== '')
    return fine(what, 'not asked, since a webhook is set');
  const waited = await inspection.waitAsABot(OTHER_POLLER_SECONDS);
  if (waited.kind === 'refused' && waited.code === 409) {
    return wrong(
      what,
      'another program asked for updates meanwhile',
      'Find and end it (another machine? an old copy?), or make a bot of its own for this home with @BotFather.',
    );
  }
  if (waited.kind !== 'told') return unanswered(what, waited);
  return fine(what, waited.value.length === 0 ? '' : 'something waits for the bot');
}

async function chatFinding(inspection: Inspection, chatId: number): Promise<Finding> {
  const what = `chat ${chatId}`;
  const chat = await inspection.chat(chatId);
  if (chat.kind === 'refused') {
    if (chat.migratedTo !== null) {
      const mend = `Put ${chat.migratedTo} into telegram.chatId, then: blog-bridge rebind`;
      return wrong(what, `this group became the supergroup ${chat.migratedTo}`, mend);
    }
    const mend =
      chatId > 0
        ? 'Write to the bot once, from the account with this id.'
        : 'Add the bot to the group, or correct telegram.chatId.';
    return wrong(what, `the bot does not know it (${chat.description})`, mend);
  }
  if (chat.kind !== 'told') return unanswered(what, chat);
  const { type } = chat.value;
  if (type === 'channel') {
    return wrong(what, 'is a channel, in which posts have no author who could order', 'Use a private chat or a group.');
  }
  return fine(what, chat.value.title === undefined ? type : `${type} “${chat.value.title}”`);
}

async function peopleFindings(inspection: Inspection, { settings }: Examined, me: UserFromGetMe): Promise<Finding[]> {
  const { chatId, userIds } = settings.telegram;
  if (chatId > 0) return [];
  const bot = await inspection.member(chatId, me.id);
  const users = await Promise.all(userIds.map(async (id) => ({ id, member: await inspection.member(chatId, id) })));
  return [botFinding(bot), privacyFinding(me, bot), ...users.map(({ id, member }) => userFinding(id, member))];
}

function botFinding(bot: Told<ChatMember>): Finding {
  const what = 'the bot is in the group';
  if (bot.kind === 'refused') return wrong(what, bot.description, 'Add it to the group.');
  if (bot.kind !== 'told') return unanswered(what, bot);
  const { status } = bot.value;
  if (status === 'left' || status === 'kicked') return wrong(what, `its status is “${status}”`, 'Add it to the group.');
  if (status === 'restricted' && !bot.value.can_send_messages) {
    return wrong(what, 'it may not write there', 'Let it send messages (the group’s permissions).');
  }
  return fine(what, status);
}

/** An administrator gets everything, whatever the flag says. */
function privacyFinding(me: UserFromGetMe, bot: Told<ChatMember>): Finding {
  const what = 'privacy mode';
  if (me.can_read_all_group_messages) return fine(what, 'off: the bot gets every message');
  if (bot.kind === 'told' && bot.value.status === 'administrator') return fine(what, 'on, but administrators get all');
  return wrong(
    what,
    'on: of an album only the photo with the caption arrives, of a long paste only its first part',
    '@BotFather, /setprivacy, Disable; then take the bot out of the group and add it again. Or make it an administrator.',
  );
}

function userFinding(id: number, member: Told<ChatMember>): Finding {
  const what = `user ${id}`;
  if (member.kind === 'refused')
    return wrong(what, `is not in the group (${member.description})`, 'Correct telegram.userIds.');
  if (member.kind !== 'told') return unanswered(what, member);
  const { status } = member.value;
  if (status === 'left' || status === 'kicked') {
    return wrong(what, `is not in the group (${status})`, 'Add them, or take them out of telegram.userIds.');
  }
  if ((status === 'creator' || status === 'administrator') && member.value.is_anonymous) {
    return wrong(
      what,
      'writes as an anonymous administrator, so Telegram does not say that it is them',
      'Turn off “Remain anonymous” in their administrator rights.',
    );
  }
  return fine(what, status);
}

function clockFinding(ahead: number | null): Finding {
  const what = 'clock';
  if (ahead === null) return fine(what, 'not compared, since Telegram told no time');
  if (Math.abs(ahead) <= CLOCK_MS) return fine(what);
  return wrong(
    what,
    `this machine’s clock is ${durationWords(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} Telegram’s`,
    'Let the system set it by the network (NTP).',
  );
}

function unanswered(what: string, told: Exclude<Told<never>, { kind: 'told' }>): Finding {
  if (told.kind === 'unreachable')
    return { ...wrong(what, `no answer: ${told.reason}`, 'Try again.'), unreachable: true };
  return advice(what, `Telegram answered ${told.code} ${told.description}`, 'Try again.');
}
