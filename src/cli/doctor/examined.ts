/** What a home is judged by: what it says itself, and what its services say. Everything is looked up once. */
import type { Settings } from '../../core/settings.ts';
import type { HomeFolders } from '../../platform/home-folders.ts';
import { type Standing, standingOf } from '../../service/installation.ts';
import { type ServiceManager, bareEnvironment } from '../../service/service-manager.ts';
import type { ServicePlan } from '../../service/service-plan.ts';
import type { TelegramAccess } from '../../telegram/connection.ts';
import { serviceManager, servicePlan } from '../service-command.ts';

export interface Examined {
  folders: HomeFolders;
  settings: Settings;
  /** Null where the token is none; a finding tells. */
  access: TelegramAccess | null;
  service: InstalledService | null;
  /** Every receipt is read, however long it takes. */
  thorough: boolean;
}

export interface InstalledService {
  manager: ServiceManager;
  plan: ServicePlan;
  standing: Standing[];
  /** Of the consumer's process, so of the agent. */
  environment: NodeJS.ProcessEnv;
  node: string;
}

/** Null where no service of this home is installed, or nothing here manages services. */
export async function installedService(root: string): Promise<InstalledService | null> {
  if (process.platform !== 'darwin' && process.platform !== 'linux') return null;
  const manager = serviceManager();
  const plan = servicePlan(root);
  const standing = await standingOf(manager, plan);
  const consumer =
    standing.find(({ part, text }) => part === 'consumer' && text !== null) ??
    standing.find(({ text }) => text !== null);
  if (consumer === undefined) return null;
  const own = manager.readBack(consumer.text ?? '');
  const environment = { ...bareEnvironment(process.env), ...(await manager.environment()), PATH: own?.path };
  return { manager, plan, standing, environment, node: own?.node ?? plan.node };
}
