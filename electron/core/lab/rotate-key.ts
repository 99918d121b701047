import type { Clock } from '../base/clock.ts';
import { systemUser } from '../base/system-user.ts';
import type { Asker, Database, DatabaseRow } from '../store/postgres/connection/connections.ts';
import { tellBeside } from '../store/postgres/metadata/database-trail.ts';
import { LATEST, readSchemaVersion } from '../store/postgres/schema/migrate.ts';
import { newerFormat } from '../store/store-errors.ts';
import { openSecret, sealSecret } from './database-vault.ts';
import { livingServices } from './heartbeat.ts';
import { makeKey, readVaultKey, whyOtherKey, writeLock, type KeySource, type VaultKey } from './vault-key.ts';

/** A rotation that does not begin; the message says what stands against it. Nothing was changed. */
export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

/** Rows that are sealed anew by one statement: a few hundred KB. */
const PAGE = 1000;

type Row = DatabaseRow & { readonly name: string; readonly sealed: Buffer };

/**
 * Seals all secrets of a database that no service uses under another key, in one transaction: at any moment the old key opens all
 * of them, or the new one does. Without the old key (`from` null, as it is lost) they are removed: nothing opens them any more.
 * Resolves with how many they were. Rejects with RotationRefused, StartError where a file is no key, VaultError `wrong-passphrase`,
 * `no-passphrase` or `damaged`, and StoreError.
 */
export async function rotateVaultKey(
  database: Database,
  from: KeySource | null,
  to: KeySource,
  clock: Clock,
): Promise<number> {
  await requireVersion(database);
  const before = from === null ? null : await readVaultKey(database, from);
  if (from !== null && before === null)
    throw new RotationRefused(
      `The database ${database.name} has no secrets, and no key: no service has used it.`,
    );
  const next = await makeKey(to, '--new-key-file');
  if (before?.key.equals(next.key))
    throw new RotationRefused('The new key is the one that is there: nothing was changed.');
  return database.change(async (asker) => {
    const why = before && (await whyOtherKey(asker, before, 'FOR UPDATE'));
    if (why !== null)
      throw new RotationRefused('The key was changed by somebody else meanwhile: nothing was changed here.');
    const services = (await livingServices(asker)).map(({ name }) => name);
    if (services.length > 0) throw inUse(database, services);
    const count = await sealAll(asker, before, next);
    await writeLock(asker, next);
    const origin = { by: { kind: 'command line', name: systemUser() }, operation: 'lab.rotate-key' } as const;
    const event = { outcome: 'done', facts: { sealed: count, removed: before === null } } as const;
    await tellBeside(asker, { origin, event, now: clock.now() });
    return count;
  });
}

async function requireVersion(database: Database): Promise<void> {
  const version = (await readSchemaVersion(database))?.version ?? 0;
  if (version > LATEST) throw newerFormat(`The database ${database.name}`, version, LATEST);
  if (version < LATEST)
    throw new RotationRefused(
      `The tables of the database ${database.name} are not those of this version: start one service of it, with the key that there is, and stop it again.`,
    );
}

async function sealAll(asker: Asker, before: VaultKey | null, next: VaultKey): Promise<number> {
  let [count, last] = [0, ''];
  for (;;) {
    const rows = await asker.ask<Row>(SOME, [last, PAGE]);
    const end = rows.at(-1);
    if (!end) return count;
    const names = rows.map(({ name }) => name);
    if (before === null) await asker.ask(REMOVE, [names]);
    else {
      const sealed = rows.map((row) => sealSecret(row.name, openSecret(row, before.key), next.key));
      await asker.ask(SEAL, [names, sealed]);
    }
    [count, last] = [count + rows.length, end.name];
  }
}

const inUse = ({ name }: Database, services: readonly string[]) =>
  new RotationRefused(
    `The database ${name} is used by ${services.join(', ')}, which would go on with the old key. Stop all services first; one that was killed counts as running for 15 s.`,
  );

const SOME = 'SELECT name, sealed FROM secret WHERE name > $1 ORDER BY name LIMIT $2';
const SEAL = `UPDATE secret SET sealed = n.sealed FROM unnest($1::text[], $2::bytea[]) AS n(name, sealed)
  WHERE secret.name = n.name`;
const REMOVE = 'DELETE FROM secret WHERE name = ANY($1::text[])';
