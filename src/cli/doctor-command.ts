/** `blog-bridge doctor`: what can be wrong with a home, each with its mend. Changes nothing. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { BridgeError, EXIT, errorWords } from '../core/failure.ts';
import { requestIdOf } from '../core/request.ts';
import { readLock } from '../platform/lock-record.ts';
import { ownerState } from '../platform/process-identity.ts';
import { ReceiptStore } from '../state/receipt-store.ts';
import { type Home, accessOf, holdsHome, openHome } from './open-home.ts';

/** What was looked at, and what is wrong with it; null where all is well. */
interface Finding {
  what: string;
  wrong: string | null;
  mend: string;
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what can be wrong with a home, each with its mend')
    .option('--json', 'print it as JSON')
    .action((options: { json?: boolean }) => {
      const home = openHome(program.opts<{ home?: string }>().home);
      const findings = [
        token(home),
        privateEnv(home),
        workingFolder(home),
        agentProgram(home),
        ...locks(home),
        ...strayNames(home),
        receipts(home),
      ];
      const words = findings.map(({ what, wrong, mend }) =>
        wrong === null ? `ok     ${what}` : `WRONG  ${what}: ${wrong}\n       ${mend}`,
      );
      process.stdout.write(options.json === true ? `${JSON.stringify(findings, null, 2)}\n` : `${words.join('\n')}\n`);
      if (findings.some(({ wrong }) => wrong !== null)) process.exitCode = EXIT.failed;
    });
}

function token(home: Home): Finding {
  const what = 'bot token';
  try {
    accessOf(home);
    return { what, wrong: null, mend: '' };
  } catch (error) {
    return { what, wrong: errorWords(error), mend: error instanceof BridgeError ? error.hint : '' };
  }
}

function privateEnv({ folders }: Home): Finding {
  const mode = statSync(folders.env, { throwIfNoEntry: false })?.mode ?? 0;
  const isOpen = (mode & 0o077) !== 0;
  return {
    what: '.env is yours alone',
    wrong: isOpen ? `others may read it (mode ${(mode & 0o777).toString(8)})` : null,
    mend: `chmod 600 ${folders.env}`,
  };
}

function workingFolder({ folders, settings }: Home): Finding {
  const what = 'agent.cwd';
  const { cwd } = settings.agent;
  if (cwd === undefined) return { what, wrong: null, mend: '' };
  const path = isAbsolute(cwd) ? cwd : resolve(folders.root, cwd);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return {
      what,
      wrong: `expected a folder, found none at ${path}`,
      mend: 'Make it, or name another one in config.json.',
    };
  }
  return {
    what,
    wrong: holdsHome(path, folders.root)
      ? `${path} holds this home, so the agent can read and change requests and receipts`
      : null,
    mend: 'Name a folder beside the home, or leave agent.cwd out.',
  };
}

function agentProgram({ folders, settings }: Home): Finding {
  const what = 'agent.command';
  const [name] = settings.agent.kind === 'sample' ? [process.execPath] : settings.agent.command;
  const cwd = settings.agent.cwd ?? folders.work;
  const places = name.includes('/')
    ? [resolve(folders.root, cwd, name)]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  const wrong = places.some(isExecutable) ? null : `expected an executable program ${name}, found none`;
  return { what, wrong, mend: 'Install it, or name it by its absolute path in config.json.' };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function locks({ folders }: Home): Finding[] {
  return [folders.botLock, folders.consumerLock].map((path) => {
    const what = path.slice(folders.root.length + 1);
    try {
      const lock = readLock(path);
      const isForeign = lock !== null && ownerState(lock) === 'elsewhere';
      return {
        what,
        wrong: isForeign ? `held by pid ${lock.pid} of another machine or container` : null,
        mend: `If nothing runs there, delete ${path}.`,
      };
    } catch (error) {
      return { what, wrong: errorWords(error), mend: error instanceof BridgeError ? error.hint : '' };
    }
  });
}

function strayNames({ folders }: Home): Finding[] {
  return [folders.requests, folders.pending].map((folder) => {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => requestIdOf(name) === null) : [];
    const what = `names in ${folder.slice(folders.root.length + 1)}`;
    return {
      what,
      wrong: names.length === 0 ? null : `no requests: ${names.slice(0, 5).join(', ')}`,
      mend: 'A request is <digits>.json; move these away.',
    };
  });
}

function receipts({ folders }: Home): Finding {
  const store = new ReceiptStore(folders);
  const damaged = existsSync(folders.state) ? [...store.ids()].filter((id) => isDamaged(store, id)) : [];
  const wrong = damaged.length === 0 ? null : `cannot be read: ${damaged.slice(0, 5).join(', ')}`;
  return {
    what: 'receipts',
    wrong,
    mend: 'Start the consumer, which sets them aside, and decide about their requests.',
  };
}

function isDamaged(store: ReceiptStore, id: string): boolean {
  try {
    return store.read(id).kind !== 'receipt';
  } catch {
    return true;
  }
}
