#!/bin/sh
# Installs, beside the tests and nowhere else, the agents that real-agents.test.ts drives (about 700 MB). Without it those
# tests are skipped. None of them is a dependency of the product.
set -eu
cd "$(dirname "$0")"
mkdir -p installed/claude installed/adapter installed/codex
for name in claude adapter codex; do
  [ -f "installed/$name/package.json" ] || echo '{ "private": true }' >"installed/$name/package.json"
done
npm install --prefix installed/claude --no-audit --no-fund -E @anthropic-ai/claude-code@2.1.332
# Its optional packages are a second copy of Claude Code.
npm install --prefix installed/adapter --no-audit --no-fund -E --omit=optional @agentclientprotocol/claude-agent-acp@0.101.0
npm install --prefix installed/codex --no-audit --no-fund -E @zed-industries/codex-acp@0.16.0
