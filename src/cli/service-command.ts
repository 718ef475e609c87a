/** `blog-bridge service install|uninstall|status`: bot and consumer under launchd or systemd. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { BridgeError, EXIT } from '../core/failure.ts';
import { ownProgram } from '../platform/own-files.ts';
import { capturedPath, lastingNode } from '../service/captured-path.ts';
import { type InstallOutcome, type Standing, install, standingOf, uninstall } from '../service/installation.ts';
import { launchd } from '../service/launchd.ts';
import type { ServiceManager } from '../service/service-manager.ts';
import { type ServicePlan, logPath } from '../service/service-plan.ts';
import { systemd } from '../service/systemd.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { assertTokenStays, openHome } from './open-home.ts';
import { columns } from './words-for-terminal.ts';

interface Options {
  dryRun?: boolean;
  json?: boolean;
  manager?: ServiceManager['kind'];
}

export function addServiceCommand(program: Command): void {
  const service = program.command('service').description('run bot and consumer as services, under launchd or systemd');
  const named = (): string | undefined => program.opts<{ home?: string }>().home;
  // The other one's files can be looked at with --dry-run.
  const which = (): Option =>
    new Option('--manager <name>', 'by default that of this system').choices(['launchd', 'systemd']);

  service
    .command('install')
    .description('write and start both services; again after PATH, node or the home changed')
    .option('--dry-run', 'print the files; write and start nothing')
    .addOption(which())
    .action((options: Options) => runInstall(named(), options));
  service
    .command('uninstall')
    .description('stop both services and remove their files; the home stays as it is')
    .addOption(which())
    .action((options: Options) => runUninstall(named(), options));
  service
    .command('status')
    .description('show whether both services are installed and run; ends with 1 where not')
    .option('--json', 'print it as JSON')
    .addOption(which())
    .action((options: Options) => runStatus(named(), options));
}

async function runInstall(named: string | undefined, options: Options): Promise<void> {
  const home = openHome(named);
  const { root } = home.folders;
  const plan = servicePlan(root);
  const manager = serviceManager(options.manager);
  if (options.dryRun === true) {
    for (const { path, text } of manager.files(plan)) process.stdout.write(`# ${path}\n${text}\n`);
    return;
  }
  assertTokenStays(home);
  const release = await oneAtATime(root, 'service');
  try {
    const outcomes = await install(manager, plan);
    const standing = await standingOf(manager, plan);
    const rows = standing.map(({ part, words, pid }) => [
      `${part}:`,
      OUTCOME_WORDS[outcomes[part]],
      pid === null ? words : `pid ${pid}`,
      logPath(root, part),
    ]);
    const hint = manager.hint();
    process.stdout.write(`${[...columns(rows), ...(hint === null ? [] : [hint]), NEXT].join('\n')}\n`);
  } finally {
    await release();
  }
}

const NEXT = 'Check it with "blog-bridge doctor", which also asks the agent in the environment that the service has.';

const OUTCOME_WORDS: Readonly<Record<InstallOutcome, string>> = {
  installed: 'installed and started',
  updated: 'changed and restarted',
  started: 'unchanged; started',
  unchanged: 'unchanged; runs already',
};

async function runUninstall(named: string | undefined, options: Options): Promise<void> {
  const root = homePath(named);
  const removed = await uninstall(serviceManager(options.manager), servicePlan(root));
  process.stdout.write(
    removed.length === 0
      ? `No service of ${root} was installed; nothing was done.\n`
      : `Stopped and removed:\n${removed.map((path) => `  ${path}\n`).join('')}The home stays as it is.\n`,
  );
}

async function runStatus(named: string | undefined, options: Options): Promise<void> {
  const root = homePath(named);
  const manager = serviceManager(options.manager);
  const standing = await standingOf(manager, servicePlan(root));
  const isUp = standing.every(({ file, enabled, running }) => file !== 'absent' && enabled && running);
  if (!isUp) process.exitCode = EXIT.failed;
  if (options.json === true) {
    const services = standing.map((one) => ({ ...one, text: undefined, log: logPath(root, one.part) }));
    process.stdout.write(`${JSON.stringify({ manager: manager.kind, home: root, services }, null, 2)}\n`);
    return;
  }
  const rows = standing.map((one) => [
    one.part,
    standingWords(one),
    one.pid === null ? one.words : `pid ${one.pid}`,
    one.path,
  ]);
  process.stdout.write(`${columns(rows).join('\n')}\n`);
}

function standingWords({ file, enabled, running }: Standing): string {
  if (file === 'absent') return running ? 'runs, but its file is gone' : 'not installed';
  const state = running ? 'running' : 'installed, not running';
  if (!enabled) return `${state}, not enabled`;
  return file === 'other' ? `${state}, with other settings than an install would give now` : state;
}

/** @param root the real path of the home */
export function servicePlan(root: string): ServicePlan {
  const path = capturedPath(process.env['PATH']);
  const node = lastingNode(realpathSync(process.execPath), path);
  return { home: root, node, main: ownProgram('cli/main.js'), path };
}

export function serviceManager(kind = defaultKind()): ServiceManager {
  return kind === 'launchd' ? launchd(process.env, process.getuid?.() ?? 0) : systemd(process.env);
}

function defaultKind(): ServiceManager['kind'] {
  if (process.platform === 'darwin') return 'launchd';
  if (process.platform === 'linux') return 'systemd';
  throw new BridgeError('service-failed', `expected macOS or Linux, found ${process.platform}`, {
    hint: 'Run "blog-bridge start" under what starts programs here.',
  });
}

/** Also of a home that is gone: what was installed for it can still be removed. */
function homePath(named: string | undefined): string {
  const path = resolve(named ?? (process.env['BLOG_BRIDGE_HOME'] || '.'));
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
