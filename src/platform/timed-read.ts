/**
 * Owns: reading with a limit, where a program may hold a file's content back: one process that reads, and one thread that
 *   stands between it and us, who wait here as every reader does.
 * Guarantees: a read costs 3 s at most, and 1 s while another one hangs. A file whose read hangs is not waited for again
 *   until that read has come back; then it is read anew. Neither thread nor process outlives us, nor holds up our end.
 * Fails: ETIMEDOUT, as a file system says it, which callers take for a passing fault; else as an ordinary read.
 */
import { constants } from 'node:os';
import { MessageChannel, type MessagePort, Worker, receiveMessageOnPort } from 'node:worker_threads';
import { ownProgram } from './own-files.ts';
import type { Answer, Fault, Question } from './read-program.ts';
import { type RegularFile, readThrough } from './regular-file.ts';

export const READ_LIMITS = {
  /** Less than what makes a process believe that the machine had been asleep (`telegram/poller.ts`). */
  firstMs: 3_000,
  /** Where one file is held back, so are mostly others. */
  besideMs: 1_000,
  /** More are refused at once, and asked for again later. */
  mostHanging: 32,
};

export type ReadLimits = typeof READ_LIMITS;

let isLimited = false;

/** From now on every file of this process is read with the limit. */
export function limitReads(): void {
  if (isLimited) return;
  isLimited = true;
  const reader = new TimedReader();
  readThrough((path, maxBytes) => reader.read(path, maxBytes));
}

interface Relay {
  worker: Worker;
  port: MessagePort;
  /** How many answers were given; what is waited on. */
  answers: Int32Array;
}

export class TimedReader {
  readonly #limits: ReadLimits;
  readonly #relayProgram: string;
  /** Paths whose reads hang, and the number of the question. */
  readonly #hanging = new Map<string, number>();
  #relay: Relay | null = null;
  #asked = 0;

  constructor(limits: ReadLimits = READ_LIMITS, relayProgram: string = ownProgram('platform/read-relay.js')) {
    this.#limits = limits;
    this.#relayProgram = relayProgram;
  }

  read(path: string, maxBytes: number): RegularFile {
    const relay = (this.#relay ??= this.#open());
    this.#answerTo(-1, relay);
    const { firstMs, besideMs, mostHanging } = this.#limits;
    const limitMs = this.#hanging.size === 0 ? firstMs : besideMs;
    if (this.#hanging.has(path) || this.#hanging.size >= mostHanging) throw heldBack(path, firstMs);
    const question: Question = { number: (this.#asked += 1), path, maxBytes };
    const { port } = relay;
    port.postMessage(question);
    const answer = this.#wait(question.number, relay, performance.now() + limitMs);
    if (answer === null) {
      this.#hanging.set(path, question.number);
      throw heldBack(path, limitMs);
    }
    if ('fault' in answer) throw systemError(answer.fault);
    return asRead(answer.file);
  }

  /** Ends who reads. What hung is then asked for anew, of another one. */
  async close(): Promise<void> {
    await this.#relay?.worker.terminate();
  }

  #wait(number: number, relay: Relay, untilMs: number): Answer | null {
    for (;;) {
      const seen = Atomics.load(relay.answers, 0);
      const answer = this.#answerTo(number, relay);
      const restMs = untilMs - performance.now();
      if (answer !== null || restMs <= 0) return answer;
      Atomics.wait(relay.answers, 0, seen, restMs);
    }
  }

  /** Takes in what came; what nobody waits for any more only says that its file can be asked for again. */
  #answerTo(number: number, { port }: Relay): Answer | null {
    for (;;) {
      const answer: Answer | undefined = receiveMessageOnPort(port)?.message;
      if (answer === undefined) return null;
      if (answer.number === number) return answer;
      for (const [path, asked] of this.#hanging) if (asked === answer.number) this.#hanging.delete(path);
    }
  }

  #open(): Relay {
    const { port1: port, port2 } = new MessageChannel();
    const answers = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(this.#relayProgram, {
      workerData: { port: port2, answers, threads: this.#limits.mostHanging + 4 },
      transferList: [port2],
      env: {},
      execArgv: [],
    });
    worker.unref();
    const forget = (): void => {
      // Nobody reads any more: all may be asked for again, of another one.
      this.#relay = null;
      this.#hanging.clear();
    };
    worker.once('error', forget).once('exit', forget);
    return { worker, port, answers };
  }
}

function heldBack(path: string, limitMs: number): Error {
  return systemError({
    code: 'ETIMEDOUT',
    errno: -constants.errno.ETIMEDOUT,
    syscall: 'read',
    message: `ETIMEDOUT: ${path}: expected its content within ${limitMs / 1000} s, found it held back, as by a program that syncs this folder; let that download the file, and keep the home in a folder that stays on this machine`,
  });
}

function systemError({ message, ...facts }: Fault): Error {
  return Object.assign(new Error(message), facts);
}

/** Between threads a buffer becomes a plain array of bytes. */
function asRead(file: RegularFile): RegularFile {
  if (file.kind !== 'file') return file;
  const { buffer, byteOffset, byteLength } = file.bytes;
  return { kind: 'file', bytes: Buffer.from(buffer, byteOffset, byteLength) };
}
