import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../agent/acp-script.ts';

const INSTALLED = join(import.meta.dirname, 'installed');

/** An agent that nobody here wrote, with a HOME of its own and a dummy key for a model on the loopback. */
export interface RealAgent {
  name: string;
  /** In which it asks before it runs a command. */
  mode: string;
  isInstalled(): boolean;
  command(stage: Stage, modelUrl: string): string[];
}

const CLAUDE_ADAPTER = join(INSTALLED, 'adapter/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js');
const CODEX_ADAPTER = join(INSTALLED, 'codex/node_modules/.bin/codex-acp');

/** It lies in the package of the platform. */
function claudeProgram(): string {
  const packages = join(INSTALLED, 'claude/node_modules/@anthropic-ai');
  const names = existsSync(packages) ? readdirSync(packages) : [];
  return join(packages, names.find((name) => name.startsWith('claude-code-')) ?? 'none', 'claude');
}

export const REAL_AGENTS: RealAgent[] = [
  {
    name: 'Claude Code by claude-agent-acp 0.101.0',
    mode: 'default',
    isInstalled: () => existsSync(CLAUDE_ADAPTER) && existsSync(claudeProgram()),
    command(stage, modelUrl) {
      const home = homeOf(stage);
      const told = {
        HOME: home,
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'dummy',
        CLAUDE_CONFIG_DIR: join(home, 'claude'),
        CLAUDE_CODE_EXECUTABLE: claudeProgram(),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        // Without it Claude Code does not start as root, as in a container.
        IS_SANDBOX: '1',
      };
      return ['env', ...variables(told), process.execPath, CLAUDE_ADAPTER];
    },
  },
  {
    name: 'Codex by codex-acp 0.16.0',
    mode: 'read-only',
    isInstalled: () => existsSync(CODEX_ADAPTER),
    command(stage, modelUrl) {
      const home = homeOf(stage);
      const provider = `name = "loopback"\nbase_url = "${modelUrl}/v1"\nwire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n`;
      const config = `model = "gpt-5.4"\nmodel_provider = "loopback"\n[model_providers.loopback]\n${provider}`;
      writeFileSync(join(home, 'config.toml'), config);
      return ['env', ...variables({ HOME: home, CODEX_HOME: home, LOOPBACK_KEY: 'dummy' }), CODEX_ADAPTER];
    },
  },
];

function homeOf(stage: Stage): string {
  mkdirSync(stage.path('home'), { recursive: true });
  return stage.path('home');
}

function variables(told: Record<string, string>): string[] {
  return Object.entries(told).map(([name, value]) => `${name}=${value}`);
}
