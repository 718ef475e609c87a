/** All that `doctor` looks at, in the order in which it is told. */
import { errorWords } from '../../core/failure.ts';
import { agentAnswers, workingFolder } from './agent-checks.ts';
import type { Examined } from './examined.ts';
import { type Finding, wrong } from './finding.ts';
import { fileSystem, freeSpace, notSynced, ownership } from './home-checks.ts';
import { processes } from './process-checks.ts';
import { receipts, waitingRequests } from './receipt-checks.ts';
import { nodeVersions, services } from './service-checks.ts';
import { binding, privateEnv, tokenThere, userList } from './settings-checks.ts';
import { strayFiles } from './stray-files.ts';
import { telegram } from './telegram-checks.ts';

type Found = Finding | Finding[];

interface Check {
  /** What is told where the look itself fails. */
  title: string;
  look: (examined: Examined) => Found | Promise<Found>;
}

const CHECKS: readonly Check[] = [
  { title: 'bot token', look: tokenThere },
  { title: '.env is yours alone', look: privateEnv },
  { title: 'telegram.userIds', look: userList },
  { title: 'Telegram', look: telegram },
  { title: 'agent.cwd', look: workingFolder },
  { title: 'agent.command', look: agentAnswers },
  { title: 'no program copies the home elsewhere', look: notSynced },
  { title: 'the home is yours and closed to others', look: ownership },
  { title: 'hard links and folder sync', look: fileSystem },
  { title: 'room on the disk', look: freeSpace },
  { title: 'spool/home.json', look: binding },
  { title: 'names in the home', look: strayFiles },
  { title: 'waiting requests', look: waitingRequests },
  { title: 'receipts', look: (examined) => receipts(examined) },
  { title: 'bot and consumer', look: processes },
  { title: 'services', look: services },
  { title: 'Node', look: nodeVersions },
];

/** Those that wait (Telegram, the agent) wait together. */
export async function findingsOf(examined: Examined): Promise<Finding[]> {
  const found = await Promise.all(CHECKS.map((check) => resultOf(check, examined)));
  return found.flat();
}

async function resultOf({ title, look }: Check, examined: Examined): Promise<Found> {
  try {
    return await look(examined);
  } catch (error) {
    return wrong(title, `could not be looked at: ${errorWords(error)}`, 'Look at who owns the home, and at its disk.');
  }
}
