/** What happens to a group as a whole: topics come and go, the group becomes a supergroup. */
import type { Room } from './room.ts';
import type { World } from './world.ts';

/** A forum's topic: its creation message names it, and gives it its id. */
export function openTopic(world: World, room: Room, name: string): number {
  room.chat.is_forum = true;
  const fields = { from: world.owner, forum_topic_created: { name, icon_color: 7_322_096 } };
  const message = room.put(fields, false);
  Object.assign(message, { message_thread_id: message.message_id, is_topic_message: true });
  room.topics.set(message.message_id, { id: message.message_id, name, state: 'open' });
  world.updates.push({ message: structuredClone(message) });
  return message.message_id;
}

export function closeTopic(world: World, room: Room, topicId: number): void {
  const topic = room.topics.get(topicId);
  if (topic === undefined) throw new Error(`no topic ${topicId}`);
  topic.state = 'closed';
  const message = room.put({ from: world.owner, message_thread_id: topicId, forum_topic_closed: {} }, false);
  world.updates.push({ message: structuredClone(message) });
}

/** The group becomes a supergroup: two service messages tell the bot, and the old id answers no more. */
export function upgradeToSupergroup(world: World, room: Room, supergroupId: number): void {
  const supergroup = world.addRoom({ ...room.chat, id: supergroupId, type: 'supergroup' });
  for (const { user, status } of room.members.values()) supergroup.join(user, status);
  const told = room.put({ from: world.owner }, false);
  world.updates.push({ message: { ...told, migrate_to_chat_id: supergroupId } });
  const arrived = supergroup.put({ from: world.owner }, false);
  world.updates.push({ message: { ...arrived, migrate_from_chat_id: room.chat.id } });
  room.upgradedTo = supergroupId;
}
