import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import type { RecordStore } from '#core/store/store.ts';
import { DEBIAN_BINARIES } from '../../helpers/postgres/postgres-programs.ts';
import { startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { record, scanned } from '../../suites/record-store/harness.ts';
import { openRecords } from '../store/postgres/open-records.ts';

/* deploy/backup.sh and the way back that docs/lab.md tells, by the programs that npm's PostgreSQL lacks. */

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const DEVICES = ['a', 'b', 'c'];
/** Each with a store of its own over the database, as services have. */
const WRITERS = 4;
/** So small that it is sealed and merged all the time. */
const LIMITS = { tailRows: 16, segmentRows: 128 };

describe.skipIf(DEBIAN_BINARIES === null)('a backup of a database that is in use', () => {
  let postgres: Postgres;
  let folder: string;
  beforeAll(async () => {
    postgres = await startPostgres({}, DEBIAN_BINARIES === null ? {} : { binaries: DEBIAN_BINARIES });
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-backup-'));
  });
  afterAll(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true });
  });

  const run = async (program: string, ...args: string[]) => {
    const PATH = `${DEBIAN_BINARIES ?? ''}:${process.env['PATH'] ?? ''}`;
    const { stdout } = await promisify(execFile)(program, args, { env: { ...process.env, PATH } });
    return stdout.trim();
  };

  test('holds what was stored before it, each record once, and a service goes on with it', async () => {
    const url = await postgres.database();
    const sources = await Promise.all(Array.from({ length: WRITERS }, () => openRecords(url, LIMITS)));
    const stopping = new AbortController();
    const stored: number[] = [];
    let sent = 0;
    const writers = sources.map(async ({ store }) => {
      while (!stopping.signal.aborted) {
        const n = sent++;
        await append(store, n);
        stored.push(n);
      }
    });
    await expect.poll(() => stored.length).toBeGreaterThan(200);
    const before = [...stored];
    const file = await run('sh', join(DEPLOY, 'backup.sh'), url, folder);
    const after = sent;
    stopping.abort();
    await Promise.all(writers);
    for (const source of sources) await source.close();

    const admin = await openDatabase({ url: postgres.url() });
    await admin.ask('CREATE DATABASE restored');
    await admin.close();
    const again = postgres.url('restored');
    await run('pg_restore', '--no-owner', `--dbname=${again}`, file);
    const back = await openRecords(again, LIMITS);
    const restored = back.store;
    await back.database.ask(await readFile(join(DEPLOY, 'postgres.sql'), 'utf8'));
    const found = await numbers(restored);
    expect(new Set(found).size).toBe(found.length);
    expect(before.filter((n) => !found.includes(n))).toEqual([]);
    expect(found.filter((n) => n >= after)).toEqual([]);
    for (const device of DEVICES) expect((await restored.check(device)).findings).toEqual([]);
    await append(restored, after);
    expect(await numbers(restored)).toEqual([...found, after].toSorted((a, b) => a - b));
    await back.close();
  });
});

const append = (store: RecordStore, n: number) =>
  store.append(DEVICES[n % DEVICES.length] ?? '', [record(n, { n })]);

/** What all devices have, in order. */
async function numbers(store: RecordStore): Promise<number[]> {
  const all = await Promise.all(DEVICES.map((device) => scanned(store, device)));
  return all
    .flat()
    .map(({ values }) => Number(values[0]))
    .toSorted((a, b) => a - b);
}
