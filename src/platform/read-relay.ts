/**
 * Owns: the reading process, from a thread whose only work it is to pass on questions and answers.
 * Guarantees: never waits for a file itself. A thread that did could not be ended, and no process ends before its threads,
 *   by whatever call; a process that hangs in a read is simply left behind.
 * Fails: by ending, where the reading process ends.
 */
import { fork } from 'node:child_process';
import { type MessagePort, workerData } from 'node:worker_threads';
import { ownProgram } from './own-files.ts';
import type { Answer, Question } from './read-program.ts';

const { port, answers, threads } = workerData as { port: MessagePort; answers: Int32Array; threads: number };

// In a group of its own: Ctrl-C at a terminal ends our process in order, which still reads meanwhile.
const child = fork(ownProgram('platform/read-program.js'), {
  detached: true,
  env: { UV_THREADPOOL_SIZE: String(threads) },
  execArgv: [],
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
});

port.on('message', (question: Question) => child.send(question));
child.on('message', (answer: Answer) => {
  port.postMessage(answer);
  Atomics.add(answers, 0, 1);
  Atomics.notify(answers, 0);
});
child.once('error', () => process.exit()).once('exit', () => process.exit());
