import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Postgres } from '../helpers/postgres/postgres.ts';

/*
 * Apps of specs keep everything in a data folder; with FIELDBENCH_TEST_DATABASE=1 that of the console is in a database, which
 * FIELDBENCH_TEST_SERVICES=3 of them share: the window has the first, and each request of `api` goes to a random one.
 */

/** Whether apps of specs keep everything in their data folder. */
export const inFolder = process.env['FIELDBENCH_TEST_DATABASE'] !== '1';

/** How many services an app has. */
export const SERVICES = inFolder ? 1 : Number(process.env['FIELDBENCH_TEST_SERVICES'] ?? 1);

/** The flags with which services share a fresh database, whose secrets open by a key in this folder. */
export async function storeFlags(postgres: Postgres, folder: string): Promise<readonly string[]> {
  const keyFile = join(folder, 'lab.key');
  await writeFile(keyFile, randomBytes(32));
  return ['--store', await postgres.database(), '--key-file', keyFile];
}
