import { expect, test } from 'vitest';
import { CredentialCache } from '#core/store/postgres/metadata/credential-cache.ts';
import { FoundCredentials } from '#core/store/postgres/metadata/credentials.ts';
import { aDevice, aProject, hashOf } from '../../../../suites/metadata/rows.ts';

/* The cache alone, over answers of a database that come in any order. */

const PROJECT = crypto.randomUUID();
const project = JSON.stringify(aProject(PROJECT, crypto.randomUUID()));
const device = (n: number) => aDevice(crypto.randomUUID(), PROJECT, n);

/** A database at version 7 to begin with, whose later versions each name the token of the same number. */
function aDatabase() {
  const now = { version: 7, history: 0, devices: [device(8), device(100)] };
  const answer = (sql: string, params: readonly unknown[]) => {
    if (sql.includes('metadata_change')) {
      const since = Number(params[0]);
      return Array.from({ length: now.version - since }, (_, n) => ({
        version: since + n + 1,
        hashes: Buffer.from(hashOf(since + n + 1), 'hex'),
        projects: [],
      }));
    }
    return now.devices.map((row) => ({
      version: now.version,
      kind: 'devices',
      hash: row.token_hash,
      body: JSON.stringify(row),
      project,
    }));
  };
  const asker = {
    get history() {
      return now.history;
    },
    ask: async (sql: string, params: readonly unknown[]) => answer(sql, params),
  };
  const find = () => FoundCredentials.find(asker as never, [hashOf(8), hashOf(100)]);
  return { now, cache: new CredentialCache(asker as never), find };
}

test('what was found before a change is not remembered once that was heard of', async () => {
  const { now, cache, find } = aDatabase();
  await cache.catchUp(7);
  const found = await find();
  now.version = 8;
  await cache.catchUp(8);
  cache.remember(found);
  expect(cache.sender(hashOf(8))).toBeUndefined();
});

test('what was found after a change that was not heard of yet is not taken for what was there before', async () => {
  const { now, cache, find } = aDatabase();
  await cache.catchUp(7);
  now.version = 8;
  cache.remember(await find());
  expect(cache.sender(hashOf(100))).toBeUndefined();
});

test('of several that hear of changes at once none forgets what the others remember by then', async () => {
  const { now, cache, find } = aDatabase();
  await cache.catchUp(7);
  cache.remember(await find());
  now.version = 8;
  const first = cache.catchUp(8);
  now.version = 9;
  await Promise.all([first, cache.catchUp(9)]);
  expect([cache.version, cache.sender(hashOf(8)), cache.sender(hashOf(100))?.device.id]).toEqual([
    9,
    undefined,
    now.devices[1]?.id,
  ]);
});

test('in another history of the database nothing of the one before is known', async () => {
  const { now, cache, find } = aDatabase();
  await cache.catchUp(7);
  cache.remember(await find());
  expect(cache.sender(hashOf(100))).toBeDefined();
  now.history++;
  expect(cache.version).toBe(0);
  expect(cache.sender(hashOf(100))).toBeUndefined();
});
