/** Which packages the modules of the bridge import. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DIST = new URL('../build/', import.meta.url);

/**
 * When they are loaded, by the imports written in `build/`.
 * @param {string[]} roots
 */
export function packagesOf(roots) {
  const packages = new Set();
  const queue = roots.map((root) => new URL(root, DIST).href);
  const seen = new Set();
  for (const url of queue) {
    if (seen.has(url)) continue;
    seen.add(url);
    const code = readFileSync(fileURLToPath(url), 'utf8');
    for (const [, name] of code.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]/gmu)) {
      if (name.startsWith('.')) queue.push(new URL(name, url).href);
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return [...packages].toSorted((a, b) => a.localeCompare(b));
}
