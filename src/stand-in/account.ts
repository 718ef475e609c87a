/** What the bot asks and sets about itself, its commands, its webhook and its chats. */
import { idParam, isObject, listParam, objectParam, type Params, textParam } from './params.ts';
import { badRequest } from './refusal.ts';
import { findRoom, type World } from './world.ts';

export function getMe(world: World): unknown {
  return {
    ...world.bot,
    can_join_groups: true,
    can_read_all_group_messages: world.readsAllMessages,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
  };
}

export function setMyCommands(world: World, params: Params): true {
  const commands = listParam(params, 'commands') ?? [];
  if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  for (const command of commands) {
    if (!isObject(command)) throw badRequest("can't parse BotCommand: expected an Object");
    if (!/^[a-z0-9_]{1,32}$/u.test(textParam(command, 'command'))) throw badRequest('BOT_COMMAND_INVALID');
    const words = textParam(command, 'description').trim();
    if (words.length < 1 || words.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  world.commands.set(commandsKey(params), commands);
  return true;
}

export function getMyCommands(world: World, params: Params): unknown[] {
  return world.commands.get(commandsKey(params)) ?? [];
}

/** Each scope and language has a list of its own. */
function commandsKey(params: Params): string {
  const scope = objectParam(params, 'scope') ?? { type: 'default' };
  return `${textParam(scope, 'type')} ${textParam(scope, 'chat_id')} ${textParam(params, 'language_code')}`;
}

export function setWebhook(world: World, params: Params): true {
  dropPending(world, params);
  world.webhookUrl = textParam(params, 'url');
  if (world.webhookUrl !== '') world.updates.terminatePoll('setWebhook request');
  return true;
}

export function deleteWebhook(world: World, params: Params): true {
  dropPending(world, params);
  world.webhookUrl = '';
  return true;
}

function dropPending(world: World, params: Params): void {
  if (params['drop_pending_updates'] === true) world.updates.clear();
}

export function getWebhookInfo(world: World): unknown {
  const { allowed, waiting } = world.updates;
  return {
    url: world.webhookUrl,
    has_custom_certificate: false,
    pending_update_count: waiting.length,
    ...(allowed === undefined ? {} : { allowed_updates: allowed }),
  };
}

export function getChat(world: World, params: Params): unknown {
  const { chat } = findRoom(world, params['chat_id']);
  return {
    ...chat,
    accent_color_id: 0,
    max_reaction_count: 11,
    ...(world.reactionsAllowed ? {} : { available_reactions: [] }),
    accepted_gift_types: {
      unlimited_gifts: false,
      limited_gifts: false,
      unique_gifts: false,
      premium_subscription: false,
      gifts_from_channels: false,
    },
  };
}

export function getChatMember(world: World, params: Params): unknown {
  const member = findRoom(world, params['chat_id']).members.get(idParam(params, 'user_id') ?? 0);
  if (member === undefined) throw badRequest('user not found');
  const { status, user } = member;
  if (status === 'creator') return { status, user, is_anonymous: false };
  if (status === 'kicked') return { status, user, until_date: 0 };
  if (status === 'administrator')
    return { status, user, can_be_edited: false, is_anonymous: false, ...rights(ADMINISTRATOR_RIGHTS, true) };
  if (status !== 'restricted') return { status, user };
  return { status, user, is_member: true, until_date: 0, ...rights(MEMBER_RIGHTS, false) };
}

const ADMINISTRATOR_RIGHTS =
  'can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members can_promote_members ' +
  'can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories can_send_welcome_messages';
const MEMBER_RIGHTS =
  'can_send_messages can_send_audios can_send_documents can_send_photos can_send_videos can_send_video_notes ' +
  'can_send_voice_notes can_send_polls can_send_other_messages can_add_web_page_previews can_react_to_messages ' +
  'can_edit_tag can_change_info can_invite_users can_pin_messages can_manage_topics';

function rights(names: string, value: boolean): Record<string, boolean> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}
