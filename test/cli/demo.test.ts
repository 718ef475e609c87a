/** `demo`: the whole round trip with no token and no network, for a person or a script. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processTable } from '../../src/platform/process-table.ts';
import { Running } from '../harness/bridge.ts';
import { command } from './home-on-disk.ts';
import { removeFolder } from '../harness/remove-folder.ts';

test('demo --once does one round trip, tells it and where its files are, and does so again in the same folder', async () => {
  const home = demoFolder();

  const first = await command(['demo', '--once', 'hello', '--home', home]);
  const second = await command(['demo', '--once', 'hello again', '--home', home]);

  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^\[41\] you: \/blog hello\n(?:\[41\] .*\n)*\[42\] bot \(to 41\):\n {3}hello\n/u);
  expect(first.stdout).toMatch(
    /request 41: sent\n.*accepted\n.*submitted\n.*sending\n.*sent\n.*answer: 1 of 1 parts sent/su,
  );
  for (const name of ['spool/requests/41.json', 'state/41.json', 'state/files/41/run-1.out']) {
    expect(first.stdout).toContain(`  ${name}\n`);
    expect(existsSync(join(home, name))).toBe(true);
  }
  expect(first.stdout).toContain(`Everything lies in ${home}\n`);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('[43] you: /blog hello again\n') });
  expect(readdirSync(join(home, 'spool', 'requests')).sort()).toEqual(['41.json', '43.json']);
  expect(await command(['show', '43', '--json', '--home', home])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"state": "sent"'),
  });
  expect(processesOf(home)).toEqual([]);
  expect(readdirSync(home)).not.toContain('demo.lock');
});

test('a conversation by lines: replies, a kill in the middle of a run, its notice and button, and the files', async () => {
  const home = demoFolder();
  const demo = demoIn(home);
  await demo.printed(/:quit {2,}end/u);
  demo.say('/blog one');
  await demo.printed(/\[41\] 👍/u);
  demo.say('> two');
  await demo.printed(/\[43\] 👍/u);
  demo.say('>42 three');
  await demo.printed(/\[45\] 👍/u);
  demo.say('>999 nobody');
  await demo.printed(/there is no such message to reply to/u);
  demo.say(':press 3');
  await demo.printed(/there is no such button/u);

  demo.say('/blog slowly now');
  await demo.printed(/\[47\] ✍/u);
  demo.say(':kill');
  await demo.printed(/killed with kill -9; a new one starts/u);
  // Which of the two comes first is Telegram's affair.
  await demo.printed(/\[47\] 💔/u);
  await demo.printed(
    /\[48\] bot \(to 47\):\n {3}Request 47 was interrupted[^]*\[1: Run again\]\n {3}\[2: It is done\]/u,
  );
  demo.say(':press 2');
  await demo.printed(/\[47\] 👍/u);
  demo.say(':files');
  await demo.printed(/request 47: sent[^]*arrived, ordered by Owner/u);
  demo.say(':what');
  demo.say(':quit');

  expect(await demo.exited).toEqual({ code: 0, signal: null });
  expect(demo.stdout).toMatch(/\[44\] bot \(to 43\):\n {3}two\n[^]*turn 2 of session/u);
  expect(demo.stdout).toMatch(/\[46\] bot \(to 45\):\n {3}three\n[^]*turn 3 of session/u);
  expect(demo.stdout.match(/\[\d+\] bot \(to 41\)/gu), 'nothing doubled').toHaveLength(1);
  expect(processesOf(home)).toEqual([]);
});

test('SIGINT ends a demo with 0, also just after a kill in the middle of a run, and no process is left', async () => {
  const home = demoFolder();
  const demo = demoIn(home);
  demo.say('/blog slowly');
  await demo.printed(/\[41\] ✍/u);
  expect(processesOf(home).length).toBeGreaterThan(3);
  demo.say(':kill');
  await demo.printed(/killed with kill -9/u);

  expect(await demo.kill('SIGINT')).toEqual({ code: 0, signal: null });

  expect(processesOf(home)).toEqual([]);
  expect(readdirSync(home)).not.toContain('demo.lock');
});

test('SIGTERM and SIGHUP end a demo with 0, also before its processes are up', async () => {
  const [home, other] = [demoFolder(), demoFolder()];
  const [demo, once] = [demoIn(home), new Demo(['demo', '--once', 'slowly', '--home', other], process.env)];
  await Promise.all([demo.printed(/:quit {2,}end/u), once.printed(/\[41\] you: /u)]);

  expect(await Promise.all([demo.kill('SIGTERM'), once.kill('SIGHUP')])).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);

  expect([...processesOf(home), ...processesOf(other)]).toEqual([]);
});

test('a second demo in the same folder is refused with 75, and a folder of another home with 78', async () => {
  const home = demoFolder();
  const first = demoIn(home);
  await first.printed(/:quit {2,}end/u);
  const foreign = demoFolder();
  writeFileSync(join(foreign, 'config.json'), '{"telegram":{}}');

  const [second, other] = await Promise.all([
    command(['demo', '--once', 'hello', '--home', home]),
    command(['demo', '--once', 'hello', '--home', foreign]),
  ]);

  expect(second).toMatchObject({
    code: 75,
    stdout: '',
    stderr: expect.stringMatching(/demo\.lock: another demo uses this folder\n.*--home/u),
  });
  expect(other).toMatchObject({
    code: 78,
    stdout: '',
    stderr: expect.stringMatching(/config\.json: expected a folder of an earlier demo or an empty one/u),
  });
  expect(readdirSync(foreign)).toEqual(['config.json']);
  expect(first.child.exitCode).toBeNull();
  first.child.stdin?.end();
  expect(await first.exited, 'the end of the input ends it').toEqual({ code: 0, signal: null });
});

test('a part that cannot start is told at once, with its exit code', async () => {
  const home = demoFolder();
  await command(['demo', '--once', 'hello', '--home', home]);
  const binding = JSON.parse(readFileSync(join(home, 'spool', 'home.json'), 'utf8'));
  writeFileSync(join(home, 'spool', 'home.json'), JSON.stringify({ ...binding, botId: 1 }));

  const { code, stderr } = await command(['demo', '--once', 'again', '--home', home]);

  expect(code).toBe(78);
  expect(stderr).toMatch(/^blog-bridge: the (?:bot|consumer) ended by itself \(exit 78\): .*home\.json: expected bot/u);
  expect(processesOf(home)).toEqual([]);
});

class Demo extends Running {
  say(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }
}

function demoIn(home: string): Demo {
  const demo = new Demo(['demo', '--home', home], process.env);
  onTestFinished(async () => void (await demo.kill('SIGTERM')));
  return demo;
}

function demoFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'demo-test-')));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Bot, consumer and agents of a home; all of them work in it or name it. */
function processesOf(home: string): number[] {
  if (process.platform !== 'linux') return [];
  return processTable()
    .list()
    .filter(({ pid, zombie }) => !zombie && pid !== process.pid && mentions(pid, home))
    .map(({ pid }) => pid);
}

function mentions(pid: number, home: string): boolean {
  try {
    return ['cmdline', 'environ'].some((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1').includes(home));
  } catch {
    return false;
  }
}
