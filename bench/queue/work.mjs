/** Table to agent to Telegram: polled every 5 ms, one job at a time, the same three durable states as a receipt. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openQueue } from './table.mjs';

const [path, address, chatId, agent] = process.argv.slice(2);
const queue = openQueue(path);
process.stderr.write('working\n');
for (;;) {
  const job = queue.first();
  if (job === undefined || !queue.claim(job.id)) {
    await pause(5);
    continue;
  }
  const child = spawn(agent, [], {
    env: { ...process.env, BLOG_REQUEST_ID: String(job.id) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let reply = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    reply += text;
  });
  child.stdin.end(job.text);
  await once(child, 'close');
  queue.record(job.id, reply);
  const body = JSON.stringify({ chat_id: Number(chatId), text: reply });
  const answer = await fetch(`${address}/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  queue.settle(job.id, (await answer.json()).result.message_id);
}
