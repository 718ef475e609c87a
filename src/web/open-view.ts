/**
 * Owns: nothing; reads what the pages show of a home.
 * Guarantees: changes nothing there.
 * Fails: never; what cannot be read is shown as such.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { HomeFolders } from '../platform/home-folders.ts';
import type { LockRecord } from '../platform/lock-record.ts';
import type { ConversationIndex } from '../state/conversation-index.ts';
import { type Heartbeat, readHeartbeat } from '../state/heartbeat.ts';
import type { HomeIndex } from './home-index.ts';
import type { HomeView, ProcessView } from './home-view.ts';
import { filesOf, openPicture } from './pictures.ts';
import { type Stores, readStory } from './story.ts';

/** A message with more pictures than this has its others by name. */
const MAX_PICTURES = 100;

export interface ViewPorts {
  folders: HomeFolders;
  index: HomeIndex;
  stores: Stores;
  conversations: ConversationIndex;
  /** Who holds a lock and lives. */
  ownerOf: (lockPath: string) => LockRecord | null;
}

export function openView({ folders, index, stores, conversations, ownerOf }: ViewPorts): HomeView {
  return {
    name: basename(folders.root),
    index: index.rows,
    isComplete: index.isComplete,
    bot: processView(ownerOf(folders.botLock), heartbeat(folders.botHeartbeat)),
    consumer: processView(ownerOf(folders.consumerLock), heartbeat(folders.consumerHeartbeat)),
    unreadUpdates: namesIn(folders.unread).filter((name) => name.endsWith('.json')).length,
    story: (id) => readStory(id, stores),
    conversation: (id) => {
      const known = index.rows.idsOfConversation(Number(id)).map(String);
      const opening = readStory(id, stores) === null ? [] : [id];
      const ids = new Set([...opening, ...known, ...runsOf(conversations, id)]);
      return [...ids].sort((a, b) => Number(a) - Number(b));
    },
    pictures: async (id, side) => {
      const receipt = readStory(id, stores)?.receipt ?? null;
      const places = filesOf(receipt, side).slice(0, MAX_PICTURES).keys();
      const shown = new Set<number>();
      for (const place of places) {
        const picture = await openPicture(folders, receipt, { id, side, index: place });
        if (picture === null) continue;
        shown.add(place);
        await picture.handle.close();
      }
      return shown;
    },
  };
}

function processView(owner: LockRecord | null, beat: Heartbeat | null): ProcessView {
  if (owner === null) return { running: false, since: null, trouble: null, activity: null };
  const { lastError = null, activity = null } = beat ?? {};
  return { running: true, since: owner.since, trouble: lastError, activity };
}

function heartbeat(path: string): Heartbeat | null {
  try {
    return readHeartbeat(path);
  } catch {
    return null;
  }
}

function runsOf(conversations: ConversationIndex, id: string): string[] {
  try {
    return conversations.runsOf(id).filter((one) => /^[1-9]\d{0,15}$/u.test(one));
  } catch {
    return [];
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
