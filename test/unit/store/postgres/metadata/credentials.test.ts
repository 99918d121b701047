import { describe, expect, test } from 'vitest';
import { Refusal } from '#core/base/errors.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { senderOfToken } from '#core/ingest/authenticate.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { openDatabaseMetadata } from '#core/store/postgres/metadata/database-metadata.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { clockOf } from '../../../../helpers/clock.ts';
import { hasPostgres } from '../../../../helpers/postgres/postgres.ts';
import { ownDatabase } from '../../../../helpers/postgres/own-database.ts';
import { aDevice, aKey, aProject, hashOf } from '../../../../suites/metadata/rows.ts';

/* Tokens and API keys that a service knows, by the statements that a look-up of them costs. */

const clock = clockOf(() => 1);
const VERSION = /^SELECT version FROM metadata_state$/;
const ACCOUNT = crypto.randomUUID();

interface Service {
  readonly metadata: Metadata;
  readonly database: Database;
  /** The id of the device with this token; null where it is refused. */
  device(n: number): Promise<string | null>;
  /** Statements of a work, without those that ask for the version alone. */
  asked(work: () => Promise<unknown>): Promise<string[]>;
}

/** Devices that one statement makes. */
const PART = 5_000;

describe.skipIf(!hasPostgres)('tokens and API keys that a service of a lab knows', () => {
  const own = ownDatabase();

  /** So many services over an empty database with a project, whose id they are given. */
  async function withServices(
    count: number,
    work: (services: readonly Service[], project: string) => Promise<void>,
  ): Promise<void> {
    await own.server.empty(own.url);
    const opened = await Promise.all(Array.from({ length: count }, () => open()));
    const project = crypto.randomUUID();
    await opened[0]?.metadata.change((tables) => tables.insert('projects', aProject(project, ACCOUNT)));
    try {
      await work(opened, project);
    } finally {
      for (const { metadata, database } of opened) {
        await metadata.close();
        await database.close();
      }
    }
  }

  async function open(): Promise<Service> {
    let statements: string[] = [];
    const database = await openDatabase({ url: own.url, before: ({ sql }) => statements.push(sql) });
    const metadata = await openDatabaseMetadata({ database, clock, chance: systemRandom });
    return {
      metadata,
      database,
      async device(n) {
        try {
          return (await senderOfToken(metadata, hashOf(n))).device.id;
        } catch (error) {
          if (error instanceof Refusal && error.status === 401) return null;
          throw error;
        }
      },
      async asked(work) {
        statements = [];
        await work();
        return statements.filter((sql) => !VERSION.test(sql));
      },
    };
  }

  /** Makes devices with the tokens 1 to `count`, as a change of one does, by SQL. */
  async function makeDevices({ database }: Service, project: string, count: number): Promise<void> {
    const device = { ...aDevice('', project), sequence: 1 };
    // In parts, which a busy machine makes within the time of a statement.
    for (let from = 1; from <= count; from += PART)
      await database.ask(
        `WITH made AS (SELECT n, gen_random_uuid()::text AS id, lpad(to_hex(n), 64, '0') AS hash FROM generate_series($1::int, $2::int) n)
          INSERT INTO metadata_row (kind, id, sequence, project_id, devices, hash, body)
          SELECT 'devices', id, 1000 + n, $3, '{}', hash,
            ($4::jsonb || jsonb_build_object('id', id, 'token_hash', hash, 'sequence', 1000 + n))::text FROM made`,
        [from, Math.min(count, from + PART - 1), project, JSON.stringify(device)],
      );
    await database.ask('UPDATE metadata_state SET version = version + 1, next_sequence = 1001 + $1', [count]);
  }

  const changeProject = ({ metadata }: Service, id: string) =>
    metadata.change((tables) => tables.patch('projects', id, { description: String(systemRandom.number()) }));

  test('are not pushed out by a list of all devices, and new ones cost one statement, once', () =>
    withServices(1, async ([service], project) => {
      if (!service) throw new Error('no service');
      await makeDevices(service, project, 60_000);
      const before = await service.device(1);
      const { length } = await service.metadata.read((tables) =>
        tables.list('devices', { project_id: project }),
      );
      expect([typeof before, length]).toEqual(['string', 60_000]);
      expect(await service.asked(() => service.device(1))).toEqual([]);
      expect(await service.asked(() => service.device(2))).toHaveLength(1);
      expect(await service.asked(() => service.device(2))).toEqual([]);
      // Those that ask at the same moment share it.
      const many = Array.from({ length: 300 }, (_, n) => n + 3);
      const together = () => Promise.all(many.map((n) => service.device(n)));
      expect(await service.asked(together)).toHaveLength(1);
      expect(await service.asked(together)).toEqual([]);
      // All else goes on being remembered, too.
      const get = async () => service.metadata.read((tables) => tables.get('projects', project));
      await get();
      expect(await service.asked(get)).toEqual([]);
    }));

  test('stay known at all services when another one is renewed, made or removed, which alone is asked for anew', () =>
    withServices(2, async ([here, there], project) => {
      if (!here || !there) throw new Error('no service');
      const ids = Array.from({ length: 4 }, () => crypto.randomUUID());
      await here.metadata.change(async (tables) => {
        for (const [n, id] of ids.entries()) await tables.insert('devices', aDevice(id, project, n));
        await tables.insert('api_keys', aKey('key', ACCOUNT, 100));
        await tables.insert('api_keys', aKey('gone', ACCOUNT, 101));
      });
      const keys = async ({ metadata }: Service) =>
        metadata.read(async (tables) => [
          (await tables.keyByHash(hashOf(100)))?.id,
          (await tables.keyByHash(hashOf(101)))?.id,
        ]);
      for (const service of [here, there]) {
        for (const n of ids.keys()) expect(await service.device(n)).toBe(ids[n]);
        await keys(service);
      }
      await here.metadata.change((tables) => tables.patch('devices', ids[1]!, { token_hash: hashOf(11) }));
      await here.metadata.change((tables) => tables.remove('devices', ids[2]!));
      await here.metadata.change((tables) => tables.insert('devices', aDevice('made', project, 20)));
      await here.metadata.change((tables) => tables.remove('api_keys', 'gone'));
      await changeProject(here, project);
      for (const service of [here, there]) {
        // What changed is asked once, whatever is looked up then.
        expect(await service.asked(() => service.device(0))).toHaveLength(1);
        expect(await service.asked(() => service.device(3))).toEqual([]);
        expect([await service.device(1), await service.device(11), await service.device(2)]).toEqual([
          null,
          ids[1],
          null,
        ]);
        expect(await keys(service)).toEqual(['key', undefined]);
      }
    }));

  test('are forgotten with their project, and found again when it is put back', () =>
    withServices(2, async ([here, there], project) => {
      if (!here || !there) throw new Error('no service');
      const id = crypto.randomUUID();
      await here.metadata.change((tables) => tables.insert('devices', aDevice(id, project, 1)));
      expect(await there.device(1)).toBe(id);
      const rows = await here.metadata.change(async (tables) => {
        const found = [await tables.get('projects', project), await tables.get('devices', id)] as const;
        await tables.remove('projects', project);
        await tables.remove('devices', id);
        return found;
      });
      expect(await there.device(1)).toBeNull();
      await here.metadata.change(async (tables) => {
        await tables.putBack('projects', rows[0]!);
        await tables.putBack('devices', rows[1]!);
      });
      expect(await there.device(1)).toBe(id);
    }));

  test('are all asked for anew where a service of the version before changed something, which names nothing', () =>
    withServices(2, async ([here, there], project) => {
      if (!here || !there) throw new Error('no service');
      await makeDevices(here, project, 3);
      const first = await there.device(1);
      expect(await there.device(2)).not.toBeNull();
      const hash = hashOf(99);
      await here.database.ask(
        "UPDATE metadata_row SET hash = $1, body = (body::jsonb || jsonb_build_object('token_hash', $1::text))::text WHERE id = $2",
        [hash, first],
      );
      await here.database.ask('UPDATE metadata_state SET version = version + 1', []);
      // One that names what it changed, behind it.
      await changeProject(here, project);
      expect([await there.device(1), await there.device(99)]).toEqual([null, first]);
      // And one alone.
      await here.database.ask("DELETE FROM metadata_row WHERE kind = 'devices' AND hash = $1", [hash]);
      await here.database.ask('UPDATE metadata_state SET version = version + 1', []);
      expect(await there.device(99)).toBeNull();
      expect(await there.device(2)).not.toBeNull();
    }));

  test('of thousands that a change removes are refused, those of other projects stay known, and notes are trimmed', () =>
    withServices(2, async ([here, there], project) => {
      if (!here || !there) throw new Error('no service');
      const other = crypto.randomUUID();
      const id = crypto.randomUUID();
      await makeDevices(here, project, 3_000);
      await here.metadata.change(async (tables) => {
        await tables.insert('projects', aProject(other, ACCOUNT));
        await tables.insert('devices', aDevice(id, other, 5_000));
      });
      for (const n of [1, 3_000, 5_000]) expect(await there.device(n)).not.toBeNull();
      await here.metadata.change(async (tables) => {
        for (const device of await tables.list('devices', { project_id: project }))
          await tables.remove('devices', device.id);
      });
      expect([await there.device(1), await there.device(3_000)]).toEqual([null, null]);
      expect(await there.asked(() => there.device(5_000))).toEqual([]);
      // Who missed more changes than are noted asks for all anew.
      await here.database.ask('UPDATE metadata_state SET version = version + 5000', []);
      await changeProject(here, project);
      const [{ notes } = { notes: 0 }] = await here.database.ask<{ notes: number }>(
        'SELECT count(*) AS notes FROM metadata_change',
        [],
      );
      expect(notes).toBe(1);
      expect(await there.asked(() => there.device(5_000))).toHaveLength(2);
    }));
});
