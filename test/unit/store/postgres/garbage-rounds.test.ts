import { describe, expect, test } from 'vitest';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { collectGarbage } from '#core/store/postgres/upkeep/garbage-collection.ts';
import { emptyOldNotes, PARTS } from '#core/store/postgres/upkeep/old-notes.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';
import { isLockAwaited } from '../../../helpers/postgres/given-postgres.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { record } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

/** What a round asks once, whatever there is. */
const SILENT = /FROM staging/;

/** Of an hour. */
const AT_ANY_MINUTE = 60;

const someRecords = (count: number) => Array.from({ length: count }, (_, n) => record(n, { n }));

describe.skipIf(!hasPostgres)('garbage collection', () => {
  const own = ownDatabase();

  test('holds up no seal, however long a round takes, and no round begins before the last one has ended', async () => {
    const release = Promise.withResolvers<void>();
    let rounds = 0;
    const before = async ({ sql }: { readonly sql: string }) => {
      if (!SILENT.test(sql)) return;
      rounds++;
      await release.promise;
    };
    const { store, database, close } = await openRecords(own.url, { tailRows: 4, cleanUpMs: 20 }, { before });
    await expect.poll(() => rounds, PATIENTLY).toBe(1);
    await store.append('slow', someRecords(20));
    const tail = async () => (await database.ask<{ n: number }>('SELECT count(*) AS n FROM tail'))[0]?.n;
    await expect.poll(tail, PATIENTLY).toBe(0);
    expect(rounds).toBe(1);
    release.resolve();
    await close();
  });

  test('is of one service at a time', async () => {
    const asked = new Map<number, number>();
    const stores = await Promise.all(
      [0, 1, 2].map((service) =>
        openRecords(
          own.url,
          { cleanUpMs: 2000 },
          {
            before({ sql }) {
              if (SILENT.test(sql)) asked.set(service, (asked.get(service) ?? 0) + 1);
            },
          },
        ),
      ),
    );
    // A round of the test before may have the lease still.
    await expect.poll(() => asked.size, PATIENTLY).toBeGreaterThan(0);
    for (const { close } of stores) await close();
    expect(asked.size).toBe(1);
  });

  test('empties the notes of two hours ago whole, once an hour over all services, and no others', async () => {
    const database = await openDatabase({ url: own.url });
    const [now] = await database.ask<{ part: number }>(
      `SELECT floor(extract(epoch FROM now()) / 3600)::bigint % ${PARTS} AS part`,
    );
    const part = now?.part ?? 0;
    const [before, old] = [(part + 2) % PARTS, (part + 1) % PARTS];
    const fill = () =>
      database.ask(
        `INSERT INTO outcome (lane, part, id, stored)
           SELECT n % 32, p, gen_random_uuid(), true FROM generate_series(1, 100) AS n, unnest($1::int[]) AS p`,
        [[part, before, old]],
      );
    const counts = async () => {
      const rows = await database.ask<{ part: number; n: number }>(
        'SELECT part, count(*) AS n FROM outcome GROUP BY part',
      );
      return Object.fromEntries(rows.map((row) => [row.part, row.n]));
    };
    await database.ask("DELETE FROM upkeep WHERE name = 'notes'", []);
    // Tests before this one may have noted something in the hour before.
    await database.ask('DELETE FROM outcome', []);
    await fill();
    const [one, other] = ['3d7f0f5e-0000-4000-8000-000000000001', '3d7f0f5e-0000-4000-8000-000000000002'];
    await emptyOldNotes(database, one, AT_ANY_MINUTE);
    const after = await counts();
    expect(after[old]).toBeUndefined();
    expect(after[before]).toBe(100);
    expect(after[part]).toBeGreaterThanOrEqual(100);
    await fill();
    await emptyOldNotes(database, other, AT_ANY_MINUTE);
    expect((await counts())[old]).toBe(100);
    await database.ask("UPDATE upkeep SET until = now() WHERE name = 'notes'", []);
    await emptyOldNotes(database, other, AT_ANY_MINUTE);
    expect((await counts())[old]).toBeUndefined();
    await database.close();
  });

  test('does not wait for somebody who holds the notes, and tries again', async () => {
    const database = await openDatabase({ url: own.url, writers: 2 });
    await database.ask("DELETE FROM upkeep WHERE name = 'notes'", []);
    await database.change(async (backup) => {
      await backup.ask('LOCK TABLE outcome IN ACCESS SHARE MODE');
      await expect(
        emptyOldNotes(database, '3d7f0f5e-0000-4000-8000-000000000003', AT_ANY_MINUTE),
      ).rejects.toMatchObject({
        code: 'unreachable',
        cause: { code: '55P03' },
      });
    });
    const [left] = await database.ask<{ n: number }>("SELECT count(*) AS n FROM upkeep WHERE name = 'notes'");
    expect(left?.n).toBe(0);
    await database.close();
  });

  test('leaves a device that came back while it waited for it', async () => {
    const database = await openDatabase({ url: own.url, writers: 2 });
    await database.ask(
      `INSERT INTO device_head (lane, device_id, epoch, dropped, changed) VALUES (3, 'back', 1, true, now() - interval '2 days')`,
    );
    const collecting: Promise<void>[] = [];
    await database.change(async (writer) => {
      await writer.ask("UPDATE device_head SET dropped = false WHERE lane = 3 AND device_id = 'back'");
      const limits = { goneSeconds: 600, silentSeconds: 90 };
      collecting.push(collectGarbage(database, limits, () => true));
      await expect.poll(() => isLockAwaited(database), PATIENTLY).toBe(true);
    });
    await Promise.all(collecting);
    expect(await database.ask("SELECT 1 FROM device_head WHERE device_id = 'back'", [])).toHaveLength(1);
    await database.close();
  });
});
