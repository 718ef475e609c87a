/** The PATH of the shell that installs, as a service can use it for long; and the node that stays where it is. Pure but for links. */
import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** What `npx` and `npm run` put in front for the time of one command: it would come and go with how one installs. */
const OF_ONE_COMMAND = /\/node_modules\/\.bin$|\/node-gyp-bin$/u;
/** fnm makes a folder for each shell, and removes it. */
const OF_ONE_SHELL = /\/fnm_multishells\//u;

export const PLAIN_PATH = '/usr/local/bin:/usr/bin:/bin';

export function capturedPath(path: string | undefined): string {
  const folders = (path ?? '')
    .split(delimiter)
    .map((folder) => (folder.length > 1 ? folder.replace(/\/+$/u, '') : folder))
    .filter((folder) => isAbsolute(folder) && !OF_ONE_COMMAND.test(folder))
    .map((folder) => (OF_ONE_SHELL.test(folder) ? (realOf(folder) ?? folder) : folder));
  return folders.length === 0 ? PLAIN_PATH : [...new Set(folders)].join(delimiter);
}

/**
 * The name on PATH where it leads to this very node: a package manager's upgrade moves the program and keeps the name.
 * @param running the path of the node that runs, links resolved
 */
export function lastingNode(running: string, path: string): string {
  const names = path.split(delimiter).map((folder) => join(folder, 'node'));
  return names.find((name) => !OF_ONE_SHELL.test(name) && realOf(name) === running) ?? running;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
