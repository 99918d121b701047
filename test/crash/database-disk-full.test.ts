import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mountingRefused, mountSmallDisk, type SmallDisk } from '../faults/small-disk.ts';
import { giveToPostgres } from '../helpers/postgres/postgres-programs.ts';
import { hasPostgres, startPostgres, type Postgres } from '../helpers/postgres/postgres.ts';
import { scanned, record } from '../suites/record-store/harness.ts';
import { openRecords } from '../unit/store/postgres/open-records.ts';

/* The disk under the database, or that of its write-ahead log, which it cannot do without, fills up. */

const refused = await mountingRefused();

const text = (n: number) => record(n, { n, text: `${n}`.padEnd(20_000, '.') });
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe.skipIf(refused !== null || !hasPostgres)('a database whose disk is full', () => {
  let disk: SmallDisk;
  let log: SmallDisk;
  let postgres: Postgres;
  let url: string;
  let opened: Awaited<ReturnType<typeof openRecords>>;

  beforeEach(async () => {
    disk = await mountSmallDisk(96);
    log = await mountSmallDisk(12);
    await giveToPostgres([disk.directory, log.directory]);
    const small = { min_wal_size: "'2MB'", max_wal_size: "'4MB'", restart_after_crash: 'off' };
    postgres = await startPostgres(small, { folder: disk.directory, log: join(log.directory, 'log') });
    url = await postgres.database();
    opened = await openRecords(url, {}, { patienceMs: 2000 });
  });
  afterEach(async () => {
    await opened.close();
    await postgres.stop();
    await disk.remove();
    await log.remove();
  });

  const store = (n: number) => opened.store.append('d', [text(n)], { receipt: `r${n}` });
  const numbers = async () =>
    (await scanned(opened.store, 'd')).map(({ keys, values }) => values[keys.indexOf('n')]);

  /** Stores one record after the other until one is refused; resolves with how many were not, and with what was said. */
  async function untilRefused(from: number): Promise<{ stored: number; said: unknown }> {
    for (let n = from; ; n++) {
      try {
        await store(n);
      } catch (said) {
        return { stored: n, said };
      }
    }
  }

  test('says so, goes on reading what it has, and stores again once there is space', async () => {
    await store(0);
    await disk.fill();
    const { stored, said } = await untilRefused(1);
    expect(said).toMatchObject({ name: 'StoreError', code: 'disk-full' });
    expect((said as Error).message).toMatch(/^The disk of the database .* is full: nothing was stored/);
    expect(await numbers()).toEqual(upTo(stored));
    expect(await opened.store.count('d')).toBe(stored);
    await disk.free();
    expect(await store(stored)).toBe('stored');
    expect(await store(stored)).toBe('duplicate');
    expect(await numbers()).toEqual(upTo(stored + 1));
  });

  test('takes an upload whole or not at all', async () => {
    await store(0);
    await disk.fill();
    const batch = await opened.store.batch('d');
    const upload = async () => {
      for (let n = 1; n < 2000; n++) await batch.add([text(n)]);
      await batch.commit();
    };
    await expect(upload()).rejects.toMatchObject({ code: 'disk-full' });
    await batch.abort();
    expect(await numbers()).toEqual([0]);
    await disk.free();
    expect(await store(1)).toBe('stored');
  });

  test('without room for its log refuses or ends, and has all that was acknowledged when there is room', async () => {
    await store(0);
    await log.fill();
    const { stored, said } = await untilRefused(1);
    // "Took too long": it waits for its log when the patience is over.
    expect((said as Error).message).toMatch(
      /does not answer|was lost while it stored|is full|took too long and was stopped: nothing was changed/,
    );
    await log.free();
    await postgres.kill();
    await postgres.start();
    // It answers again, be it late: so little patience was for what has no answer.
    await opened.close();
    opened = await openRecords(url);
    // What nobody knows of is told by its receipt.
    expect(['stored', 'duplicate']).toContain(await store(stored));
    expect(await store(stored)).toBe('duplicate');
    expect(await numbers()).toEqual(upTo(stored + 1));
  });
});
