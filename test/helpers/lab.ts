import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#core/config.ts';
import { openLab } from '#core/lab/open-lab.ts';
import type { RecordStore } from '#core/store/store.ts';
import { createMemoryRecordStore } from './memory-record-store.ts';
import type { Postgres } from './postgres.ts';
import { runService, type RunningService } from './running-service.ts';

/** Several services over one fresh database, in this process. */
export interface Lab {
  readonly services: readonly RunningService[];
  /** One more. */
  start(overrides?: Partial<Config>): Promise<RunningService>;
  stop(): Promise<void>;
}

/** Starts so many services at once. */
export async function startLab(postgres: Postgres, count: number): Promise<Lab> {
  const url = await postgres.database();
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-lab-'));
  const keyFile = join(folder, 'lab.key');
  await writeFile(keyFile, randomBytes(32));
  const store = { url, password: null, keyFile };
  const services: RunningService[] = [];
  const shared = createMemoryRecordStore();
  const records: RecordStore = { ...shared, close: () => Promise.resolve() };
  async function start(overrides: Partial<Config> = {}): Promise<RunningService> {
    const service = await runService(
      { store, ...overrides },
      { open: (options) => openLab(options, store, async () => records) },
    );
    services.push(service);
    return service;
  }
  await Promise.all(Array.from({ length: count }, () => start()));
  return {
    services,
    start,
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await rm(folder, { recursive: true });
    },
  };
}
