/** What a service manager does: a process that ended is started again, for as long as the story goes on. */
import type { Exit, Running, World } from '../test/harness/bridge.ts';
import type { Service } from './straced.ts';

export interface Keeper {
  /** How each process ended that was not told to. */
  readonly deaths: { service: Service; exit: Exit }[];
  /** Ends them, and starts no other. */
  stop(): Promise<void>;
}

/** Quits after so many, since a process that cannot live is a fault of its own. */
const MOST_DEATHS = 8;

export function keep(
  world: World,
  first: Record<Service, Running>,
  restart: (service: Service) => Running = (service) => world.run(service),
): Keeper {
  const deaths: Keeper['deaths'] = [];
  const living = new Map<Service, Running>();
  let stopped = false;
  const watch = async (service: Service, running: Running): Promise<void> => {
    living.set(service, running);
    const exit = await running.died;
    if (stopped) return;
    deaths.push({ service, exit });
    if (deaths.length < MOST_DEATHS) void watch(service, restart(service));
  };
  void watch('bot', first.bot);
  void watch('consumer', first.consumer);
  return {
    deaths,
    async stop() {
      stopped = true;
      await Promise.all([...living.values()].map((running) => running.kill()));
    },
  };
}
