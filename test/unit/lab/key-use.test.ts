import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseKeyUse } from '#core/lab/database-key-use.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';

/* When keys were used last, at any of several services over one database. */

const KEYS = ['rig', 'script', 'window'];

describe.skipIf(!hasPostgres)('over one database', () => {
  let postgres: Postgres;
  let database: Database;
  const warned: string[] = [];
  const open = () => new DatabaseKeyUse(database, { warn: (line) => void warned.push(line) });

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    warned.length = 0;
    database = await openDatabase({ url: await postgres.database(), patienceMs: 2000 });
    await database.ask(
      "INSERT INTO metadata_row (kind, id, sequence, devices, body) SELECT 'api_keys', id, 1, '{}', '{}' FROM unnest($1::text[]) AS id",
      [KEYS],
    );
    return () => database.close();
  });

  test('the first use at one is known at the others at once, every use once it has ended, and none of a revoked key', async () => {
    const use = fc.record({
      at: fc.nat(2),
      key: fc.constantFrom(...KEYS),
      kind: fc.constantFrom('used', 'used', 'used', 'anew'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(use, { maxLength: 20 }), async (uses) => {
        await database.ask('DELETE FROM key_use');
        const services = [open(), open(), open()];
        const first = new Map<string, number>();
        const last = new Map<string, number>();
        for (const [i, { at, key, kind }] of uses.entries()) {
          if (kind === 'anew') {
            await services[at]?.close();
            services[at] = open();
            continue;
          }
          await services[at]?.note(key, i + 1);
          if (!first.has(key)) first.set(key, i + 1);
          last.set(key, i + 1);
          expect((await services[at]?.of(KEYS))?.get(key)).toBe(i + 1);
          for (const service of services) {
            const known = (await service.of([key])).get(key) ?? 0;
            expect(known).toBeGreaterThanOrEqual(first.get(key) ?? 0);
            expect(known).toBeLessThanOrEqual(i + 1);
          }
        }
        await Promise.all(services.map((service) => service.close()));
        const after = open();
        expect(await after.of(KEYS)).toEqual(last);
        await after.forget('rig');
        expect((await after.of(KEYS)).has('rig')).toBe(false);
        await after.close();
      }),
      { numRuns: 15 },
    );
    expect(warned).toEqual([]);
  });

  test('a key that another service revoked leaves nothing behind', async () => {
    const [a, b] = [open(), open()];
    await a.note('rig', 1);
    void a.note('rig', 2);
    await database.ask("DELETE FROM metadata_row WHERE id = 'rig'");
    await b.forget('rig');
    await a.close();
    expect(await database.ask('SELECT key_id FROM key_use')).toEqual([]);
    await b.close();
  });

  test('a database that is away costs no more than this being known, and is told to the log', async () => {
    const service = open();
    await postgres.kill();
    await service.note('rig', 1);
    expect(warned).toEqual([
      expect.stringMatching(/^When API keys were used last could not be written: The database/),
    ]);
    await postgres.start();
    await service.close();
  });
});
