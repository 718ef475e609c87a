import { acpAgent } from '../../src/agent/acp-agent.ts';
import { commandAgent } from '../../src/agent/command-agent.ts';
import type { Agent } from '../../src/core/ports.ts';
import { scratchFolder } from '../platform/scratch-folder.ts';
import { Stage } from './acp-script.ts';
import { agentContract } from './agent-contract.ts';

const SCRIPT = 'read -r line; case $line in slowly*) sleep 60 & sleep 60;; *) echo "about: $line";; esac';

agentContract('command', async () => {
  const settings = { command: ['/bin/sh', '-c', SCRIPT], cwd: scratchFolder() };
  return {
    agent: commandAgent(settings),
    recipe: { kind: 'command', settings },
    quick: { prompt: 'the sea\n', answer: /^about: the sea$/mu },
    slow: 'slowly\n',
  };
});

agentContract('acp', async () => {
  const stage = new Stage();
  const script = { slow: [{ say: 'half' }, { untilCancelled: true as const }], turns: [[{ say: 'about the sea' }]] };
  const settings = { command: stage.command(script), cwd: stage.path('work'), permissions: 'ask' as const };
  return {
    agent: acpAgent(settings),
    recipe: { kind: 'acp', settings },
    quick: { prompt: 'the sea', answer: /^about the sea$/mu },
    slow: 'slowly, the sea',
  };
});

agentContract('sample', async () => {
  const cwd = scratchFolder();
  // The built one: its program is a file beside it that node can run.
  const { sampleAgent }: { sampleAgent: (cwd: string) => Agent } = await import(
    new URL('../../build/agent/sample-agent.js', import.meta.url).href
  );
  return {
    agent: sampleAgent(cwd),
    recipe: { kind: 'sample', settings: { cwd } },
    quick: { prompt: 'the sea', answer: /^# the sea$/mu },
    slow: 'slowly, the sea',
  };
});
