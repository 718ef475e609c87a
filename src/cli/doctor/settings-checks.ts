/** The token and where it stands, the user list, and which chat the home is bound to. */
import { lstatSync } from 'node:fs';
import { BridgeError, errorWords } from '../../core/failure.ts';
import { SHARED_TELEGRAM_IDS } from '../../core/settings.ts';
import { botIdOf, readBinding } from '../../spool/home-binding.ts';
import { accessOf, shellOnlyNames } from '../open-home.ts';
import type { Examined } from './examined.ts';
import { type Finding, advice, fine, wrong } from './finding.ts';

export function tokenThere(examined: Examined): Finding {
  const what = 'bot token';
  try {
    accessOf(examined);
  } catch (error) {
    return wrong(what, errorWords(error), error instanceof BridgeError ? error.hint : '');
  }
  const ofShell = shellOnlyNames(examined);
  if (ofShell.length === 0) return fine(what, `in ${examined.folders.env}`);
  const words = `${ofShell.join(' and ')} of this shell wins over ${examined.folders.env}, and a service does not see it`;
  const mend = `Put it into ${examined.folders.env} (mode 0600), or unset the variable.`;
  return examined.service === null ? advice(what, words, mend) : wrong(what, words, mend);
}

export function privateEnv({ folders }: Examined): Finding {
  const what = '.env is yours alone';
  const status = lstatSync(folders.env, { throwIfNoEntry: false });
  if (status === undefined) return fine(what, 'there is none; the token comes from the environment');
  const mode = status.mode & 0o777;
  if (!status.isSymbolicLink() && (mode & 0o077) !== 0) {
    return wrong(what, `others may read it (mode ${mode.toString(8)})`, `chmod 600 ${folders.env}`);
  }
  return fine(what);
}

export function userList({ settings }: Examined): Finding {
  const what = 'telegram.userIds';
  const { chatId, userIds } = settings.telegram;
  const shared = userIds.filter((id) => SHARED_TELEGRAM_IDS.includes(id));
  if (shared.length > 0) {
    return wrong(what, `${shared.join(', ')} stands for many people, not for one`, 'Name persons by their own ids.');
  }
  if (chatId > 0 && !userIds.includes(chatId)) {
    return wrong(
      what,
      `${chatId} is a private chat, in which only user ${chatId} writes, and that one is not in the list`,
      `Put ${chatId} into telegram.userIds of config.json.`,
    );
  }
  return fine(what, userIds.join(', '));
}

export function binding({ folders, settings, access }: Examined): Finding {
  const what = 'spool/home.json';
  const found = readBinding(folders);
  if (found === null || access === null) return fine(what, found === null ? 'not bound yet' : '');
  const wanted = { botId: botIdOf(access.token), chatId: settings.telegram.chatId };
  if (found.botId === wanted.botId && found.chatId === wanted.chatId) return fine(what);
  return wrong(
    what,
    `this home is bound to bot ${found.botId} and chat ${found.chatId}, the settings name bot ${wanted.botId} and chat ${wanted.chatId}`,
    'Correct the settings, or archive what is here: blog-bridge rebind',
  );
}
