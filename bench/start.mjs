/**
 * From the start of a process to its work: of the bot to its first poll, of the consumer to its first look; each against a
 * Node that imports the same packages, in turn.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ended, openBridge, ready } from './home.mjs';
import { packagesOf } from './packages.mjs';
import { median } from './samples.mjs';

const ROUNDS = 21;
const BARE_IMPORTS = fileURLToPath(new URL('bare-imports.mjs', import.meta.url));

/** @returns {Promise<Record<'bot' | 'consumer', { bridgeMs: number, bareMs: number, ratio: number }>>} */
export async function measureStart() {
  const bridge = await openBridge({ kind: 'sample' });
  const { telegram } = bridge;
  const untilWork = {
    bot: async () => {
      const polls = telegram.calls.filter(({ method }) => method === 'getUpdates').length;
      const polled = telegram.waitFor(
        ({ calls }) => calls.filter(({ method }) => method === 'getUpdates').length > polls,
      );
      await Promise.all([bridge.start('bot'), polled]);
    },
    // Its first look follows at once.
    consumer: () => bridge.start('consumer'),
  };
  try {
    const figures = {};
    for (const part of ['bot', 'consumer']) {
      const packages = packagesOf(['cli/main.js', `cli/run-${part}.js`]);
      const times = { bridge: [], bare: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        times.bridge.push(await timed(untilWork[part]));
        await bridge.stop(part);
        times.bare.push(await timed(() => importBarely(packages)));
      }
      const [bridgeMs, bareMs] = [median(times.bridge.slice(1)), median(times.bare.slice(1))];
      figures[part] = { bridgeMs, bareMs, ratio: bridgeMs / bareMs };
    }
    return figures;
  } finally {
    await bridge.close();
  }
}

async function importBarely(packages) {
  const child = spawn(process.execPath, [BARE_IMPORTS, ...packages], { stdio: ['ignore', 'ignore', 'pipe'] });
  await ready(child, 'imported');
  child.kill('SIGKILL');
  await ended(child);
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
