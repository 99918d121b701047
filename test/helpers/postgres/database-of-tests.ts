import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { StoreConfig } from '#core/base/config.ts';
import { createMemoryDisk, type MemoryDisk } from '#core/disk/memory/memory-disk.ts';
import type { OperationId } from '#shared/operations/index.ts';
import { startPostgres, type Postgres } from './postgres.ts';

/*
 * Services of tests keep everything in a data folder; with FIELDBENCH_TEST_MEMORY=1 in memory in its place, with
 * FIELDBENCH_TEST_DATABASE=1 in a database, which FIELDBENCH_TEST_SERVICES=3 of them share: each request goes to a random one
 * then.
 */

/** Whether services of tests keep everything in a database. */
export const inDatabase = process.env['FIELDBENCH_TEST_DATABASE'] === '1';

/** Whether they keep it in memory. */
const inMemory = process.env['FIELDBENCH_TEST_MEMORY'] === '1';

/** Whether they keep it in a data folder on the disk. */
export const inFolder = !inDatabase && !inMemory;

/** How many services a test has. */
export const SERVICES = inDatabase ? Number(process.env['FIELDBENCH_TEST_SERVICES'] ?? 1) : 1;

/** Whether what keeps the data refuses an operation with a 400, whoever may use it: backups and snapshots are none of a database (docs/local-api.md, docs/rigs.md). */
export const isRefused = (id: OperationId): boolean => inDatabase && /^(backup|snapshots)\./.test(id);

/** More than a test stores. */
const MEMORY_BYTES = 1 << 30;
/** The memory of a data folder: who opens the folder again finds what was there. */
const memories = new Map<string, MemoryDisk>();

/** The memory for the service of a data folder; null where tests do without. */
export function memoryOf(directory: string): MemoryDisk | null {
  if (!inMemory) return null;
  const memory = memories.get(directory) ?? createMemoryDisk(MEMORY_BYTES);
  memories.set(directory, memory);
  return memory;
}

/** Forgets what was there. */
export const forgetMemoryOf = (directory: string) => memories.delete(directory);

let postgres: Promise<Postgres> | null = null;
let keys: string | null = null;
/** The database of a data folder: who opens the folder again finds it. */
const stores = new Map<string, StoreConfig>();

/** A database for the service of a data folder: the same one again for the same folder. */
export async function storeOf(directory: string): Promise<StoreConfig> {
  const known = stores.get(directory);
  if (known) return known;
  const server = await (postgres ??= startPostgres());
  keys ??= await mkdtemp(join(tmpdir(), 'fieldbench-keys-'));
  const keyFile = join(keys, randomBytes(8).toString('hex'));
  await writeFile(keyFile, randomBytes(32));
  const store = { url: await server.database(), password: null, keyFile };
  stores.set(directory, store);
  return store;
}

if (inDatabase)
  afterAll(async () => {
    await (await postgres)?.stop();
    if (keys !== null) await rm(keys, { recursive: true });
  });
