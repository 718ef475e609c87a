/** Programs of the system that some tests need. */
import { spawnSync } from 'node:child_process';

/** Skips the test, in words, where the program is missing; where everything must hold (`CI`), it fails instead. */
export function needsTool(program: string, debianPackage: string, skip: (note: string) => never): void {
  const { error } = spawnSync(program, ['--version'], { stdio: 'ignore' });
  if (error === undefined) return;
  const words = `${program} is not here (Debian: apt-get install ${debianPackage})`;
  if (process.env['CI'] !== undefined) throw new Error(words);
  skip(words);
}
