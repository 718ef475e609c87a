/** A home written by hand, in the states that a person may find it in; nothing runs over it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Receipt } from '../../src/core/receipt.ts';
import type { Request } from '../../src/core/request.ts';
import { type Exit, Running } from '../harness/bridge.ts';

export class HomeOnDisk {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'bridge-home-')));

  /** @param whenOver what removes it is handed here; by default at the end of the test */
  constructor(
    config: unknown = { telegram: { chatId: 7001, userIds: [7001] }, agent: { kind: 'sample' } },
    whenOver: (remove: () => void) => void = onTestFinished,
  ) {
    whenOver(() => this.removeAll());
    this.write('config.json', config);
  }

  removeAll(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Text and bytes as they are, all else as JSON. */
  write(name: string, content: unknown): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }

  remove(name: string): void {
    rmSync(join(this.path, name));
  }

  request(id: number, fields: Partial<Request> = {}): void {
    const request: Request = {
      version: 1,
      id: String(id),
      kind: 'blog',
      chatId: 7001,
      messageId: id,
      messageIds: [id],
      threadId: null,
      from: { id: 7001, name: 'Owner' },
      text: `request ${id}`,
      conversation: String(id),
      replyTo: null,
      attachments: [],
      sentAt: '2020-11-30T09:00:00.000Z',
      receivedAt: '2020-11-30T09:00:00.412Z',
      ...fields,
    };
    this.write(`spool/requests/${id}.json`, request);
    this.write(`spool/pending/${id}.json`, request);
  }

  receipt(id: number, fields: Partial<Receipt>): void {
    const receipt: Receipt = {
      version: 1,
      id: String(id),
      state: 'submitted',
      conversation: String(id),
      session: '0b9c2f64-5d0e-4c58-9f0c-4a2a8f0e7a11',
      turn: 1,
      run: 1,
      history: [{ state: 'submitted', at: '2020-11-30T09:00:01.000Z' }],
      reply: null,
      agent: { pid: 999_999, startedAt: '2020-11-30T09:00:01.000Z', bootId: 'an earlier one' },
      previous: [],
      error: null,
      attention: null,
      notice: null,
      ...fields,
    };
    this.write(`state/${id}.json`, receipt);
  }

  /** A command with this home, to its end. */
  command(...args: string[]): Promise<Ended> {
    return command([...args, '--home', this.path], { TZ: 'UTC' });
  }
}

export type Ended = Exit & { stdout: string; stderr: string };

export async function command(args: string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<Ended> {
  const clean = { ...process.env };
  for (const name of ['BLOG_BRIDGE_HOME', 'TELEGRAM_BOT_TOKEN', 'TELEGRAM_API_ROOT']) delete clean[name];
  const running = new Running(args, { ...clean, ...env }, cwd);
  const exit = await running.exited;
  return { ...exit, stdout: running.stdout, stderr: running.stderr };
}
