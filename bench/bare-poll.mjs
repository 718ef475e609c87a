/** The least that gets a message from Telegram into a file: a long poll, a plain write, a rename. Nothing is synced. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [address, temporary, watched] = process.argv.slice(2);
let offset = 0;
for (;;) {
  const asked = fetch(`${address}/getUpdates?timeout=30&offset=${offset}`);
  if (offset === 0) process.stderr.write('polling\n');
  const { result } = await (await asked).json();
  for (const { update_id: id, message } of result) {
    const path = join(temporary, `${message.message_id}.json`);
    writeFileSync(path, JSON.stringify(message));
    renameSync(path, join(watched, `${message.message_id}.json`));
    offset = id + 1;
  }
}
