import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signingKeyOf } from '#core/handover/signing-key.ts';
import { createDatabaseVault } from '#core/lab/database-vault.ts';
import { openVaultKey, type KeySource } from '#core/lab/vault-key.ts';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import type { Vault } from '#core/vault/vault.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import { vaultModelSuite } from '../../suites/vault-model.ts';
import { vaultSuite } from '../../suites/vault.ts';

describe.skipIf(!hasPostgres)('secrets in a database', () => {
  let postgres: Postgres;
  let url: string;
  let folder: string;
  let own: KeySource;

  beforeAll(async () => {
    postgres = await sharedPostgres();
    url = await postgres.database();
    folder = await mkdtemp(join(tmpdir(), 'fieldbench-key-'));
    own = await keyFile('own.key');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  async function keyFile(name: string, bytes = 32): Promise<{ readonly file: string }> {
    const file = join(folder, name);
    await writeFile(file, randomBytes(bytes));
    return { file };
  }

  /** As another service would, started with this key. */
  async function open(source: KeySource = own): Promise<Vault> {
    const database = await openDatabase({ url });
    try {
      const vault = createDatabaseVault(database, await openVaultKey(database, source));
      return {
        ...vault,
        async close() {
          await vault.close();
          await database.close();
        },
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  const fresh = () => postgres.empty(url);

  test('services that make the key of hand-overs at once have one key', async () => {
    await fresh();
    const vaults = await Promise.all([open(), open(), open()]);
    const keys = await Promise.all(vaults.map(signingKeyOf));
    expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    for (const vault of vaults) await vault.close();
  });

  vaultSuite('database', async () => {
    await fresh();
    return { open, remove: async () => {}, lasting: true };
  });

  vaultModelSuite(
    'database',
    async () => {
      await fresh();
      return { open, afterCrash: open };
    },
    10,
  );

  test('what one service keeps another one has, and none of it can be read in the database', async () => {
    await fresh();
    const [a, b] = [await open(), await open()];
    await a.set({ kind: 'api-key', id: 'k' }, 'fb_secret');
    expect(await b.get({ kind: 'api-key', id: 'k' })).toBe('fb_secret');
    const database = await openDatabase({ url });
    const rows = await database.ask<{ name: string; sealed: Buffer }>('SELECT name, sealed FROM secret');
    expect(rows.map(({ name }) => name)).toEqual(['api-key/k']);
    expect(rows[0]?.sealed.includes('secret')).toBe(false);
    await database.close();
    await Promise.all([a.close(), b.close()]);
  });

  test('a secret does not open in the place of another one', async () => {
    await fresh();
    const vault = await open();
    await vault.set({ kind: 'api-key', id: 'a' }, 'mine');
    await vault.set({ kind: 'api-key', id: 'b' }, 'theirs');
    const database = await openDatabase({ url });
    await database.change((asker) =>
      asker.ask(
        "UPDATE secret SET sealed = (SELECT sealed FROM secret WHERE name = 'api-key/b') WHERE name = 'api-key/a'",
        [],
      ),
    );
    await expect(vault.get({ kind: 'api-key', id: 'a' })).rejects.toMatchObject({ code: 'damaged' });
    await database.close();
    await vault.close();
  });

  test('a service with another key is refused, and told which one is right', async () => {
    await fresh();
    await (await open()).close();
    const refused = async (source: KeySource) => open(source).catch((error: unknown) => String(error));
    expect(await refused(await keyFile('other.key'))).toContain('other.key is not the key');
    expect(await refused({ passphrase: 'open sesame' })).toContain('sealed with a key file');
    expect(await refused(await keyFile('short.key', 31))).toContain('has 31 bytes');
    expect(await refused({ file: join(folder, 'none.key') })).toContain('is not there');
  });

  test('a passphrase opens what it sealed, and no other one does', async () => {
    await fresh();
    const vault = await open({ passphrase: 'open sesame' });
    await vault.set({ kind: 'tls-key', id: 'ca' }, 'pem');
    await vault.close();
    await expect(open({ passphrase: 'open says me' })).rejects.toMatchObject({ code: 'wrong-passphrase' });
    await expect(open(own)).rejects.toMatchObject({ code: 'no-passphrase' });
    const again = await open({ passphrase: 'open sesame' });
    expect(await again.get({ kind: 'tls-key', id: 'ca' })).toBe('pem');
    await again.close();
  });
});
