import { beforeAll, describe, expect, test } from 'vitest';
import {
  openDatabase,
  type Database,
  type DatabaseOptions,
} from '#core/store/postgres/connection/connections.ts';
import { Lost } from '#core/store/postgres/connection/database-errors.ts';
import { openDatabaseMetadata } from '#core/store/postgres/metadata/database-metadata.ts';
import { changedBy, type Metadata } from '#core/store/metadata/metadata.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { readEntry } from '#core/store/trail/read-line.ts';
import { verifyNow } from '#core/store/trail/verify-now.ts';
import { clockOf } from '../../../../helpers/clock.ts';
import { hasPostgres, type Postgres } from '../../../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../../../helpers/postgres/shared-postgres.ts';
import { expectTold } from '../../../../suites/metadata/replay.ts';
import { aDevice, aProject } from '../../../../suites/metadata/rows.ts';

/* The audit trail of a lab: lines of a table, told in the transactions that change things. */

/** A change of ten thousand rows: the server ends a session that stands idle in one for three quarters of the patience. */
const PATIENCE_MS = 60_000;

const clock = clockOf(() => Date.UTC(2026, 2, 2, 20, 30, 21) * 1000);

describe.skipIf(!hasPostgres)('the audit trail of a database', () => {
  let postgres: Postgres;
  let url: string;
  beforeAll(async () => {
    postgres = await sharedPostgres();
    url = await postgres.database();
  });

  async function open(options: Partial<DatabaseOptions> = {}): Promise<{
    readonly metadata: Metadata;
    readonly database: Database;
    readonly close: () => Promise<void>;
  }> {
    const database = await openDatabase({ url, patienceMs: PATIENCE_MS, ...options });
    const metadata = await openDatabaseMetadata({ database, clock, chance: systemRandom });
    return {
      metadata,
      database,
      close: async () => {
        await metadata.close();
        await database.close();
      },
    };
  }

  test('services that change things at once tell one chain, each its own', async () => {
    await postgres.empty(url);
    const all = await Promise.all([open(), open(), open()]);
    const told = all.map(({ metadata }, i) =>
      changedBy(metadata, {
        by: { kind: 'key', id: `k${i}`, name: `rig ${i}` },
        operation: 'projects.create',
      }),
    );
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        Promise.resolve(told[i % 3]?.change((tables) => tables.insert('projects', aProject(`p${i}`)))),
      ),
    );
    const [{ metadata }] = all;
    await expectTold(metadata);
    const entries: (string | undefined)[] = [];
    for await (const { text } of metadata.trail.lines()) {
      const entry = readEntry(text);
      entries.push(entry?.by.id);
      expect(entry?.changes?.[0]?.id).toBe(`p${Number(entry?.changes?.[0]?.id.slice(1))}`);
      expect(Number(entry?.changes?.[0]?.id.slice(1)) % 3).toBe(Number(entry?.by.id?.slice(1)));
    }
    expect(entries).toHaveLength(60);
    await Promise.all(all.map((each) => each.close()));
  });

  test('a change that is refused is not told, one of ten thousand rows is, in parts', async () => {
    await postgres.empty(url);
    const { metadata, close } = await open();
    await expect(
      metadata.change(async (tables) => {
        await tables.insert('projects', aProject('p'));
        await tables.tell({ outcome: 'done' });
        throw new Error('changed its mind');
      }),
    ).rejects.toThrow('changed its mind');
    expect(await metadata.trail.head()).toMatchObject({ n: 0 });
    await metadata.change(async (tables) => {
      for (let i = 0; i < 10_000; i++) await tables.insert('devices', aDevice(`d${i}`, 'p', i));
    });
    expect(await metadata.trail.head()).toMatchObject({ n: 20 });
    await expectTold(metadata);
    const back: (number | undefined)[] = [];
    for await (const { text } of metadata.trail.linesBack(4)) back.push(readEntry(text)?.n);
    expect(back).toEqual([3, 2, 1]);
    await close();
  });

  test('where the wire is cut at any statement, what was changed is told, and nothing else is', async () => {
    await postgres.empty(url);
    let left = Infinity;
    const { metadata, close } = await open({
      before() {
        if (left-- === 0) throw new Lost('cut');
      },
    });
    for (let cut = 0; cut < 12; cut++) {
      left = cut;
      await metadata
        .change((tables) => tables.insert('projects', aProject(`p${cut}`)))
        .catch((error: unknown) => expect(error).toMatchObject({ name: 'StoreError' }));
      left = Infinity;
      await expectTold(metadata);
    }
    await close();
  });

  test.each([
    ['gone', 'DELETE FROM audit_line WHERE n = 3', { harm: 'missing', from: 3, to: 3 }],
    ['gone from the end', 'DELETE FROM audit_line WHERE n = 6', { harm: 'missing', from: 6, to: 6 }],
    [
      'changed',
      `UPDATE audit_line SET line = replace(line, 'p3', 'p9') WHERE n = 4`,
      { harm: 'changed', from: 4, to: 4 },
    ],
    [
      'in the place of another',
      `UPDATE audit_line a SET line = b.line FROM audit_line b WHERE a.n IN (2, 3) AND b.n IN (2, 3) AND a.n <> b.n`,
      { harm: 'moved' },
    ],
  ])('a line that is %s is found and named', async (_, sql, finding) => {
    await postgres.empty(url);
    const { metadata, database, close } = await open();
    for (let i = 0; i < 6; i++)
      await metadata.change((tables) => tables.insert('projects', aProject(`p${i}`)));
    expect(await verifyNow(metadata.trail)).toMatchObject({ entries: 6, harmed: 0 });
    await database.change((asker) => asker.ask(sql));
    expect((await verifyNow(metadata.trail)).findings).toMatchObject([finding]);
    await close();
  });
});
