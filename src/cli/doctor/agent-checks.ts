/** The agent's folder, and whether the agent is there and answers in the environment that it will have. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { askAgent } from '../../agent/agent-check.ts';
import { holdsHome } from '../open-home.ts';
import type { Examined } from './examined.ts';
import { type Finding, advice, fine, wrong } from './finding.ts';

/** An `acp` agent may be an adapter that `npx` fetches first. */
const PATIENCE_MS = { acp: 60_000, command: 20_000, sample: 0 } as const;

export function workingFolder(examined: Examined): Finding {
  const what = 'agent.cwd';
  const { root } = examined.folders;
  const path = cwdOf(examined);
  if (path === null) return fine(what, `${examined.folders.work}, made when it is needed`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return wrong(what, `expected a folder, found none at ${path}`, 'Make it, or name another one in config.json.');
  }
  if (!holdsHome(path, root)) return fine(what, path);
  return wrong(
    what,
    `${path} holds this home, so the agent can read and change requests and receipts`,
    'Name a folder beside the home, or leave agent.cwd out.',
  );
}

export async function agentAnswers(examined: Examined): Promise<Finding> {
  const what = 'agent.command';
  const { service, settings } = examined;
  const whose = service === null ? 'of this shell' : 'of the service';
  const folder = mkdtempSync(join(tmpdir(), 'blog-bridge-doctor-'));
  try {
    const { kind, words } = await askAgent({
      agent: settings.agent,
      // The default one is made by the consumer; any other folder serves the question as well.
      cwd: cwdOf(examined) ?? folder,
      environment: service?.environment ?? process.env,
      folder,
      patienceMs: PATIENCE_MS[settings.agent.kind],
    });
    if (kind === 'answers') return fine(what, words);
    if (kind === 'silent')
      return advice(what, `it can be started, but: ${words}`, 'No fault if it takes its prompt all the same.');
    return wrong(
      what,
      `in the environment ${whose}: ${words}`,
      service === null
        ? 'Install it, or name it by its absolute path in config.json.'
        : 'In a shell that finds it (and what it needs), run: blog-bridge service install',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null: the default one, which may not be there yet. */
function cwdOf({ folders, settings }: Examined): string | null {
  const { cwd } = settings.agent;
  if (cwd !== undefined) return isAbsolute(cwd) ? cwd : resolve(folders.root, cwd);
  return statSync(folders.work, { throwIfNoEntry: false })?.isDirectory() === true ? folders.work : null;
}
