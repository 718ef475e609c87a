/** The text of a systemd unit, each value escaped as its setting demands. Pure. */
import { BridgeError } from '../core/failure.ts';
import { type Part, type ServicePlan, assertWritable, commandLine, logPath } from './service-plan.ts';

/**
 * `on-failure`: an end with 0 was wanted, or is a wrong configuration (`--service`), which no restart mends. 75 (another
 * one runs, by hand) is tried again until that one has ended, so there is no limit of starts. An agent that eats all
 * memory must not take the consumer with it (`OOMPolicy`).
 */
export function systemdUnit(plan: ServicePlan, part: Part): string {
  assertWritable(plan);
  assertEndsPlainly(plan.home);
  const [program = '', ...args] = commandLine(plan, part);
  const log = `append:${unquoted(logPath(plan.home, part))}`;
  return `# Written by "blog-bridge service install", which replaces it.
[Unit]
Description=${unquoted(`blog-bridge ${part} of ${plan.home}`)}
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${[quoted(program), ...args.map(argument)].join(' ')}
WorkingDirectory=${unquoted(plan.home)}
Environment=${quoted(`PATH=${plan.path}`)}
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=30
OOMPolicy=continue
StandardOutput=${log}
StandardError=${log}

[Install]
WantedBy=default.target
`;
}

/** PATH and program of a unit that was written here. */
export function readUnit(text: string): { path: string; node: string } | null {
  const path = /^Environment="PATH=((?:[^"\\]|\\.)*)"$/mu.exec(text)?.[1];
  const node = /^ExecStart="((?:[^"\\]|\\.)*)"/mu.exec(text)?.[1];
  return path === undefined || node === undefined ? null : { path: plain(path), node: plain(node) };
}

/** systemd.syntax(7), "Quoting", and the specifiers of systemd.unit(5). */
function quoted(text: string): string {
  return `"${unquoted(text).replaceAll(/[\\"]/gu, '\\$&')}"`;
}

/** In arguments, though not in the program itself, `$` would stand for a variable (systemd.service(5), "Command lines"). */
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}

/** These settings take the rest of the line as it is, but for specifiers. */
function unquoted(text: string): string {
  return text.replaceAll('%', '%%');
}

function plain(text: string): string {
  return text.replaceAll(/\\(.)/gu, '$1').replaceAll('%%', '%');
}

/** The end of a line is trimmed, and a backslash there joins the next one to it. */
function assertEndsPlainly(home: string): void {
  if (!/[\s\\]$/u.test(home)) return;
  throw new BridgeError(
    'service-failed',
    `${JSON.stringify(home)}: expected a path that does not end with a space or a backslash, found one`,
    { hint: 'Rename the folder; systemd cannot be told such a path.' },
  );
}
