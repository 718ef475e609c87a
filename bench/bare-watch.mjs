/** Says of each file that comes up in one folder that it was noticed, by a file in another. */
import { closeSync, openSync, watch } from 'node:fs';
import { join } from 'node:path';

const [watched, noticed] = process.argv.slice(2);
watch(watched, (_event, name) => {
  if (name === null) return;
  closeSync(openSync(join(noticed, name), 'w'));
});
process.stderr.write('watching\n');
