/** The built-in agent (contract §7 `sample`): the sample program, run like any other command. */
import { fileURLToPath } from 'node:url';
import type { Agent } from '../core/ports.ts';
import { commandAgent } from './command-agent.ts';

export function sampleAgent(cwd: string): Agent {
  const program = fileURLToPath(new URL('./sample-program.js', import.meta.url));
  return commandAgent({ command: [process.execPath, program], cwd, resumeCommand: [process.execPath, program] });
}
