/** The least that starts an agent for a file: `fs.watch` and a spawn. Nothing is claimed, nothing is kept. */
import { spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';

const [watched, agent] = process.argv.slice(2);
watch(watched, (_event, name) => {
  if (name === null) return;
  const { text } = JSON.parse(readFileSync(join(watched, name), 'utf8'));
  const env = { ...process.env, BLOG_REQUEST_ID: name.replace('.json', '') };
  const child = spawn(agent, [], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.resume();
  child.stdin.end(text);
});
process.stderr.write('watching\n');
