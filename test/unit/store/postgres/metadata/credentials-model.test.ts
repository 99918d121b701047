import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemRandom } from '#core/base/system-random.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { openDatabaseMetadata } from '#core/store/postgres/metadata/database-metadata.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { clockOf } from '../../../../helpers/clock.ts';
import { hasPostgres } from '../../../../helpers/postgres/postgres.ts';
import { ownDatabase } from '../../../../helpers/postgres/own-database.ts';
import { someRuns } from '../../../../helpers/some-runs.ts';
import { hashOf } from '../../../../suites/metadata/rows.ts';
import { KEYS, type State, act, type Step, Naive } from './credentials-model.ts';

/* Tokens and API keys at two services, beside maps: each look-up at either gives what the maps have. */

/** What a look-up is to give, as text. */
function told({ projects, devices, keys }: State, secret: number): string {
  if (secret >= KEYS) return [...keys].find(([, each]) => each === secret)?.[0] ?? 'none';
  const device = [...devices.values()].find((each) => each.secret === secret);
  const account = device && projects.get(device.project);
  return device && account !== undefined
    ? [account, device.id, device.project, device.source].join(' ')
    : 'none';
}

async function lookUp(metadata: Metadata, secret: number): Promise<string> {
  const hash = hashOf(secret);
  if (secret >= KEYS) return (await metadata.read((tables) => tables.keyByHash(hash)))?.id ?? 'none';
  const found = await metadata.read((tables) => tables.senderByTokenHash(hash));
  if (found === null) return 'none';
  const { id, project_id, source } = found.device;
  return [found.account_id, id, project_id, source].join(' ');
}

describe.skipIf(!hasPostgres)('tokens and API keys at two services', () => {
  const own = ownDatabase();
  let services: { readonly database: Database; readonly metadata: Metadata }[] = [];

  beforeAll(async () => {
    await own.server.empty(own.url);
    services = await Promise.all(
      [0, 1].map(async () => {
        const database = await openDatabase({ url: own.url });
        const metadata = await openDatabaseMetadata({
          database,
          clock: clockOf(() => 1),
          chance: systemRandom,
        });
        return { database, metadata };
      }),
    );
  });
  afterAll(async () => {
    for (const { metadata, database } of services) {
      await metadata.close();
      await database.close();
    }
  });

  /** Empties the tables as one that goes on does, so that services remember what is no more. */
  async function empty(): Promise<void> {
    const [{ metadata } = { metadata: null }] = services;
    await metadata?.change(async (tables) => {
      for (const table of ['projects', 'devices', 'api_keys'] as const)
        for (const { id } of await tables.list(table)) await tables.remove(table, id);
    });
  }

  /** As a service that notes nothing: its rows are as any, its version lacks a name. */
  async function withoutNote(metadata: Metadata, database: Database, make: Step['make']): Promise<void> {
    await metadata.change(make);
    await database.ask(
      'DELETE FROM metadata_change c USING metadata_state s WHERE c.version = s.version',
      [],
    );
  }

  test('each look-up gives what maps have, whoever changed it, and meanwhile what they had before or have then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (acts) => {
        await empty();
        const naive = new Naive();
        for (const each of acts) {
          const service = services[each.at];
          if (!service) throw new Error('no such service');
          const before = naive.state;
          const step = naive.step(each);
          if (!step) continue;
          const known = naive.secrets;
          const meanwhile = each.looks.flatMap((n) => {
            const secret = known[n % Math.max(1, known.length)] ?? 0;
            return services.map(async ({ metadata }) =>
              expect([told(before, secret), told(step.after, secret)]).toContain(
                await lookUp(metadata, secret),
              ),
            );
          });
          if (each.kind === 'by an earlier build')
            await withoutNote(service.metadata, service.database, step.make);
          else await service.metadata.change(step.make);
          naive.state = step.after;
          // From its answer on, at both.
          await Promise.all(
            services.flatMap(({ metadata }) =>
              known.map(async (secret) =>
                expect(await lookUp(metadata, secret)).toBe(told(step.after, secret)),
              ),
            ),
          );
          await Promise.all(meanwhile);
        }
      }),
      { numRuns: someRuns(80) },
    );
  });
});
