import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quickestFolder, signalIfThere, startPostgres, type Postgres } from './postgres.ts';

/*
 * One PostgreSQL for all test files of a worker, each of which has databases of its own in it. What kills it, or sets it,
 * starts one of its own (postgres.ts).
 */

/** Named by Vitest's own process, which ends all servers in it at last. */
const FOLDER = 'FIELDBENCH_SHARED_POSTGRES';

let shared: Promise<Postgres> | null = null;

/** It is stopped by Vitest's own process, behind all tests. */
export function sharedPostgres(): Promise<Postgres> {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error('Its folder is made by Vitest (vitest.config.ts, globalSetup).');
  return (shared ??= startPostgres({}, { folder }));
}

/** Run by Vitest before its workers; what it returns, behind them. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(quickestFolder(), 'fieldbench-shared-'));
  // Root's servers run as somebody else.
  await chmod(folder, 0o711);
  process.env[FOLDER] = folder;
  return async () => {
    for (const one of await readdir(folder)) await end(join(folder, one, 'data', 'postmaster.pid'));
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
}

/** Ends a server by the file that names its process in the first line, and that it removes at its end. */
async function end(file: string): Promise<void> {
  for (let asked = false; ; await delay(20)) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return;
    const isThere = signalIfThere(Number.parseInt(text, 10), asked ? 0 : 'SIGINT');
    if (!isThere) return;
    asked = true;
  }
}
