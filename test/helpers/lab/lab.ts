import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, StoreConfig } from '#core/base/config.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { runService, type RunningService } from '../service/running-service.ts';

/** Several services over one fresh database, in this process. */
export interface Lab {
  readonly services: readonly RunningService[];
  /** The address of its database. */
  readonly url: string;
  /** What opens its secrets. */
  readonly keyFile: string;
  /** One more. */
  start(overrides?: Partial<Config>, store?: Partial<StoreConfig>): Promise<RunningService>;
  stop(): Promise<void>;
}

/** One of them at random. */
export function anyOf(services: readonly RunningService[], random: () => number): RunningService {
  const service = services[Math.floor(random() * services.length)];
  if (!service) throw new Error('There is no service.');
  return service;
}

/** Starts so many services at once. */
export async function startLab(postgres: Pick<Postgres, 'database'>, count: number): Promise<Lab> {
  const url = await postgres.database();
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-lab-'));
  const keyFile = join(folder, 'lab.key');
  await writeFile(keyFile, randomBytes(32));
  const store = { url, password: null, keyFile };
  const services: RunningService[] = [];
  async function start(
    overrides: Partial<Config> = {},
    given: Partial<StoreConfig> = {},
  ): Promise<RunningService> {
    const service = await runService({ store: { ...store, ...given }, ...overrides });
    services.push(service);
    return service;
  }
  await Promise.all(Array.from({ length: count }, () => start()));
  return {
    services,
    url,
    keyFile,
    start,
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await rm(folder, { recursive: true });
    },
  };
}
