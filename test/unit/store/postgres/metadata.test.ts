import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type DatabaseOptions } from '#core/store/postgres/connection/connections.ts';
import { Lost } from '#core/store/postgres/connection/database-errors.ts';
import { openDatabaseMetadata } from '#core/store/postgres/metadata/database-metadata.ts';
import { BUDGET, type Budget } from '#core/store/metadata/budget.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { clockOf } from '../../../helpers/clock.ts';
import { hasPostgres, type Postgres } from '../../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../../helpers/postgres/shared-postgres.ts';
import { metadataSuite } from '../../../suites/metadata.ts';
import { budgetTests } from '../../../suites/metadata/budget.ts';
import { aDevice, allOf, aProject, hashOf, type MetadataHome } from '../../../suites/metadata/rows.ts';

const clock = clockOf(() => Date.UTC(2026, 2, 2, 20, 30, 21) * 1000);

describe.skipIf(!hasPostgres)('metadata in a database', () => {
  let postgres: Postgres;
  let url: string;

  beforeAll(async () => {
    postgres = await sharedPostgres();
    url = await postgres.database();
  });

  /** As another process would. */
  async function open(options: Partial<DatabaseOptions> & { budget?: Budget } = {}): Promise<Metadata> {
    const { budget = BUDGET, ...rest } = options;
    const database = await openDatabase({ url, ...rest });
    const metadata = await openDatabaseMetadata({ database, clock, chance: systemRandom, budget });
    return {
      ...metadata,
      async close() {
        await metadata.close();
        await database.close();
      },
    };
  }

  const home = async (): Promise<MetadataHome> => {
    await postgres.empty(url);
    return { open, remove: async () => {}, lasting: true };
  };

  metadataSuite('database', home, 15);

  budgetTests('database', async () => {
    await postgres.empty(url);
    return { open: (budget) => open({ budget }), remove: async () => {} };
  });

  describe('two services over one database', () => {
    async function two(): Promise<[Metadata, Metadata]> {
      await postgres.empty(url);
      return Promise.all([open(), open()]);
    }
    const closeAll = (all: readonly Metadata[]) => Promise.all(all.map((each) => each.close()));

    test('make one first account, whichever comes first', async () => {
      const both = await two();
      const [a, b] = await Promise.all(both.map(allOf));
      expect(a).toEqual(b);
      expect(a?.accounts.map(({ name }) => name)).toEqual(['Default']);
      await closeAll(both);
    });

    test('each find at once what the other made, changed and removed', async () => {
      const [a, b] = await two();
      await a.change((tables) => tables.insert('devices', aDevice('d', 'p', 1)));
      expect((await b.read((tables) => tables.deviceByTokenHash(hashOf(1))))?.id).toBe('d');
      await b.change((tables) => tables.patch('devices', 'd', { token_hash: hashOf(2) }));
      expect(await a.read((tables) => tables.deviceByTokenHash(hashOf(1)))).toBeNull();
      await a.change((tables) => tables.remove('devices', 'd'));
      expect(await b.read((tables) => tables.get('devices', 'd'))).toBeNull();
      await closeAll([a, b]);
    });

    test('change the same row one after the other, and nothing of it is lost', async () => {
      const both = await two();
      await both[0].change((tables) => tables.insert('projects', aProject('p')));
      const count = (metadata: Metadata) =>
        metadata.change(async (tables) => {
          const row = await tables.get('projects', 'p');
          await tables.patch('projects', 'p', { description: String(Number(row?.description) + 1) });
        });
      await Promise.all(Array.from({ length: 30 }, (_, i) => count(both[i % 2 ? 1 : 0])));
      expect((await both[1].read((tables) => tables.get('projects', 'p')))?.description).toBe('30');
      await closeAll(both);
    });

    test('of two that take away the same thing at once, one is told that it is not there', async () => {
      const both = await two();
      await both[0].change((tables) => tables.insert('devices', aDevice('d', 'p')));
      const taken = both.map((metadata) => metadata.change((tables) => tables.remove('devices', 'd')));
      expect((await Promise.all(taken)).filter((isTaken) => isTaken)).toHaveLength(1);
      await closeAll(both);
    });
  });

  describe('many who read at once', () => {
    const MANY = 300;
    const devices = Array.from({ length: MANY }, (_, i) => `d${i}`);
    const each = <T>(look: (id: string) => T) => devices.map(look);

    test('ask the database a few questions together, also after a change', async () => {
      await postgres.empty(url);
      let asked = 0;
      const metadata = await open({ before: () => asked++ });
      await metadata.change((tables) => tables.insert('projects', aProject('p')));
      const readAll = () =>
        Promise.all(
          each(async () => metadata.read(async (tables) => (await tables.get('projects', 'p'))?.id)),
        );
      asked = 0;
      expect(new Set(await readAll())).toEqual(new Set(['p']));
      expect(asked).toBeLessThanOrEqual(5);
      asked = 0;
      await readAll();
      expect(asked).toBe(1);
      await metadata.close();
    });

    test('are each told their own: what is there, or why not', async () => {
      await postgres.empty(url);
      const metadata = await open();
      await metadata.change(async (tables) => {
        for (const [i, id] of devices.entries()) await tables.insert('devices', aDevice(id, 'p', i));
      });
      const read = async (id: string) =>
        metadata.read(async (tables) => {
          const found = await tables.get('devices', id);
          if (found?.id.endsWith('7')) throw new RangeError(`no ${id}`);
          return found?.id;
        });
      for (const once of ['anew', 'from what is known']) {
        const told = await Promise.allSettled(each(read));
        const words = told.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)));
        expect(words, once).toEqual(each((id) => (id.endsWith('7') ? `RangeError: no ${id}` : id)));
      }
      await metadata.close();
    });

    test('are all told where the connection is lost in the middle and found again', async () => {
      await postgres.empty(url);
      let left = Infinity;
      const metadata = await open({
        before() {
          if (left-- === 0) throw new Lost('cut');
        },
      });
      await metadata.change(async (tables) => {
        for (const [i, id] of devices.entries()) await tables.insert('devices', aDevice(id, 'p', i));
      });
      for (const cut of [0, 1, 2, 3, 10, MANY / 2]) {
        // Nothing is known after a change.
        await metadata.change((tables) => tables.insert('projects', aProject(`p${cut}`)));
        left = cut;
        const told = await Promise.all(
          each(async (id) => metadata.read(async (tables) => (await tables.get('devices', id))?.id)),
        );
        expect(told).toEqual(devices);
      }
      await metadata.close();
    });
  });

  test('an id may be any text, and no two of them are taken for one another', async () => {
    await postgres.empty(url);
    const metadata = await open();
    const odd = [
      'a b',
      'a\\u0020b',
      'nul \0',
      '\\u0000',
      'half \ud800',
      '"',
      'é',
      'x'.repeat(5000),
      'x'.repeat(5001),
    ];
    await metadata.change(async (tables) => {
      for (const [i, id] of odd.entries()) await tables.insert('devices', aDevice(id, id, i));
    });
    for (const [i, id] of odd.entries()) {
      expect(await metadata.read((tables) => tables.get('devices', id))).toMatchObject({
        id,
        token_hash: hashOf(i),
      });
      const ofProject = await metadata.read((tables) => tables.list('devices', { project_id: id }));
      expect(ofProject.map((device) => device.id)).toEqual([id]);
    }
    await metadata.close();
  });

  test('ten thousand devices are made in one change, and found in the order in which they were made', async () => {
    await postgres.empty(url);
    const metadata = await open();
    const ids = Array.from({ length: 10_000 }, (_, i) => `d${i}`);
    await metadata.change(async (tables) => {
      for (const [i, id] of ids.entries()) await tables.insert('devices', aDevice(id, 'p', i));
    });
    const found = await metadata.read((tables) => tables.list('devices', { project_id: 'p' }));
    expect(found.map(({ id }) => id)).toEqual(ids);
    await metadata.close();
  });
});
