/**
 * Owns: where the files lie that this program brings along, and starts or shows.
 * Guarantees: the same paths whether it runs as built (`dist/`) or from its modules, all of which lie two folders deep.
 * Fails: never; whether the file is there shows when it is used.
 */
import { fileURLToPath } from 'node:url';

const PACKAGE = new URL('../../', import.meta.url);

/** @param name relative to the folder of the package, such as `package.json` */
export function ownFile(name: string): string {
  return fileURLToPath(new URL(name, PACKAGE));
}

/** @param name relative to `dist/`, such as `cli/main.js` */
export function ownProgram(name: string): string {
  return ownFile(`dist/${name}`);
}
