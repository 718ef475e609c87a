/**
 * Owns: nothing; looks where a program lies, as `execvp` would.
 * Guarantees: an absolute path of an executable file, found before anything is started, so that a missing program is a
 *   certain no-run.
 * Fails: by telling in words what was found instead.
 */
import { type Stats, accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';
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
  if (program.path !== null) {
    const missing = missingInterpreter(program.path, searchPath, cwd);
    return missing === null ? { program: program.path } : { code: 'agent-missing', message: missing };
  }
  const message = `agent.command ${name}: expected an executable program, found ${program.found}`;
  return { code: 'agent-missing', message };
}

export function notStarted(program: string, why: string): Unavailable & { kind: 'unavailable' } {
  return { kind: 'unavailable', code: 'agent-not-started', message: `${program} could not be started: ${why}` };
}

/** Many agents are scripts for node, and a service's PATH may know none. Null where nothing is known to be missing. */
function missingInterpreter(program: string, searchPath: string, cwd: string): string | null {
  const line = firstLineOf(program);
  if (!line.startsWith('#!')) return null;
  const [interpreter = '', ...words] = line
    .slice(2)
    .trim()
    .split(/[ \t]+/u);
  const said = `agent.command ${program} begins with “${line.trim()}”`;
  if (interpreter !== '' && look(resolve(cwd, interpreter)).path === null) {
    return `${said}: expected a program there, found none`;
  }
  const name = words.find((word) => !word.startsWith('-') && !word.includes('='));
  if (basename(interpreter) !== 'env' || name === undefined) return null;
  const found = findProgram(name, searchPath, cwd);
  return found.path === null ? `${said}: expected a program ${name}, found ${found.found}` : null;
}

const LONGEST_LINE = 256;

function firstLineOf(path: string): string {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(LONGEST_LINE);
      const count = readSync(descriptor, bytes, 0, LONGEST_LINE, 0);
      return bytes.toString('utf8', 0, count).split('\n', 1)[0] ?? '';
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A program may be one that can be run and not read.
    return '';
  }
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
