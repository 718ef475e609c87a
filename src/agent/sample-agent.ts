/** The built-in agent (contract §7 `sample`): the sample program, run like any other command. */
import type { Agent } from '../core/ports.ts';
import { ownProgram } from '../platform/own-files.ts';
import { commandAgent } from './command-agent.ts';

export function sampleAgent(cwd: string): Agent {
  const program = ownProgram('agent/sample-program.js');
  return commandAgent({ command: [process.execPath, program], cwd, resumeCommand: [process.execPath, program] });
}
