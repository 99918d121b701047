import { StoreError, VaultError } from '../base/errors.ts';
import type { Asker, Database } from '../store/postgres/connection/connections.ts';
import { coalesce } from '../turns/coalesce.ts';
import { entryOf, nameOf, type Change, type Entry } from '../vault/secret-map.ts';
import type { SecretRef, Vault } from '../vault/vault.ts';
import { sealBytes, unsealBytes } from './sealed-bytes.ts';
import { whyOtherKey, type VaultKey } from './vault-key.ts';

type Sealed = { readonly name: string; readonly sealed: Buffer };

/**
 * Secrets in a database that several services have open: each a row, sealed with AES-256-GCM under a key that the database
 * never sees, for the name that it stands under. Nothing is kept in memory: what one service keeps another one finds.
 */
export function createDatabaseVault(database: Database, key: VaultKey): Vault {
  const changes = coalesce<Change>((together) =>
    asVault(() => database.change((asker) => write(asker, together.map(entryOf)))),
  );

  /** Nothing is sealed with a key that is another one's by then: a rotation waits, or was before. */
  async function requireKey(asker: Asker): Promise<void> {
    const why = await whyOtherKey(asker, key, 'FOR SHARE');
    if (why !== null) throw new VaultError('wrong-passphrase', why);
  }

  async function write(asker: Asker, entries: readonly Entry[]): Promise<void> {
    if (entries.some((entry) => 'secret' in entry && entry.secret !== null)) await requireKey(asker);
    for (const entry of entries) {
      if ('prefix' in entry) await asker.ask(REMOVE_ALL, [entry.prefix, behind(entry.prefix)]);
      else if (entry.secret === null) await asker.ask(REMOVE, [entry.name]);
      else await asker.ask(PUT, [entry.name, sealSecret(entry.name, entry.secret, key.key)]);
    }
  }

  async function read(refs: readonly SecretRef[]): Promise<readonly (string | null)[]> {
    const names = refs.map(nameOf);
    const found = await asVault(() =>
      database.ask<Sealed>('SELECT name, sealed FROM secret WHERE name = ANY($1::text[])', [names]),
    );
    try {
      const secrets = new Map(found.map((row) => [row.name, openSecret(row, key.key)]));
      return names.map((name) => secrets.get(name) ?? null);
    } catch (error) {
      const why = await asVault(() => whyOtherKey(database, key));
      throw why === null ? error : new VaultError('wrong-passphrase', why, { cause: error });
    }
  }

  return {
    kind: 'database',
    get: async (ref) => (await read([ref]))[0] ?? null,
    readKept: read,
    set: (ref, secret) => changes.add({ ref, secret }),
    setFirst: (ref, secret) =>
      asVault(() =>
        database.change(async (asker) => {
          await requireKey(asker);
          const name = nameOf(ref);
          await asker.ask(PUT_FIRST, [name, sealSecret(name, secret, key.key)]);
        }),
      ),
    delete: (ref) => changes.add({ ref, secret: null }),
    deleteProject: (project_id) => changes.add({ allTokensOf: project_id }),
    close: () => changes.settled(),
  };
}

/** Returns a secret as its row has it. */
export const sealSecret = (name: string, secret: string, key: Uint8Array): Buffer =>
  sealBytes(Buffer.from(secret), key, place(name));

/** Returns the secret of a row. Throws VaultError `damaged`. */
export function openSecret({ name, sealed }: Sealed, key: Uint8Array): string {
  const plain = unsealBytes(sealed, key, place(name));
  if (plain) return plain.toString();
  throw new VaultError(
    'damaged',
    `The secret ${name} in the database cannot be opened: its row was changed, or sealed with another key. Restore the table "secret" from a backup, or delete that row and make a new key or token in its place.`,
  );
}

const PUT =
  'INSERT INTO secret (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed';
const PUT_FIRST = 'INSERT INTO secret (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
const REMOVE = 'DELETE FROM secret WHERE name = $1';
const REMOVE_ALL = 'DELETE FROM secret WHERE name >= $1 AND name < $2';

/** So that a row does not open under another name. */
const place = (name: string) => `secret ${name}`;

/** The first name, in the order of bytes, behind all that begin with a prefix; it ends with "/", which "0" follows. */
const behind = (prefix: string) => `${prefix.slice(0, -1)}0`;

/** Runs a query; rejects with a vault's errors for a database's. */
async function asVault<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new VaultError('io', error.message, { cause: error });
  }
}
