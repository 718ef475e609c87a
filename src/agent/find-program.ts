/**
 * Owns: nothing; looks where a program lies, as `execvp` would.
 * Guarantees: an absolute path of an executable file, found before anything is started, so that a missing program is a
 *   certain no-run.
 * Fails: by telling in words what was found instead.
 */
import { type Stats, accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { AgentFailure } from '../core/ports.ts';

export type Unavailable = { code: AgentFailure; message: string };

export function locateProgram(
  name: string,
  cwd: string,
  searchPath = '/usr/bin:/bin',
): { program: string } | Unavailable {
  if (!isFolder(cwd)) {
    return { code: 'agent-folder-missing', message: `agent.cwd ${cwd}: expected a folder, found none` };
  }
  const program = findProgram(name, searchPath, cwd);
  if (program.path !== null) return { program: program.path };
  const message = `agent.command ${name}: expected an executable program, found ${program.found}`;
  return { code: 'agent-missing', message };
}

export function notStarted(program: string, why: string): Unavailable & { kind: 'unavailable' } {
  return { kind: 'unavailable', code: 'agent-not-started', message: `${program} could not be started: ${why}` };
}

type FoundProgram = { path: string } | { path: null; found: string };

function findProgram(name: string, searchPath: string, cwd: string): FoundProgram {
  if (name.includes('/')) return look(resolve(cwd, name));
  for (const folder of searchPath.split(delimiter)) {
    const program = look(isAbsolute(folder) ? join(folder, name) : resolve(cwd, folder, name));
    if (program.path !== null) return program;
  }
  return { path: null, found: `none of that name on PATH ${searchPath}` };
}

function look(path: string): FoundProgram {
  const status = statusOf(path);
  if (status === null) return { path: null, found: `nothing at ${path}` };
  if (!status.isFile())
    return { path: null, found: `${status.isDirectory() ? 'a folder' : 'no regular file'} at ${path}` };
  try {
    accessSync(path, constants.X_OK);
    return { path };
  } catch {
    return { path: null, found: `${path}, which is not executable` };
  }
}

function isFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() ?? false;
}

function statusOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
