import { nodeFiles } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import { StartError, VaultError } from '../base/errors.ts';
import { systemRandom } from '../base/system-random.ts';
import type { Asker, Database } from '../store/postgres/connection/connections.ts';
import { COST, isCost, KEY_BYTES, SALT_BYTES, stretch } from '../vault/sealing.ts';
import { sealBytes, unsealBytes } from './sealed-bytes.ts';

/** Key to the secrets of a database: the bytes of a file, or a passphrase. */
export type KeySource = { readonly file: string } | { readonly passphrase: string };

/** Key of a database's secrets. */
export interface VaultKey {
  readonly key: Buffer;
  /** The row that it opens, by which another key is told. */
  readonly lock: Lock;
}

type Lock = { readonly salt: Buffer | null; readonly cost: number | null; readonly sealed: Buffer };

/** Text that is sealed to tell the right key from another. */
const KNOWN = 'Fieldbench';
const CONTEXT = 'vault_key';
const LOCK = 'SELECT salt, cost, sealed FROM vault_key';
const PUT = 'INSERT INTO vault_key (one, salt, cost, sealed) VALUES (1, $1, $2, $3) ON CONFLICT (one)';
const valuesOf = ({ salt, cost, sealed }: Lock) => [salt, cost, sealed];
const KEY_FLAG = '--key-file';

/**
 * Resolves with the key of a database's secrets, which is the same for all its services; the first one that comes says
 * which. No database holds it. Throws VaultError: `wrong-passphrase`, `damaged`; StartError where the file is no key.
 */
export async function openVaultKey(database: Database, source: KeySource): Promise<VaultKey> {
  const found = await readVaultKey(database, source);
  if (found !== null) return found;
  const made = await makeKey(source);
  const lock = await database.change((asker) => putLock(asker, made.lock));
  return keyOf(lock, source);
}

/** As `openVaultKey`; resolves with null where no service has said a key. */
export async function readVaultKey(database: Database, source: KeySource): Promise<VaultKey | null> {
  const [found] = await database.ask<Lock>(LOCK);
  return found ? keyOf(found, source) : null;
}

/** Resolves with a key for a database that has none, or is to have another. `flag` names a key file. Throws StartError. */
export async function makeKey(source: KeySource, flag = KEY_FLAG): Promise<VaultKey> {
  const own =
    'file' in source ? { salt: null, cost: null } : { salt: systemRandom.bytes(SALT_BYTES), cost: COST };
  const key = await derive(source, own, flag);
  return { key, lock: { ...own, sealed: sealBytes(Buffer.from(KNOWN), key, CONTEXT) } };
}

/** Makes a key the one of the database. Rejects with StoreError. */
export async function writeLock(asker: Asker, { lock }: VaultKey): Promise<void> {
  await asker.ask(
    `${PUT} DO UPDATE SET salt = excluded.salt, cost = excluded.cost, sealed = excluded.sealed`,
    valuesOf(lock),
  );
}

/**
 * Resolves with why a key is no longer the database's, in words; null where it is. `hold`, in a transaction: it stays so until the
 * end of that. Rejects with StoreError.
 */
export async function whyOtherKey(
  asker: Asker,
  { lock }: VaultKey,
  hold: 'FOR SHARE' | 'FOR UPDATE' | '' = '',
): Promise<string | null> {
  const [found] = await asker.ask<Lock>(`${LOCK} WHERE one = 1 ${hold}`, []);
  return found?.sealed.equals(lock.sealed) === true ? null : OTHER_KEY;
}

const OTHER_KEY =
  'The secrets of the database are sealed with another key by now: it was changed, or a backup restored, while this service ran. ' +
  'API keys and tokens are neither made nor shown here. Stop this service, and start it with the key that the others have.';

/** Of several that come at once, one is the first. */
async function putLock(asker: Asker, made: Lock): Promise<Lock> {
  await asker.ask(`${PUT} DO NOTHING`, valuesOf(made));
  const [lock] = await asker.ask<Lock>(LOCK);
  if (!lock) throw new TypeError('vault_key has no row');
  return lock;
}

async function keyOf(lock: Lock, source: KeySource): Promise<VaultKey> {
  const isPassphrase = lock.salt !== null;
  if (isPassphrase !== 'passphrase' in source) throw otherKind(isPassphrase);
  const key = await derive(source, lock, KEY_FLAG);
  if (unsealBytes(lock.sealed, key, CONTEXT)?.toString() === KNOWN) return { key, lock };
  throw new VaultError(
    'wrong-passphrase',
    isPassphrase
      ? 'FIELDBENCH_PASSPHRASE is not the passphrase that the secrets of this database are sealed with. Set the one that its other services were started with.'
      : `${'file' in source ? source.file : 'The key file'} is not the key that the secrets of this database are sealed with. Name the key file that its other services were started with.`,
  );
}

async function derive(
  source: KeySource,
  { salt, cost }: Pick<Lock, 'salt' | 'cost'>,
  flag: string,
): Promise<Buffer> {
  if ('file' in source) return readKey(source.file, flag);
  if (salt === null || cost === null || !isCost(cost))
    throw new VaultError(
      'damaged',
      'The database does not say rightly how its secrets are sealed. Restore its table vault_key from a backup.',
    );
  return stretch(source.passphrase, salt, cost);
}

async function readKey(path: string, flag: string): Promise<Buffer> {
  let key: Buffer | null;
  try {
    key = await readWhole(nodeFiles, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError('bad-flag', `${flag} ${path} cannot be read (${reason}).`, { cause: error });
  }
  if (key?.length === KEY_BYTES) return key;
  const what = key === null ? 'is not there' : `has ${key.length} bytes`;
  throw new StartError(
    'bad-flag',
    `${flag} ${path} ${what}; a key is a file of ${KEY_BYTES} random bytes, the same for all services of a database. ` +
      `"head -c ${KEY_BYTES} /dev/urandom" makes one for a new database.`,
  );
}

const otherKind = (isPassphrase: boolean) =>
  new VaultError(
    isPassphrase ? 'no-passphrase' : 'wrong-passphrase',
    isPassphrase
      ? 'The secrets of this database are sealed with a passphrase. Leave --key-file away, and set FIELDBENCH_PASSPHRASE to it.'
      : 'The secrets of this database are sealed with a key file. Name it with --key-file.',
  );
