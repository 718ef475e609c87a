/** The table of syncs in `state/README.md`, held against what strace sees. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Running, openWorld } from '../harness/bridge.ts';

const HAS_STRACE = spawnSync('strace', ['-V']).error === undefined;
const TABLE = readFileSync(new URL('../../state/README.md', import.meta.url), 'utf8');

/** What one sync is of: a folder's name, or `file`; and whether the row before may come after it. */
interface Sync {
  of: string;
  beside: boolean;
}

/** The rows of the table, one for each sync. */
function promised(): Sync[] {
  const table = TABLE.slice(TABLE.indexOf('## The syncs')).split('\n\n')[2] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|')[1]?.trim() ?? '')
    .map((row) => ({
      of: row.startsWith('`') ? row.replace(/^`(?:.*\/)?([^/]+)\/`.*$/u, '$1') : 'file',
      beside: row.endsWith(', beside it'),
    }));
}

/** The names in order, where two that run beside each other stand in that of the table. */
function inTableOrder(seen: readonly string[], rows: readonly Sync[]): string[] {
  const ordered = [...seen];
  for (const [index, row] of rows.entries()) {
    const [before, here] = ordered.slice(index - 1, index + 1);
    if (row.beside && before === row.of && here !== undefined) ordered.splice(index - 1, 2, here, before);
  }
  return ordered;
}

async function traced(process: Running, file: string): Promise<ChildProcess> {
  const tracer = spawn('strace', ['-f', '-y', '-e', 'trace=fsync,fdatasync', '-o', file, '-p', String(process.pid)]);
  await new Promise<void>((resolve) => {
    tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('attached')) resolve();
    });
  });
  return tracer;
}

test.skipIf(!HAS_STRACE && process.env['CI'] === undefined)(
  'one settled request costs the syncs that its table names, and no other',
  async () => {
    const world = await openWorld();
    const processes = { bot: await world.bot(), consumer: await world.consumer() };
    await processes.consumer.logged('all that is kept was looked over');
    const traces = await Promise.all(
      Object.entries(processes).map(async ([name, process]) => {
        const file = world.path(`${name}.strace`);
        return { file, tracer: await traced(process, file) };
      }),
    );

    const { message_id: id } = world.telegram.say('/blog write about spools');
    await world.settled(id);
    await world.eventually(() => (world.names('spool', 'pending').length === 0 ? true : undefined), 'the end of it');
    const seen: string[] = [];
    for (const { file, tracer } of traces) {
      tracer.kill('SIGINT');
      await once(tracer, 'exit');
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const path = /f(?:data)?sync\(\d+<([^>]+)>/u.exec(line)?.[1];
        if (path !== undefined) seen.push(path.endsWith('.tmp') ? 'file' : (path.split('/').at(-1) ?? ''));
      }
    }

    const rows = promised();
    expect(inTableOrder(seen, rows)).toEqual(rows.map((row) => row.of));
  },
);
