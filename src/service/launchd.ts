/**
 * Owns: the two launchd agents of a home, `~/Library/LaunchAgents/blog-bridge.<tag>.<part>.plist`, through `launchctl`.
 * Guarantees: nothing of other agents is touched; an agent is out before it is put in anew.
 * Fails: `service-failed`, with what launchctl said.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BridgeError } from '../core/failure.ts';
import { pause } from '../platform/clock.ts';
import { launchdPlist, readPlist } from './launchd-plist.ts';
import { type ServiceFile, type ServiceManager, bareEnvironment, runTool } from './service-manager.ts';
import { PARTS, homeTag } from './service-plan.ts';

/** `bootout` returns before the agent has ended, which may take its `ExitTimeOut` of 30 s. */
const OUT_WITHIN_MS = 40_000;
const LOOK_AGAIN_MS = 200;

export function launchd(env: NodeJS.ProcessEnv, uid: number): ServiceManager {
  const domain = `gui/${uid}`;
  const target = ({ name }: Pick<ServiceFile, 'name'>): string => `${domain}/${name}`;
  const isLoaded = async (file: Pick<ServiceFile, 'name'>): Promise<boolean> =>
    (await runTool('launchctl', ['print', target(file)])).code === 0;

  const putOut = async (file: ServiceFile): Promise<void> => {
    if (!(await isLoaded(file))) return;
    const { words } = await runTool('launchctl', ['bootout', target(file)]);
    for (let waitedMs = 0; await isLoaded(file); waitedMs += LOOK_AGAIN_MS) {
      if (waitedMs >= OUT_WITHIN_MS) throw failed(`bootout ${target(file)}`, words || 'it is still loaded');
      await pause(LOOK_AGAIN_MS);
    }
  };

  const putIn = async (file: ServiceFile): Promise<void> => {
    // One that was disabled once, by hand, is not loaded otherwise.
    await demand('enable', target(file));
    await demand('bootstrap', domain, file.path);
  };

  return {
    kind: 'launchd',
    files: (plan) =>
      PARTS.map((part) => {
        const name = `blog-bridge.${homeTag(plan.home)}.${part}`;
        const path = join(homedir(), 'Library', 'LaunchAgents', `${name}.plist`);
        return { part, name, path, text: launchdPlist(plan, part, name) };
      }),
    async assertReachable() {
      const { code, words } = await runTool('launchctl', ['print', domain]);
      if (code === 0) return;
      throw new BridgeError('service-failed', `launchctl print ${domain}: expected your session, found: ${words}`, {
        hint: 'Log in at the screen of this Mac; over ssh alone there is no session that agents run in.',
      });
    },
    async stateOf(file) {
      const { code, stdout } = await runTool('launchctl', ['print', target(file)]);
      if (code !== 0) return { enabled: false, running: false, pid: null, words: 'not loaded' };
      const pid = /^\s*pid = (\d+)$/mu.exec(stdout)?.[1];
      const state = /^\s*state = (.+)$/mu.exec(stdout)?.[1] ?? 'loaded';
      const last = /^\s*last exit code = (.+)$/mu.exec(stdout)?.[1];
      return {
        enabled: true,
        running: pid !== undefined,
        pid: pid === undefined ? null : Number(pid),
        words: pid !== undefined || last === undefined ? state : `${state}, last exit code ${last}`,
      };
    },
    async start(files) {
      for (const file of files) {
        if (await isLoaded(file)) await demand('kickstart', target(file));
        else await putIn(file);
      }
    },
    async restart(files) {
      for (const file of files) await putOut(file);
      for (const file of files) await putIn(file);
    },
    async stop(files) {
      for (const file of files) await putOut(file);
    },
    forget: () => Promise.resolve(),
    environment: () => Promise.resolve(bareEnvironment(env)),
    readBack: readPlist,
    hint: () => null,
  };
}

async function demand(...args: string[]): Promise<void> {
  const { code, words } = await runTool('launchctl', args);
  if (code !== 0) throw failed(args.join(' '), words);
}

function failed(what: string, words: string): BridgeError {
  return new BridgeError('service-failed', `launchctl ${what}: expected success, found: ${words}`, {
    hint: '"blog-bridge service install" may be repeated; the logs in the home tell why a start failed.',
  });
}
