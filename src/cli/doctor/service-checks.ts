/** Whether the services of this home are installed as they should be, and run; and which node they would use. */
import { accessSync, constants } from 'node:fs';
import { readLastLines } from '../../agent/run-output.ts';
import type { Standing } from '../../service/installation.ts';
import { runTool } from '../../service/service-manager.ts';
import { logPath } from '../../service/service-plan.ts';
import { blot } from '../../platform/stderr.ts';
import { oneLine } from '../../core/one-line.ts';
import type { Examined, InstalledService } from './examined.ts';
import { type Finding, advice, fine, wrong } from './finding.ts';

const AGAIN = 'blog-bridge service install';

export function services({ service, folders }: Examined): Finding[] {
  if (service === null) {
    return [advice('service', 'not installed: bot and consumer run only while you run them', AGAIN)];
  }
  const hint = service.manager.hint();
  return [
    ...service.standing.map((standing) => serviceFinding(service, standing, folders.root)),
    ...(hint === null ? [] : [advice('service after log-out', hint, '')]),
  ];
}

function serviceFinding({ manager, plan, node }: InstalledService, standing: Standing, root: string): Finding {
  const what = `service of the ${standing.part}`;
  if (standing.text === null) return wrong(what, 'not installed, though the other one is', AGAIN);
  const own = manager.readBack(standing.text);
  // This shell's PATH and node may be others than those of the shell that installed: that alone is no fault.
  const wanted = manager.files({ ...plan, ...own }).find(({ part }) => part === standing.part);
  if (own === null || wanted?.text !== standing.text) {
    return wrong(what, `${standing.path} is of another version of this program, or of another place of it`, AGAIN);
  }
  if (!standing.enabled) return wrong(what, `installed, but not enabled: ${standing.words}`, AGAIN);
  if (standing.running) return fine(what, `runs (pid ${standing.pid})`);
  const last = lastLine(logPath(root, standing.part));
  const words = `installed, but not running: ${standing.words}${last === '' ? '' : `; its log ends: ${last}`}`;
  return wrong(what, words, isThere(node) ? `Mend what the log names, then: ${AGAIN}` : AGAIN);
}

export async function nodeVersions({ service }: Examined): Promise<Finding[]> {
  const here = nodeFinding('Node', process.versions.node, process.execPath);
  if (service === null) return [here];
  const what = 'Node of the service';
  if (!isThere(service.node)) {
    return [
      here,
      wrong(what, `expected a program at ${service.node}, found none (was it upgraded or removed?)`, AGAIN),
    ];
  }
  const { stdout, code, words } = await runTool(service.node, ['--version']);
  if (code !== 0) return [here, wrong(what, `${service.node} --version: ${words}`, AGAIN)];
  return [here, nodeFinding(what, stdout.trim().replace(/^v/u, ''), service.node)];
}

/** As `engines` of package.json has it. */
const LEAST: readonly [number, number] = [20, 19];

function nodeFinding(what: string, version: string, path: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return fine(what, version);
  return wrong(
    what,
    `${path}: expected ${LEAST.join('.')} or later, found ${version}`,
    `Install a later Node, then: ${AGAIN}`,
  );
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lastLine(path: string): string {
  try {
    return oneLine(blot(readLastLines(path, 2)), 300);
  } catch {
    return '';
  }
}
