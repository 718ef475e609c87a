/** Telegram to table: a long poll, one transaction a message. */
import { openQueue } from './table.mjs';

const [path, address] = process.argv.slice(2);
const queue = openQueue(path);
let offset = 0;
for (;;) {
  const asked = fetch(`${address}/getUpdates?timeout=30&offset=${offset}`);
  if (offset === 0) process.stderr.write('polling\n');
  const { result } = await (await asked).json();
  for (const { update_id: id, message } of result) {
    queue.put(message.message_id, message.text);
    offset = id + 1;
  }
}
