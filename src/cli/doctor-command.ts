/** `blog-bridge doctor`: what can be wrong with a home, each with its mend. Changes nothing. */
import type { Command } from 'commander';
import { BridgeError, EXIT, errorWords } from '../core/failure.ts';
import type { Settings } from '../core/settings.ts';
import { blot } from '../platform/stderr.ts';
import type { TelegramAccess } from '../telegram/connection.ts';
import { findingsOf } from './doctor/checks.ts';
import { installedService } from './doctor/examined.ts';
import { type Finding, fine, wrong } from './doctor/finding.ts';
import { accessOf, foldersOf, settingsOf } from './open-home.ts';

interface Options {
  json?: boolean;
  all?: boolean;
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what can be wrong with a home, each with its mend')
    .option('--all', 'read every receipt, however many there are')
    .option('--json', 'print it as JSON')
    .action(async (options: Options) => {
      process.exitCode = await runDoctor(program.opts<{ home?: string }>().home, options);
    });
}

/**
 * Prints what it finds; resolves with the exit code.
 * @param named as `--home`
 */
export async function runDoctor(named: string | undefined, options: Options = {}): Promise<number> {
  const folders = foldersOf(named);
  const settings = settingsIn(() => settingsOf(folders));
  if ('finding' in settings) {
    print([settings.finding], options);
    return settings.exitCode;
  }
  const examined = {
    folders,
    settings,
    access: accessOrNull(() => accessOf({ folders, settings })),
    service: await installedService(folders.root),
    thorough: options.all === true,
  };
  const findings = [fine('config.json', folders.config), ...(await findingsOf(examined))];
  print(findings, options);
  if (findings.some(({ unreachable }) => unreachable === true)) return EXIT.unreachable;
  return findings.some((finding) => finding.wrong !== null) ? EXIT.failed : EXIT.done;
}

/** A home that is none is another matter: that is thrown. */
function settingsIn(read: () => Settings): Settings | { finding: Finding; exitCode: number } {
  const afterwards = 'The rest can be looked at after that.';
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BridgeError))
      return { finding: wrong('config.json', errorWords(error), afterwards), exitCode: EXIT.failed };
    if (error.code !== 'config-invalid') throw error;
    return { finding: wrong('config.json', error.message, `${error.hint} ${afterwards}`), exitCode: error.exitCode };
  }
}

function accessOrNull(read: () => TelegramAccess): TelegramAccess | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function print(findings: readonly Finding[], { json }: Options): void {
  const text = json === true ? JSON.stringify(findings, null, 2) : findings.map(lineOf).join('\n');
  process.stdout.write(blot(`${text}\n`));
}

function lineOf({ what, wrong: words, note, mend }: Finding): string {
  if (words !== null) return `WRONG  ${what}: ${words}${mend === '' ? '' : `\n       ${mend}`}`;
  if (mend !== '') return `note   ${what}: ${note}\n       ${mend}`;
  return `ok     ${what}${note === '' ? '' : `: ${note}`}`;
}
