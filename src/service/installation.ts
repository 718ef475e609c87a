/**
 * Owns: whether a home's two services stand as planned, and bringing them there.
 * Guarantees: done twice, the second time changes nothing; what runs with other settings is restarted, nothing else is.
 * Fails: `service-failed`; the system's error where a file cannot be written. Repeating goes on where it stopped.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { errorCode } from '../core/failure.ts';
import type { ServiceFile, ServiceManager, ServiceState } from './service-manager.ts';
import { type Part, type ServicePlan, logPath } from './service-plan.ts';

export type InstallOutcome = 'unchanged' | 'installed' | 'updated' | 'started';

export interface Standing extends ServiceState {
  part: Part;
  name: string;
  path: string;
  /** `other`: the file says something else than is planned now. */
  file: 'absent' | 'as-planned' | 'other';
  /** As it stands on disk; null without one. */
  text: string | null;
}

export async function standingOf(manager: ServiceManager, plan: ServicePlan): Promise<Standing[]> {
  return Promise.all(
    manager.files(plan).map(async (file) => {
      const text = textAt(file.path);
      const { part, name, path } = file;
      const state = await manager.stateOf(file);
      return {
        part,
        name,
        path,
        text,
        file: text === null ? 'absent' : text === file.text ? 'as-planned' : 'other',
        ...state,
      };
    }),
  );
}

export async function install(manager: ServiceManager, plan: ServicePlan): Promise<Record<Part, InstallOutcome>> {
  const files = manager.files(plan);
  await manager.assertReachable();
  const standing = await standingOf(manager, plan);
  const outcomes = files.map((file, index) => ({ file, outcome: outcomeFor(standing[index]) }));
  for (const { file, outcome } of outcomes) {
    makeLog(plan.home, file.part);
    if (outcome === 'installed' || outcome === 'updated') await writeFile(file);
  }
  const changed = outcomes.filter(({ outcome }) => outcome === 'updated').map(({ file }) => file);
  const idle = outcomes
    .filter(({ outcome }) => outcome === 'installed' || outcome === 'started')
    .map(({ file }) => file);
  if (changed.length > 0) await manager.restart(changed);
  if (idle.length > 0) await manager.start(idle);
  return Object.fromEntries(outcomes.map(({ file, outcome }) => [file.part, outcome])) as Record<Part, InstallOutcome>;
}

/** The names of the files that were there. */
export async function uninstall(manager: ServiceManager, plan: ServicePlan): Promise<string[]> {
  const files = manager.files(plan);
  await manager.assertReachable();
  const present = files.filter(({ path }) => textAt(path) !== null);
  const loaded: ServiceFile[] = [];
  for (const file of files) {
    const { enabled, running } = await manager.stateOf(file);
    if (enabled || running) loaded.push(file);
  }
  if (loaded.length > 0) await manager.stop(loaded);
  for (const { path } of present) rmSync(path);
  if (present.length > 0) await manager.forget();
  return present.map(({ path }) => path);
}

function outcomeFor(standing: Standing | undefined): InstallOutcome {
  if (standing === undefined || standing.file === 'absent') return standing?.running === true ? 'updated' : 'installed';
  if (standing.file === 'other') return 'updated';
  return standing.enabled && standing.running ? 'unchanged' : 'started';
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** launchd takes no file that others may write. */
async function writeFile({ path, text }: ServiceFile): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await writeFileAtomic(path, text, { mode: 0o644 });
}

/** The manager would make it readable for everybody. */
function makeLog(home: string, part: Part): void {
  closeSync(openSync(logPath(home, part), 'a', 0o600));
}
